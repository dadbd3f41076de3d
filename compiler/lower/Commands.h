// The commands that a program declares: their graphs as `train.command`, and what the executable
// has to know of their flags and results.
#pragma once

#include "compiler/lower/Places.h"
#include "compiler/sema/TypedProgram.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace dlm::lower {

/// Appends a `train.command` for each command, and one for `fn predict`, with a batch of `rows`.
mlir::LogicalResult lowerCommands(const sema::TypedProgram &program, mlir::OpBuilder &build,
                                  const Places &places, int64_t rows);

/// `[{name, doc, program, arguments, tests, results}]`, for the policy.
mlir::ArrayAttr commandList(const sema::TypedProgram &program, mlir::MLIRContext &context);

/// `[{argument, op, bound, message}]`.
mlir::ArrayAttr testList(const std::vector<sema::CommandTest> &tests, mlir::MLIRContext &context);

} // namespace dlm::lower
