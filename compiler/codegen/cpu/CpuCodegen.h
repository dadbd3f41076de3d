// Objects for CPUs from modules in the `llvm` dialect.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace dlm {

struct CpuOptions {
  /// `native` or a name LLVM knows, such as `x86-64-v3`.
  std::string cpu = "native";
};

/// The name and features that a CPU option stands for on this machine.
struct CpuTarget {
  std::string name, features;
};
CpuTarget resolveCpu(llvm::StringRef cpu);

/// Compiles to a relocatable object. No instruction is contracted, reassociated or approximated;
/// the exit verifier fails on a module where one could be.
llvm::Expected<std::vector<char>> emitObject(mlir::ModuleOp module, const CpuOptions &options);

/// The same as assembly text, for people and tests.
llvm::Expected<std::vector<char>> emitAssembly(mlir::ModuleOp module, const CpuOptions &options);

} // namespace dlm
