// The order of the phase `fuse`.
#include "compiler/transforms/fuse/Passes.h"

#include <mlir/Pass/PassManager.h>
#include <mlir/Pass/PassRegistry.h>

namespace dlm::fuse {

void buildPipeline(mlir::OpPassManager &passes) {
  passes.addPass(createFuseKernelsPass());
  passes.addPass(createVerifyFusePass());
}

void registerDlmFusePasses() {
  registerDlmFuseStepPasses();
  mlir::PassPipelineRegistration<> pipeline(
      "dlm-fuse", "put every op into a kernel",
      [](mlir::OpPassManager &passes) { buildPipeline(passes); });
}

} // namespace dlm::fuse
