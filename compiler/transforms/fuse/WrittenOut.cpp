// Which ops are written out, and how much of them at once.
#include "compiler/transforms/fuse/WrittenOut.h"

using namespace mlir;

namespace dlm::fuse {

/// Places of a window that are written out in one kernel.
static constexpr int64_t PlaceMax = 32;
/// Elements of a reduction that is written out: one chain, as its tree has it.
static constexpr int64_t ElementMax = 64;

static int64_t product(ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

bool isWrittenOut(Operation *op) {
  if (isa<OverlapAddOp>(op)) return true;
  auto reduce = dyn_cast<ReduceOp>(op);
  TreeAttr tree = reduce ? reduce.getTreeAttr() : TreeAttr();
  if (!tree || tree.getLanes() != 1 || reduce.getDims().empty()) return false;
  auto shape = cast<RankedTensorType>(reduce.getX().getType()).getShape();
  int64_t elements = 1;
  for (int64_t dim : reduce.getDims())
    elements *= shape[dim];
  // Over leading dims it is a walk down columns, which any number of rows shares.
  bool isLeading = product(shape.take_front(reduce.getDims().front())) == 1;
  return !isLeading && elements > 0 && elements <= std::min(ElementMax, tree.getChunk());
}

void forEachIndex(ArrayRef<int64_t> sizes, function_ref<void(ArrayRef<int64_t>)> visit) {
  SmallVector<int64_t> index(sizes.size());
  for (int64_t number = 0, count = product(sizes); number < count; ++number) {
    int64_t rest = number;
    for (size_t dim = sizes.size(); dim-- > 0; rest /= sizes[dim])
      index[dim] = rest % sizes[dim];
    visit(index);
  }
}

/// The elements of `op` that stand at one place of their windows.
static Value placeOf(OpBuilder &builder, OverlapAddOp op, ArrayRef<int64_t> place) {
  auto type = cast<RankedTensorType>(op.getX().getType());
  int64_t first = op.getDim() + int64_t(place.size());
  SmallVector<int64_t> shape(type.getShape()), begins(shape.size(), 0);
  for (auto [number, begin] : llvm::enumerate(place)) {
    shape[first + number] = 1;
    begins[first + number] = begin;
  }
  return SliceOp::create(builder, op.getLoc(), type.clone(shape), op.getX(),
                         builder.getDenseI64ArrayAttr(begins));
}

static void split(OverlapAddOp op) {
  OpBuilder builder(op);
  Value sum;
  forEachIndex(op.getWindow(), [&](ArrayRef<int64_t> place) {
    // The place's own distance from the window's beginning moves into `low`.
    SmallVector<int64_t> low(op.getLow());
    for (size_t dim = 0; dim < low.size(); ++dim)
      low[dim] -= place[dim] * op.getDilations()[dim];
    Value part =
        OverlapAddOp::create(builder, op.getLoc(), op.getType(), placeOf(builder, op, place),
                             op.getDim(), op.getStrides(), op.getDilations(), low);
    sum = sum ? Value(AddOp::create(builder, op.getLoc(), sum, part)) : part;
  });
  op.getResult().replaceAllUsesWith(sum);
  op.erase();
}

void splitLargeWindows(Block &block) {
  for (OverlapAddOp op : llvm::to_vector(block.getOps<OverlapAddOp>()))
    if (product(op.getWindow()) > PlaceMax) split(op);
}

} // namespace dlm::fuse
