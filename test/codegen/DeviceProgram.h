// The device code of a whole program, with what the plan says of each function.
#pragma once

#include "compiler/codegen/cuda/CudaCodegen.h"

#include <map>

namespace test {

struct PlannedFunction {
  /// `linear`, `row`, `column` or `product`.
  std::string kind;
  unsigned blockThreads = 0, sharedBytes = 0;
  /// The most elements that a launch of a linear kernel covers.
  int64_t elements = 0;
  /// Fused multiply-adds that the LLVM module holds.
  unsigned fusedOps = 0;
};

struct DeviceProgram {
  std::string ptx;
  std::map<std::string, PlannedFunction> functions;
  std::vector<dlm::Cubin> cubins;
  double secondsToPTX = 0, secondsToCubins = 0;
};

/// The kernels that the equality tests try, each at a small and a large size, at addresses aligned
/// to 16 bytes and to no more than an element.
llvm::Expected<DeviceProgram> compileKernelCases();

/// Compiles a .dlm file, or a .mlir file of pinned programs, as far as its device code.
llvm::Expected<DeviceProgram> compileDeviceProgram(const std::string &path);

} // namespace test
