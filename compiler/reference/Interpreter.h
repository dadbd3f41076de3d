// The oracle: evaluates a function of tensor ops the slow and obvious way. Generated code must give
// the same bits as mode F32; mode F64 tells how accurate those are.
#pragma once

#include "compiler/reference/Tensor.h"
#include "runtime/base/Status.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace kernel {
class FuncOp;
}

namespace dlm::reference {

enum class Mode {
  F32, // every rounding, tree, chain and elementary function as the program says
  F64, // floats are doubles, libm, plain order: trees, chains and roundings are ignored
};

/// Runs `func` on `arguments`, in order, and returns its results. The body holds ops of the `dlm`
/// dialect, or `kernel.launch` and `kernel.contract` and views. In mode F64 float arguments may be
/// F32 or F64 and float results are F64. Fails when an argument does not fit its type.
Expected<std::vector<Tensor>> interpret(mlir::func::FuncOp func, llvm::ArrayRef<Tensor> arguments,
                                        Mode mode);

/// Runs one kernel on its inputs; `extent` stands for `?` in its space and shapes. Returns its
/// outputs, in the kernel's own shapes.
Expected<std::vector<Tensor>> interpretKernel(kernel::FuncOp func, int64_t extent,
                                              llvm::ArrayRef<Tensor> inputs, Mode mode);

/// The name a tool matches argument `index` by: its attribute `dlm.buffer`, else "argN".
std::string argumentName(mlir::func::FuncOp func, unsigned index);

/// The same for results: `dlm.buffer`, else "resultN".
std::string resultName(mlir::func::FuncOp func, unsigned index);

} // namespace dlm::reference
