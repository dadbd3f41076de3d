// The promise of the phase, checked: see the pass's description.
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_VERIFYEXPANDPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

struct VerifyExpand : impl::VerifyExpandPassBase<VerifyExpand> {
  void runOnOperation() override;
};

mlir::LogicalResult verifyBuffers(Program program) {
  mlir::func::FuncOp function = program.function();
  for (mlir::BlockArgument argument : function.getArguments())
    if (program.bufferOf(argument).empty())
      return function.emitOpError("has an argument without a buffer after expand");
  for (const NamedResult &result : program.results())
    if (result.first.empty())
      return function.emitOpError("has a result without a buffer after expand");
  return mlir::success();
}

mlir::LogicalResult verifyProgram(mlir::func::FuncOp function) {
  if (Program::kind(function).empty()) return function.emitOpError("is no program after expand");
  mlir::WalkResult walked = function.getBody().walk([](mlir::Operation *op) -> mlir::WalkResult {
    if (mlir::isa_and_nonnull<DlmDialect>(op->getDialect()) || mlir::isa<mlir::func::ReturnOp>(op))
      return mlir::WalkResult::advance();
    return op->emitOpError("is left after expand");
  });
  if (walked.wasInterrupted()) return mlir::failure();
  return verifyBuffers(Program(function));
}

void VerifyExpand::runOnOperation() {
  for (mlir::Operation &op : *getOperation().getBody()) {
    auto function = mlir::dyn_cast<mlir::func::FuncOp>(op);
    if (!function) {
      op.emitOpError("is left after expand");
      return signalPassFailure();
    }
    if (failed(verifyProgram(function))) return signalPassFailure();
  }
}

} // namespace
} // namespace dlm::expand
