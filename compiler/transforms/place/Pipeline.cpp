// The order of the phase `place`, and its exit verifier.
#include "compiler/transforms/place/Passes.h"

#include "dialects/kernel/Kernel.h"

#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>

namespace dlm::place {

#define GEN_PASS_DEF_VERIFYPLACEPASS
#include "compiler/transforms/place/Passes.h.inc"

namespace {

struct VerifyPlacePass : impl::VerifyPlacePassBase<VerifyPlacePass> {
  void runOnOperation() override;
};

} // namespace

void VerifyPlacePass::runOnOperation() {
  for (mlir::Operation &op : getOperation().getOps()) {
    if (mlir::isa<plan::ArenaOp, plan::BufferOp, plan::ProgramOp, kernel::FuncOp>(op)) continue;
    op.emitOpError("should have been removed by the phase 'place'");
    signalPassFailure();
  }
}

void buildPipeline(mlir::OpPassManager &passes) {
  passes.addPass(createPlaceBuffersPass());
  passes.addPass(createVerifyPlacePass());
}

void registerDlmPlacePasses() {
  registerDlmPlaceStepPasses();
  mlir::PassPipelineRegistration<> pipeline(
      "dlm-place", "give every value its place",
      [](mlir::OpPassManager &passes) { buildPipeline(passes); });
}

} // namespace dlm::place
