// The order of the phase `expand`. Merging common subexpressions between the steps is not an
// optimisation: equal batch reductions must share an accumulator, and the gradient walk should
// meet each computation once.
#include "compiler/transforms/expand/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace dlm::expand {

void buildPipeline(mlir::OpPassManager &passes) {
  passes.addPass(createInstantiateProgramsPass());
  passes.addNestedPass<mlir::func::FuncOp>(mlir::createCSEPass());
  passes.addNestedPass<mlir::func::FuncOp>(createDifferentiateLossPass());
  passes.addNestedPass<mlir::func::FuncOp>(createAccumulateGradientsPass());
  passes.addPass(createGuardUpdatePass());
  passes.addPass(createAccumulateMetricsPass());
  passes.addNestedPass<mlir::func::FuncOp>(createElideStopGradientsPass());
  passes.addPass(createVerifyExpandPass());
}

void registerDlmExpandPasses() {
  registerDlmExpandStepPasses();
  auto build = [](mlir::OpPassManager &passes) { buildPipeline(passes); };
  mlir::PassPipelineRegistration<> pipeline(
      "dlm-expand", "turn a declared run into programs with gradients", build);
}

} // namespace dlm::expand
