// From the loss of one micro-batch to its gradient. Parameters are the segments of the arguments
// `params` and `params.N`; the walk itself is Autodiff.cpp. A parameter the loss does not depend on
// contributes nothing to the pack, whose gaps are zero. Those in `params.held` never change. No
// result depends on how many terms the loss has: each is seeded with one, which is the gradient of
// their sum.
#include "compiler/transforms/expand/Autodiff.h"
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"
#include "compiler/transforms/expand/Recompute.h"

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
mlir::Value packGradients(mlir::OpBuilder &builder, mlir::Value flat,
                          llvm::ArrayRef<SegmentOp> segments,
                          llvm::ArrayRef<mlir::Value> gradients) {
  llvm::SmallVector<mlir::Value> parts;
  llvm::SmallVector<int64_t> offsets;
  for (auto [segment, gradient] : llvm::zip_equal(segments, gradients)) {
    if (!gradient) continue;
    parts.push_back(gradient);
    offsets.push_back(int64_t(SegmentOp(segment).getOffset()));
  }
  mlir::Location loc = builder.getInsertionBlock()->getParentOp()->getLoc();
  return PackOp::create(builder, loc, flat.getType(), parts, offsets);
}

/// The buffers of gradients, by the arguments that hold the parameters: of one of several updates
/// those that it changes.
std::vector<std::pair<std::string, mlir::Value>> trainedFlats(Program &program) {
  auto trained = program.function()->getAttrOfType<mlir::ArrayAttr>("dlm.trained");
  std::vector<std::pair<std::string, mlir::Value>> flats;
  for (mlir::BlockArgument argument : program.function().getArguments()) {
    llvm::StringRef name = program.bufferOf(argument);
    if (trained && !llvm::is_contained(trained.getAsValueRange<mlir::StringAttr>(), name)) continue;
    bool isFlat = name.consume_front("params") && (name.empty() || name.starts_with("."));
    if (isFlat && name != ".held") flats.emplace_back(("grads" + name).str(), argument);
  }
  program.function()->removeAttr("dlm.trained");
  llvm::sort(flats, [](auto &a, auto &b) { return a.first < b.first; });
  return flats;
}

void DifferentiateLoss::runOnOperation() {
  mlir::func::FuncOp function = getOperation();
  if (!Program::isGrad(function)) return;
  Program program(function);
  std::vector<NamedResult> results = program.results();
  llvm::SmallVector<mlir::Value> losses;
  for (const NamedResult &result : results)
    if (llvm::StringRef(result.first).starts_with("loss.")) losses.push_back(result.second);

  std::vector<std::pair<std::string, mlir::Value>> flats = trainedFlats(program);
  if (flats.empty()) {
    function.emitError("the loss depends on no parameter");
    return signalPassFailure();
  }
  llvm::SmallVector<mlir::Value> inputs;
  for (const auto &[name, flat] : flats)
    llvm::append_range(inputs, segmentsOf(flat));
  auto gradients = buildGradients(program.builder(), losses, inputs);
  if (failed(gradients)) return signalPassFailure();
  function.walk([](mlir::Operation *op) { op->removeAttr(RecomputeAttr); });
  results = program.results(); // a loop that keeps its states gives them now
  llvm::ArrayRef<mlir::Value> rest = *gradients;
  for (const auto &[name, flat] : flats) {
    llvm::SmallVector<SegmentOp> segments = segmentsOf(flat);
    results.emplace_back(
        name, packGradients(program.builder(), flat, segments, rest.take_front(segments.size())));
    rest = rest.drop_front(segments.size());
  }
  program.setResults(results);
}

} // namespace
} // namespace dlm::expand
