// The kernels of a module by the text of their bodies: equal kernels exist once.
#pragma once

#include "compiler/transforms/fuse/Grouping.h"

#include <mlir/IR/BuiltinOps.h>

#include <llvm/ADT/StringMap.h>

namespace dlm::fuse {

class KernelTable {
public:
  explicit KernelTable(mlir::ModuleOp module) : module(module) {}

  /// Adds a kernel, or drops it if an equal one is known; returns the name to launch. The name says
  /// schedule and main ops of the group, for profiles.
  mlir::StringAttr insert(mlir::OwningOpRef<kernel::FuncOp> function, const Group &group);

private:
  mlir::ModuleOp module;
  llvm::StringMap<mlir::StringAttr> byText;
};

} // namespace dlm::fuse
