// Orders follow from shapes alone: no vector width, thread, block or target takes part, so all of
// those may change later without changing a bit. 128 lanes and chunks of 2,048 for what lies
// together in memory; one chain a column and chunks of 64 for what does not; one chain for each
// element of a product until a table from (M, N, K) to splits is fixed.
#include "compiler/transforms/pin/Passes.h"
#include "compiler/transforms/pin/ReductionGroup.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::pin {
#define GEN_PASS_DEF_ASSIGNORDERSPASS
#include "compiler/transforms/pin/Passes.h.inc"
} // namespace dlm::pin

namespace dlm::pin {
namespace {

struct AssignOrders : impl::AssignOrdersPassBase<AssignOrders> {
  void runOnOperation() override;
};

void AssignOrders::runOnOperation() {
  mlir::MLIRContext *context = &getContext();
  auto innerTree = TreeAttr::get(context, 128, 2048);
  auto outerTree = TreeAttr::get(context, 1, 64);
  auto chain = ChainAttr::get(context, 1);
  getOperation().walk([&](ReduceOp reduce) {
    if (reduce.getTree()) return;
    auto type = mlir::cast<mlir::RankedTensorType>(reduce.getX().getType());
    reduce.setTreeAttr(isInner(reduce.getDims(), type.getRank()) ? innerTree : outerTree);
  });
  getOperation().walk([&](MatmulOp product) {
    if (!product.getChain()) product.setChainAttr(chain);
  });
}

} // namespace
} // namespace dlm::pin
