// Computes what a test expects, by the reference interpreter: the same bits as an executable.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/reference/Tensor.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"
#include "runtime/base/Status.h"

#include "mlir/IR/MLIRContext.h"

#include <map>
#include <string>

namespace dlm {

/// The results of the test's graph, by name. Parameters start from seed 1. Fails where the graph
/// holds something that nothing computes, and where it is too much work, which is reported; the
/// message says what.
Expected<std::map<std::string, reference::Tensor>> evaluateTest(const sema::TypedTest &test,
                                                                mlir::MLIRContext &context,
                                                                const SourceManager &sources,
                                                                DiagnosticEngine &diagnostics);

} // namespace dlm
