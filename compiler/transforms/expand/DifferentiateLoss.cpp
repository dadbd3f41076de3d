// From the loss of one micro-batch to its gradient. Parameters are the segments of the argument
// `params`; the walk itself is Autodiff.cpp. A parameter the loss does not depend on contributes
// nothing to the pack, whose gaps are zero. No result depends on how many terms the loss has:
// each is seeded with one, which is the gradient of their sum.
#include "compiler/transforms/expand/Autodiff.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_DIFFERENTIATELOSSPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

struct DifferentiateLoss : impl::DifferentiateLossPassBase<DifferentiateLoss> {
  void runOnOperation() override;
};

/// The parameters: segments of `flat` in the order of their offsets.
llvm::SmallVector<SegmentOp> segmentsOf(mlir::Value flat) {
  llvm::SmallVector<SegmentOp> segments;
  for (mlir::Operation *user : flat.getUsers())
    if (auto segment = mlir::dyn_cast<SegmentOp>(user)) segments.push_back(segment);
  llvm::sort(segments, [](SegmentOp a, SegmentOp b) { return a.getOffset() < b.getOffset(); });
  return segments;
}

/// One flat tensor of the gradients that exist, each at its parameter's offset.
mlir::Value packGradients(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
                          llvm::MutableArrayRef<SegmentOp> segments,
                          llvm::ArrayRef<mlir::Value> gradients) {
  llvm::SmallVector<mlir::Value> parts;
  llvm::SmallVector<int64_t> offsets;
  for (auto [segment, gradient] : llvm::zip_equal(segments, gradients)) {
    if (!gradient) continue;
    parts.push_back(gradient);
    offsets.push_back(int64_t(segment.getOffset()));
  }
  return PackOp::create(builder, loc, type, parts, offsets);
}

void DifferentiateLoss::runOnOperation() {
  mlir::func::FuncOp function = getOperation();
  if (Program::kind(function) != "grad") return;
  Program program(function);
  std::vector<NamedResult> results = program.results();
  llvm::SmallVector<mlir::Value> losses;
  for (const NamedResult &result : results)
    if (llvm::StringRef(result.first).starts_with("loss.")) losses.push_back(result.second);

  mlir::Value flat = program.findArgument("params");
  if (!flat) {
    function.emitError("the loss depends on no parameter");
    return signalPassFailure();
  }
  llvm::SmallVector<SegmentOp> segments = segmentsOf(flat);
  llvm::SmallVector<mlir::Value> inputs(segments.begin(), segments.end());
  auto gradients = buildGradients(program.builder(), losses, inputs);
  if (failed(gradients)) return signalPassFailure();
  results.emplace_back("grads", packGradients(program.builder(), function.getLoc(), flat.getType(),
                                              segments, *gradients));
  program.setResults(results);
}

} // namespace
} // namespace dlm::expand
