// The exit verifier of the phase `fuse`.
#include "compiler/transforms/fuse/LoopBodies.h"
#include "compiler/transforms/fuse/Passes.h"
#include "dialects/dlm/Dlm.h"

#include <mlir/Dialect/Func/IR/FuncOps.h>

using namespace mlir;

namespace dlm::fuse {

#define GEN_PASS_DEF_VERIFYFUSEPASS
#include "compiler/transforms/fuse/Passes.h.inc"

namespace {

struct VerifyFusePass : impl::VerifyFusePassBase<VerifyFusePass> {
  void runOnOperation() override;
};

} // namespace

static LogicalResult verifyBlock(Block &block, unsigned depth) {
  for (Operation &op : block) {
    if (auto loop = dyn_cast<ScanOp>(op)) {
      if (!loop.getTripNumber().use_empty())
        return op.emitOpError("reads the number of its trip after the phase 'fuse'");
      if (depth == LoopDepthMax)
        return op.emitOpError("stands in more loops than a plan can have after the phase 'fuse'");
      if (failed(verifyBlock(*loop.getBody(), depth + 1))) return failure();
      continue;
    }
    if (!isa<kernel::LaunchOp, kernel::ContractOp, ReshapeOp, SegmentOp, PackOp, YieldOp,
             func::ReturnOp>(op))
      return op.emitOpError("should have been removed by the phase 'fuse'");
  }
  return success();
}

void VerifyFusePass::runOnOperation() {
  for (func::FuncOp function : getOperation().getOps<func::FuncOp>())
    if (!function.isExternal() && failed(verifyBlock(function.getBody().front(), 0)))
      signalPassFailure();
}

} // namespace dlm::fuse
