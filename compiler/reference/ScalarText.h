// From ops to scalar text: small functions of `arith` and `math` ops, with the elementary functions
// written out in mode F32 and left to libm in mode F64.
#pragma once

#include "compiler/reference/ScalarProgram.h"

#include "mlir/IR/OwningOpRef.h"

namespace dlm::reference {

using BuildScalar = llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::ValueRange)>;

/// Compiles the function from `inputs` to whatever `build` returns.
Expected<ScalarProgram> compileScalars(mlir::Location loc, mlir::TypeRange inputs,
                                       BuildScalar build, Mode mode);

} // namespace dlm::reference
