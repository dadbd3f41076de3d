// Text of one kernel to a function that can be called, by the way an executable takes: object,
// shared object, opened from memory.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "runtime/abi/Kernel.h"

#include <memory>
#include <string>

/// A kernel named `k`, ready to run.
class CompiledKernel {
public:
  /// Takes the kernels of `module`; null, with a message on the error stream, if anything fails.
  static std::unique_ptr<CompiledKernel> create(mlir::ModuleOp module, int64_t vectorWidth,
                                                const std::string &cpu);
  ~CompiledKernel();
  DlmKernel getFunction() const { return function; }

private:
  void *library = nullptr;
  DlmKernel function = nullptr;
};
