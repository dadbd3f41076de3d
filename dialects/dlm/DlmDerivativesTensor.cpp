// Gradients of ops that move, reduce or contract. The linear ones are their own transposes:
// broadcast <-> sum, reshape <-> reshape back, segment <-> pack.
#include "dialects/dlm/Dlm.h"
#include "dialects/dlm/GradientExpression.h"

namespace dlm {

using Grads = llvm::SmallVectorImpl<mlir::Value>;
using mlir::LogicalResult;
using mlir::OpBuilder;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::ValueRange;

namespace {

bool holdsFloats(Value value) {
  return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value.getType()));
}

/// Spreads a reduced value over the dimensions that `dims` removed from `like`.
Value spread(OpBuilder &b, mlir::Location loc, Value reduced, llvm::ArrayRef<int64_t> dims,
             RankedTensorType like) {
  llvm::SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < like.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim)) kept.push_back(dim);
  auto type = like.clone(mlir::cast<RankedTensorType>(reduced.getType()).getElementType());
  return BroadcastOp::create(b, loc, type, reduced, kept);
}

/// The number of each element within its group of `dims`, in row-major order.
Expr numberInGroup(OpBuilder &b, mlir::Location loc, llvm::ArrayRef<int64_t> dims,
                   RankedTensorType like) {
  auto type = like.clone(b.getI32Type());
  Expr number(b, loc, ConstantOp::create(b, loc, type, 0));
  for (auto [index, dim] : llvm::enumerate(dims)) {
    Expr place(b, loc, IotaOp::create(b, loc, type, dim));
    number = index == 0 ? place : number * double(like.getDimSize(dim)) + place;
  }
  return number;
}

} // namespace

LogicalResult BroadcastOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!holdsFloats(grads[0])) return out.push_back({}), mlir::success();
  auto from = mlir::cast<RankedTensorType>(getX().getType());
  auto to = mlir::cast<RankedTensorType>(getType());
  llvm::SmallVector<int64_t> summed; // dimensions of the result along which x was repeated
  for (int64_t dim = 0, rank = to.getRank(); dim < rank; ++dim) {
    auto *found = llvm::find(getDims(), dim);
    bool repeats = found == getDims().end() ||
                   from.getDimSize(found - getDims().begin()) != to.getDimSize(dim);
    if (repeats) summed.push_back(dim);
  }
  Value sum = grads[0];
  if (!summed.empty())
    sum = ReduceOp::create(b, getLoc(), ReduceKind::Add, grads[0], summed, TreeAttr());
  if (sum.getType() != from) sum = ReshapeOp::create(b, getLoc(), from, sum);
  out.push_back(sum);
  return mlir::success();
}

LogicalResult ReshapeOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!holdsFloats(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(ReshapeOp::create(b, getLoc(), getX().getType(), grads[0]));
  return mlir::success();
}

LogicalResult FenceOp::buildGradient(OpBuilder &, ValueRange grads, Grads &out) {
  out.assign(getNumOperands(), Value());
  if (holdsFloats(grads[0])) out[0] = grads[0];
  return mlir::success();
}

LogicalResult TransposeOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!holdsFloats(grads[0])) return out.push_back({}), mlir::success();
  llvm::SmallVector<int64_t> inverse(getPermutation().size());
  for (auto [to, from] : llvm::enumerate(getPermutation()))
    inverse[from] = to;
  out.push_back(TransposeOp::create(b, getLoc(), grads[0], inverse));
  return mlir::success();
}

/// `g` where the first element of its group stands that attains the extreme value; 0 elsewhere.
static Value gradientToFirst(OpBuilder &b, ReduceOp op, Expr g, Value attains) {
  auto type = mlir::cast<RankedTensorType>(op.getX().getType());
  int64_t count = 1;
  for (int64_t dim : op.getDims())
    count *= type.getDimSize(dim);
  Expr number = numberInGroup(b, op.getLoc(), op.getDims(), type);
  Value candidates = select(attains, number, number.constant(double(count)));
  Value first =
      ReduceOp::create(b, op.getLoc(), ReduceKind::Min, candidates, op.getDims(), TreeAttr());
  Expr chosen(b, op.getLoc(), spread(b, op.getLoc(), first, op.getDims(), type));
  return select(number == chosen, g, g.constant(0));
}

LogicalResult ReduceOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!holdsFloats(grads[0])) return out.push_back({}), mlir::success();
  auto type = mlir::cast<RankedTensorType>(getX().getType());
  Expr g(b, getLoc(), spread(b, getLoc(), grads[0], getDims(), type));
  if (getKind() == ReduceKind::Add) return out.push_back(g), mlir::success();

  // max, min: split evenly among the elements that attain the extreme value. After a NaN nothing
  // equals it: the count is 0, and the gradient 0 / 0 = NaN shows what happened. `toFirst` gives
  // such a window nothing: its result is NaN, which the loss shows.
  Expr x(b, getLoc(), getX());
  Expr extreme(b, getLoc(), spread(b, getLoc(), getResult(), getDims(), type));
  if (getToFirst())
    return out.push_back(gradientToFirst(b, *this, g, x == extreme)), mlir::success();
  Expr attains = Expr(b, getLoc(), select(x == extreme, x.constant(1), x.constant(0)));
  Value count = ReduceOp::create(b, getLoc(), ReduceKind::Add, attains, getDims(), TreeAttr());
  Expr share(b, getLoc(), spread(b, getLoc(), count, getDims(), type));
  out.push_back(attains * g / share);
  return mlir::success();
}

// With A, B as they enter the product and G the gradient of A B: dA = G B^T, dB = A^T G; if the
// operand stood transposed, its gradient is the transpose of that, which swaps the factors.
LogicalResult MatmulOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Value g = grads[0], lhs = getLhs(), rhs = getRhs();
  bool tl = getTransposeLhs(), tr = getTransposeRhs();
  auto product = [&](Value left, bool transposeLeft, Value right, bool transposeRight) -> Value {
    return MatmulOp::create(b, getLoc(), left, right, transposeLeft, transposeRight, ChainAttr());
  };
  out.push_back(tl ? product(rhs, tr, g, true) : product(g, false, rhs, !tr));
  out.push_back(tr ? product(g, true, lhs, tl) : product(lhs, !tl, g, false));
  return mlir::success();
}

LogicalResult SegmentOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!holdsFloats(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(PackOp::create(b, getLoc(), getFlat().getType(), grads,
                               llvm::ArrayRef<int64_t>{static_cast<int64_t>(getOffset())}));
  return mlir::success();
}

LogicalResult PackOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  for (auto [part, offset] : llvm::zip_equal(getParts(), getOffsets())) {
    if (holdsFloats(part))
      out.push_back(SegmentOp::create(b, getLoc(), part.getType(), grads[0], offset));
    else
      out.push_back({});
  }
  return mlir::success();
}

llvm::StringRef ArgmaxOp::getZeroGradientReason() { return "gives an index"; }
llvm::StringRef ConstantOp::getZeroGradientReason() { return "has no operand"; }
llvm::StringRef IotaOp::getZeroGradientReason() { return "has no operand"; }
llvm::StringRef RandomOp::getZeroGradientReason() { return "depends on integers only"; }

} // namespace dlm
