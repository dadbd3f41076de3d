// A tree #dlm.tree<lanes = 128, chunk = 2048> over n chunks is: every chunk by itself, then the
// chunk results fold by halving over the next power of two P, padded with the identity. Both halves
// can be said in ops: the chunks are the rows of a [n, 2048] tensor, reduced by the same tree (one
// chunk each). Folding P results by halving is `a[0 .. P/2) + a[P/2 .. P)`, repeated; and from 128
// on it is the fold of the 128 lanes of one more reduction, whose lanes hold one element each (a
// chain of one from the identity leaves every bit as it was). NUMERICS N2 has the definitions.
#include "compiler/transforms/fuse/LongReductions.h"

#include "dialects/dlm/Dlm.h"

#include <llvm/Support/MathExtras.h>

#include <limits>

using namespace mlir;

namespace dlm::fuse {

/// Reductions of fewer chunks stay whole.
static constexpr int64_t ChunkCountMin = 8;

static bool isLong(ReduceOp op) {
  auto type = cast<RankedTensorType>(op.getX().getType());
  TreeAttr tree = op.getTreeAttr();
  bool isWhole = cast<RankedTensorType>(op.getType()).getNumElements() == 1;
  return isWhole && type.getElementType().isF32() && tree && tree.getLanes() > 1 &&
         type.getNumElements() % tree.getChunk() == 0 &&
         type.getNumElements() / tree.getChunk() >= ChunkCountMin;
}

static double identityOf(ReduceKind kind) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  return kind == ReduceKind::Add ? -0.0 : kind == ReduceKind::Max ? -infinity : infinity;
}

static Value combine(OpBuilder &builder, Location loc, ReduceKind kind, Value left, Value right) {
  if (kind == ReduceKind::Add) return AddOp::create(builder, loc, left.getType(), left, right);
  if (kind == ReduceKind::Max) return MaxOp::create(builder, loc, left.getType(), left, right);
  return MinOp::create(builder, loc, left.getType(), left, right);
}

/// Folds `count` partial results by halving until no more than `lanes` are left.
static Value foldToLanes(OpBuilder &builder, ReduceOp op, Value partial, int64_t count) {
  Location loc = op.getLoc();
  Type f32 = builder.getF32Type();
  int64_t size = int64_t(llvm::PowerOf2Ceil(count));
  if (size <= op.getTreeAttr().getLanes()) return partial;
  SmallVector<Value> parts = {partial};
  SmallVector<int64_t> offsets = {0};
  if (size > count) {
    auto padding = RankedTensorType::get({size - count}, f32);
    parts.push_back(ConstantOp::create(builder, loc, padding, identityOf(op.getKind())));
    offsets.push_back(count);
  }
  Value folded = PackOp::create(builder, loc, RankedTensorType::get({size}, f32), parts,
                                builder.getDenseI64ArrayAttr(offsets));
  for (; size > op.getTreeAttr().getLanes(); size /= 2) {
    auto half = RankedTensorType::get({size / 2}, f32);
    auto at = [&](int64_t offset) -> Value {
      return SegmentOp::create(builder, loc, half, folded, builder.getI64IntegerAttr(offset));
    };
    folded = combine(builder, loc, op.getKind(), at(0), at(size / 2));
  }
  return folded;
}

static Value reduceLast(OpBuilder &builder, ReduceOp op, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  auto result = RankedTensorType::get(type.getShape().drop_back(), type.getElementType());
  return ReduceOp::create(builder, op.getLoc(), result, op.getKindAttr(), value,
                          builder.getDenseI64ArrayAttr({type.getRank() - 1}), op.getTreeAttr());
}

void splitLongReductions(Block &block) {
  for (ReduceOp op : llvm::to_vector(block.getOps<ReduceOp>())) {
    if (!isLong(op)) continue;
    OpBuilder builder(op);
    int64_t chunk = op.getTreeAttr().getChunk();
    int64_t count = cast<RankedTensorType>(op.getX().getType()).getNumElements() / chunk;
    Value rows =
        ReshapeOp::create(builder, op.getLoc(), op.getX(), ArrayRef<int64_t>{count, chunk});
    Value partial = foldToLanes(builder, op, reduceLast(builder, op, rows), count);
    Value whole = reduceLast(builder, op, partial);
    if (whole.getType() != op.getType())
      whole = ReshapeOp::create(builder, op.getLoc(), whole,
                                cast<RankedTensorType>(op.getType()).getShape());
    op.getResult().replaceAllUsesWith(whole);
    op.erase();
  }
}

} // namespace dlm::fuse
