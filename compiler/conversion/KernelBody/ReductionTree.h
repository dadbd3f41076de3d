// The order in which a reduction combines, as code: chains from an identity, folds by halving.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace kernel {

/// The value that combining with leaves every bit as it was, as an attribute of a scalar type.
mlir::TypedAttr getIdentity(ReduceKind kind, mlir::Type type);

/// `left` combined with `right`, scalars or vectors; on floats `max` and `min` pass NaN on.
mlir::Value combine(mlir::ImplicitLocOpBuilder &b, ReduceKind kind, mlir::Value left,
                    mlir::Value right);

/// Folds values one by one: given two (as lists of equal length, left one first) gives their like.
using FoldPair = llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::ValueRange left,
                                                                   mlir::ValueRange right)>;

/// A loop over [from, to) by `step` that carries values; the body gives the next ones.
llvm::SmallVector<mlir::Value>
emitLoop(mlir::ImplicitLocOpBuilder &b, mlir::Value from, mlir::Value to, int64_t step,
         mlir::ValueRange carried,
         llvm::function_ref<llvm::SmallVector<mlir::Value>(mlir::Value, mlir::ValueRange)> body);

/// An i64 constant.
mlir::Value emitNumber(mlir::ImplicitLocOpBuilder &b, int64_t value);

} // namespace kernel
