// The order of the phase `pin`.
#include "compiler/transforms/pin/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

namespace dlm::pin {

void buildPipeline(mlir::OpPassManager &passes) {
  passes.addNestedPass<mlir::func::FuncOp>(createSplitMixedReductionsPass());
  passes.addNestedPass<mlir::func::FuncOp>(createAssignOrdersPass());
  passes.addNestedPass<mlir::func::FuncOp>(createVerifyPinPass());
}

void registerDlmPinPasses() {
  registerDlmPinStepPasses();
  auto build = [](mlir::OpPassManager &passes) { buildPipeline(passes); };
  mlir::PassPipelineRegistration<> pipeline("dlm-pin", "give every sum its order", build);
}

} // namespace dlm::pin
