// Gradients of what stands over all samples, for `grad` inside of a loss or metric: there a sum
// over samples is differentiated at each of them, before it is cut into micro-batches or parts of
// an evaluation. What is built has the same meaning: of all samples.
#include "dialects/dlm/GradientExpression.h"
#include "dialects/train/Train.h"

namespace dlm::train {

using Grads = llvm::SmallVectorImpl<mlir::Value>;
using mlir::LogicalResult;
using mlir::OpBuilder;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::ValueRange;

static bool isReal(Value value) { return mlir::getElementTypeOrSelf(value.getType()).isF32(); }

/// A reduced value at each of the elements that it was made of.
static Value stretched(OpBuilder &b, BatchReduceOp op, Value reduced) {
  auto type = mlir::cast<RankedTensorType>(op.getOperand().getType());
  llvm::SmallVector<int64_t> kept;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(op.getDims(), dim)) kept.push_back(dim);
  return BroadcastOp::create(b, op.getLoc(), type, reduced, kept);
}

/// As `dlm.reduce`: an extreme value is shared evenly among those that attain it.
LogicalResult BatchReduceOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!isReal(grads[0])) return out.push_back({}), mlir::success();
  Expr g(b, getLoc(), stretched(b, *this, grads[0]));
  if (getKind() == ReduceKind::Add) return out.push_back(g), mlir::success();
  Expr x(b, getLoc(), getOperand()), extreme(b, getLoc(), stretched(b, *this, getResult()));
  Expr attains = select(x == extreme, x.constant(1), x.constant(0));
  Value count = BatchReduceOp::create(b, getLoc(), getType(), ReduceKind::Add, attains, getDims());
  out.push_back(attains * g / Expr(b, getLoc(), stretched(b, *this, count)));
  return mlir::success();
}

/// A part of the value is counted in each micro-batch, and so is that part of its gradient.
LogicalResult ShareOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  out.push_back(ShareOp::create(b, getLoc(), getType(), grads[0]));
  return mlir::success();
}

} // namespace dlm::train
