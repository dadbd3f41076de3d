// Gradients of ops that take parts, join, or choose by index. All are linear, and transposes of one
// another: slice <-> pad, concat <-> slices, flip <-> flip, gather <-> scatter_add, windows <->
// overlap_add.
#include "dialects/dlm/Dlm.h"

namespace dlm {

using Grads = llvm::SmallVectorImpl<mlir::Value>;
using mlir::LogicalResult;
using mlir::OpBuilder;
using mlir::RankedTensorType;
using mlir::Value;
using mlir::ValueRange;

static bool isReal(Value value) {
  return mlir::isa<mlir::FloatType>(mlir::cast<RankedTensorType>(value.getType()).getElementType());
}

LogicalResult SliceOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!isReal(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(PadOp::create(b, getLoc(), getX().getType(), grads[0], getBeginsAttr(),
                              b.getF64FloatAttr(0.0)));
  return mlir::success();
}

LogicalResult PadOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!isReal(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(SliceOp::create(b, getLoc(), getX().getType(), grads[0], getLowAttr()));
  return mlir::success();
}

LogicalResult FlipOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!isReal(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(FlipOp::create(b, getLoc(), getType(), grads[0], getDimsAttr()));
  return mlir::success();
}

LogicalResult ConcatOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  int64_t dim = getDim();
  llvm::SmallVector<int64_t> begins(mlir::cast<RankedTensorType>(getType()).getRank(), 0);
  for (Value part : getParts()) {
    bool carries = isReal(part);
    out.push_back(carries ? Value(SliceOp::create(b, getLoc(), part.getType(), grads[0],
                                                  b.getDenseI64ArrayAttr(begins)))
                          : Value());
    begins[dim] += mlir::cast<RankedTensorType>(part.getType()).getDimSize(dim);
  }
  return mlir::success();
}

LogicalResult GatherOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  out.push_back(isReal(grads[0]) ? Value(ScatterAddOp::create(b, getLoc(), getX().getType(),
                                                              grads[0], getIds(), getDimAttr()))
                                 : Value());
  out.push_back({});
  return mlir::success();
}

LogicalResult WindowsOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  if (!isReal(grads[0])) return out.push_back({}), mlir::success();
  out.push_back(OverlapAddOp::create(b, getLoc(), getX().getType(), grads[0], getDimAttr(),
                                     getStridesAttr(), getDilationsAttr(), getLowAttr()));
  return mlir::success();
}

LogicalResult OverlapAddOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  out.push_back(WindowsOp::create(b, getLoc(), getX().getType(), grads[0], getDimAttr(),
                                  getStridesAttr(), getDilationsAttr(), getLowAttr()));
  return mlir::success();
}

LogicalResult ScatterAddOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  out.push_back(GatherOp::create(b, getLoc(), getX().getType(), grads[0], getIds(), getDimAttr()));
  out.push_back({});
  return mlir::success();
}

} // namespace dlm
