// A stop_gradient is the identity; only the reverse walk tells it from its operand. Once that is
// done it would stand between values that are equal and ops that could be merged.
#include "compiler/transforms/expand/Passes.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_ELIDESTOPGRADIENTSPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

struct ElideStopGradients : impl::ElideStopGradientsPassBase<ElideStopGradients> {
  void runOnOperation() override;
};

void ElideStopGradients::runOnOperation() {
  llvm::SmallVector<StopGradientOp> marks;
  getOperation().walk([&](StopGradientOp op) { marks.push_back(op); });
  for (StopGradientOp op : marks) {
    op.replaceAllUsesWith(op->getOperand(0));
    op.erase();
  }
}

} // namespace
} // namespace dlm::expand
