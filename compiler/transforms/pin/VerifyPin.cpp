// The promise of the phase, checked: see the pass's description.
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/pin/ReductionGroup.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::pin {
#define GEN_PASS_DEF_VERIFYPINPASS
#include "compiler/transforms/pin/Passes.h.inc"
} // namespace dlm::pin

namespace dlm::pin {
namespace {

struct VerifyPin : impl::VerifyPinPassBase<VerifyPin> {
  void runOnOperation() override;
};

mlir::LogicalResult verifyReduce(ReduceOp reduce) {
  int64_t rank = mlir::cast<mlir::RankedTensorType>(reduce.getX().getType()).getRank();
  if (!reduce.getTree()) return reduce.emitOpError("has no tree after pin");
  if (isMixed(reduce.getDims(), rank))
    return reduce.emitOpError("reduces trailing and other dims at once after pin");
  return mlir::success();
}

void VerifyPin::runOnOperation() {
  auto result = getOperation().walk([](mlir::Operation *op) {
    if (auto reduce = mlir::dyn_cast<ReduceOp>(op))
      return failed(verifyReduce(reduce)) ? mlir::WalkResult::interrupt()
                                          : mlir::WalkResult::advance();
    auto product = mlir::dyn_cast<MatmulOp>(op);
    if (!product || product.getChain()) return mlir::WalkResult::advance();
    product.emitOpError("has no chain after pin");
    return mlir::WalkResult::interrupt();
  });
  if (result.wasInterrupted()) signalPassFailure();
}

} // namespace
} // namespace dlm::pin
