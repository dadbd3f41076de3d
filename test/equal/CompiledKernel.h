// Text of one kernel to a function that can be called, by the way an executable takes: object,
// shared object, opened from memory.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "runtime/abi/Kernel.h"
#include "runtime/base/SharedObject.h"

#include <memory>
#include <string>

/// A kernel named `k`, ready to run.
class CompiledKernel {
public:
  /// Takes the kernels of `module`; null, with a message on the error stream, if anything fails.
  static std::unique_ptr<CompiledKernel> create(mlir::ModuleOp module, int64_t vectorWidth,
                                                const std::string &cpu);
  DlmKernel getFunction() const { return function; }

private:
  std::unique_ptr<dlm::SharedObject> library;
  DlmKernel function = nullptr;
};
