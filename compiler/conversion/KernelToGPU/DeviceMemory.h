// What the plan tells of a device's memory: how pointers are aligned.
#pragma once

#include "dialects/plan/Plan.h"

namespace kernel {

/// Alignments of the ranges that instructions name.
class DeviceMemory {
public:
  explicit DeviceMemory(mlir::ModuleOp module);
  /// The largest power of two, up to that of an arena, that the address of `ref` is a multiple of.
  int64_t getAlignment(plan::RefAttr ref) const;

private:
  llvm::DenseMap<mlir::StringAttr, int64_t> offsets; // of buffers in their arenas
};

/// How a kernel is launched, over all its launches.
struct KernelUse {
  llvm::SmallVector<int64_t> alignments; // of the arguments, in bytes: the smallest of any launch
  int64_t extentMax = 0;                 // of dim 0
};

} // namespace kernel
