// The exit verifier of the phase `fuse`.
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

void VerifyFusePass::runOnOperation() {
  getOperation().walk([&](func::FuncOp function) {
    for (Operation &op : function.getOps()) {
      bool allowed =
          isa<kernel::LaunchOp, kernel::ContractOp, ReshapeOp, SegmentOp, PackOp, func::ReturnOp>(
              op);
      if (!allowed) {
        op.emitOpError("should have been removed by the phase 'fuse'");
        signalPassFailure();
      }
    }
  });
}

} // namespace dlm::fuse
