// A step is k runs of `grad`, each of which adds to what is there. The accumulators start at -0.0,
// the exact identity of addition, so the first run needs no variant of its own.
//
// A pack of gradients is accumulated part by part: an addition to the whole flat tensor would be a
// sweep over memory of its own, while an addition to a segment can join the kernel that computes
// the gradient. It stands right behind that, so that what the gradient is made of need not wait for
// the end. Gaps need none: they are zero in every pack.
//
// What goes to `last.*` is the same in each run of a step, and is left as the last one gave it.
#include "compiler/transforms/expand/Passes.h"
#include "compiler/transforms/expand/Program.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {
#define GEN_PASS_DEF_ACCUMULATEGRADIENTSPASS
#include "compiler/transforms/expand/Passes.h.inc"
} // namespace dlm::expand

namespace dlm::expand {
namespace {

struct AccumulateGradients : impl::AccumulateGradientsPassBase<AccumulateGradients> {
  void runOnOperation() override;
};

/// `old` plus the pack, part by part.
mlir::Value accumulatePack(mlir::OpBuilder &builder, mlir::Value old, PackOp pack) {
  llvm::SmallVector<mlir::Value> sums;
  for (auto [part, offset] : llvm::zip_equal(pack.getParts(), pack.getOffsets())) {
    mlir::OpBuilder::InsertionGuard guard(builder);
    if (part.getDefiningOp()) builder.setInsertionPointAfter(part.getDefiningOp());
    mlir::Location loc = part.getLoc();
    mlir::Value before = SegmentOp::create(builder, loc, part.getType(), old, offset);
    sums.push_back(AddOp::create(builder, loc, before, part));
  }
  return PackOp::create(builder, pack.getLoc(), pack.getType(), sums, pack.getOffsets());
}

void AccumulateGradients::runOnOperation() {
  mlir::func::FuncOp function = getOperation();
  if (!Program::isGrad(function)) return;
  Program program(function);
  std::vector<NamedResult> results = program.results();
  for (NamedResult &result : results) {
    if (llvm::StringRef(result.first).starts_with("last.")) continue;
    mlir::Value value = result.second;
    mlir::Value old = program.argument(result.first, value.getType());
    auto pack = value.getDefiningOp<PackOp>();
    result.second = pack ? accumulatePack(program.builder(), old, pack)
                         : AddOp::create(program.builder(), value.getLoc(), old, value);
    if (pack && pack->use_empty()) pack->erase();
  }
  program.setResults(results);
}

} // namespace
} // namespace dlm::expand
