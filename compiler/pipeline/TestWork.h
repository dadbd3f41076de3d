// How much a test may ask of the interpreter, which is counted before it runs: nobody wants to wait
// for an hour, or to lose the machine's memory, because of a size.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/sema/TypedProgram.h"

#include "mlir/IR/BuiltinOps.h"

namespace dlm {

/// An element that is read or written is a step, and so are 64 multiply-adds of a product: each
/// takes the interpreter some 10 to 30 ns, and an element stays in memory to the end of the test.
constexpr uint64_t testStepsMax = 500'000'000;

/// The reason, if the functions of a test take more steps than it may: then it is reported where
/// most of them are.
std::string whyTooMuchWork(mlir::ModuleOp functions, const sema::TypedTest &test,
                           const SourceManager &sources, DiagnosticEngine &diagnostics);

} // namespace dlm
