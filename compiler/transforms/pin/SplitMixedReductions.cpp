// A reduction over trailing and other dims at once becomes two: first over the trailing run, which
// lies together in memory, then over the rest of a much smaller result. max and min do not care;
// for add this chooses the order, which is why it happens here and nowhere else.
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/pin/ReductionGroup.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::pin {
#define GEN_PASS_DEF_SPLITMIXEDREDUCTIONSPASS
#include "compiler/transforms/pin/Passes.h.inc"
} // namespace dlm::pin

namespace dlm::pin {
namespace {

struct SplitMixedReductions : impl::SplitMixedReductionsPassBase<SplitMixedReductions> {
  void runOnOperation() override;
};

int64_t operandRank(ReduceOp reduce) {
  return mlir::cast<mlir::RankedTensorType>(reduce.getX().getType()).getRank();
}

void split(ReduceOp reduce) {
  llvm::ArrayRef<int64_t> dims = reduce.getDims();
  size_t inner = trailingCount(dims, operandRank(reduce));
  mlir::OpBuilder build(reduce);
  auto first = ReduceOp::create(build, reduce.getLoc(), reduce.getKind(), reduce.getX(),
                                dims.take_back(inner), TreeAttr());
  auto second = ReduceOp::create(build, reduce.getLoc(), reduce.getKind(), first,
                                 dims.drop_back(inner), TreeAttr());
  reduce.replaceAllUsesWith(second.getResult());
  reduce.erase();
}

void SplitMixedReductions::runOnOperation() {
  llvm::SmallVector<ReduceOp> mixed;
  getOperation().walk([&](ReduceOp reduce) {
    if (isMixed(reduce.getDims(), operandRank(reduce))) mixed.push_back(reduce);
  });
  for (ReduceOp reduce : mixed)
    split(reduce);
}

} // namespace
} // namespace dlm::pin
