// The order of the phase `simplify`: folders and dead code, equal computations merged, then what
// loops need not carry, then moves; merging once more, because moves that were different may have
// become equal.
#include "compiler/transforms/simplify/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

namespace dlm::simplify {

void buildPipeline(mlir::OpPassManager &passes) {
  mlir::OpPassManager &functions = passes.nest<mlir::func::FuncOp>();
  functions.addPass(mlir::createCanonicalizerPass());
  functions.addPass(mlir::createCSEPass());
  functions.addPass(createFoldScansPass());
  functions.addPass(createFoldMovesPass());
  functions.addPass(mlir::createCSEPass());
}

void registerDlmSimplifyPasses() {
  registerDlmSimplifyStepPasses();
  auto build = [](mlir::OpPassManager &passes) { buildPipeline(passes); };
  mlir::PassPipelineRegistration<> pipeline("dlm-simplify", "fewer ops, the same bits", build);
}

} // namespace dlm::simplify
