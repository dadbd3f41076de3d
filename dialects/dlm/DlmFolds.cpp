// Folders. Only identities that keep every bit stand here, because they run after `pin` too:
//
//   x + (-0.0) = x      (x + 0.0 is not: it turns -0.0 into 0.0)
//   x - 0.0 = x,  x * 1.0 = x,  x / 1.0 = x,  and the same with integer 0 and 1
//   a move that moves nothing, a move of a move, a move undone
//
// x * 0 = 0 is wrong for NaN and infinity, x - x = 0 too; reassociation changes bits.
#include "dialects/dlm/Dlm.h"

#include "llvm/ADT/Sequence.h"

namespace {

/// True if `attr` is a splat of exactly `value`; for floats also of the same sign of zero.
bool isSplatOf(mlir::Attribute attr, double value) {
  auto dense = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(attr);
  if (!dense || !dense.isSplat()) return false;
  if (mlir::isa<mlir::FloatType>(dense.getElementType())) {
    llvm::APFloat found = dense.getSplatValue<llvm::APFloat>();
    bool losesInfo = false;
    found.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    return found.bitwiseIsEqual(llvm::APFloat(value));
  }
  return dense.getSplatValue<llvm::APInt>().getSExtValue() == static_cast<int64_t>(value);
}

bool isIdentityPermutation(llvm::ArrayRef<int64_t> permutation) {
  return llvm::equal(permutation, llvm::seq<int64_t>(0, permutation.size()));
}

} // namespace

namespace dlm {

mlir::OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

mlir::OpFoldResult AddOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), -0.0)) return getLhs();
  if (isSplatOf(adaptor.getLhs(), -0.0)) return getRhs();
  return {};
}

mlir::OpFoldResult SubOp::fold(FoldAdaptor adaptor) {
  return isSplatOf(adaptor.getRhs(), 0.0) ? mlir::OpFoldResult(getLhs()) : nullptr;
}

mlir::OpFoldResult MulOp::fold(FoldAdaptor adaptor) {
  if (isSplatOf(adaptor.getRhs(), 1.0)) return getLhs();
  if (isSplatOf(adaptor.getLhs(), 1.0)) return getRhs();
  return {};
}

mlir::OpFoldResult DivOp::fold(FoldAdaptor adaptor) {
  return isSplatOf(adaptor.getRhs(), 1.0) ? mlir::OpFoldResult(getLhs()) : nullptr;
}

mlir::OpFoldResult NotOp::fold(FoldAdaptor) {
  if (auto inner = getX().getDefiningOp<NotOp>()) return inner.getX();
  return {};
}

mlir::OpFoldResult SelectOp::fold(FoldAdaptor adaptor) {
  if (getOnTrue() == getOnFalse()) return getOnTrue();
  auto condition = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getCondition());
  if (!condition || !condition.isSplat()) return {};
  return condition.getSplatValue<bool>() ? getOnTrue() : getOnFalse();
}

mlir::OpFoldResult CastOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? mlir::OpFoldResult(getX()) : nullptr;
}

mlir::OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType()) return getX(); // equal rank: the dims can only be identity
  auto constant = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getX());
  if (constant && constant.isSplat())
    return constant.resizeSplat(mlir::cast<mlir::ShapedType>(getType()));
  return {};
}

mlir::OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType()) return getX();
  if (auto inner = getX().getDefiningOp<ReshapeOp>()) {
    if (inner.getX().getType() == getType()) return inner.getX();
    getXMutable().assign(inner.getX()); // reshape(reshape x) = reshape x
    return getResult();
  }
  if (auto constant = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getX()))
    return constant.reshape(mlir::cast<mlir::ShapedType>(getType()));
  return {};
}

bool TransposeOp::swapsLastTwo() {
  llvm::SmallVector<int64_t> order(getPermutation());
  if (order.size() < 2) return false;
  std::swap(order[order.size() - 2], order.back());
  return isIdentityPermutation(order);
}

mlir::OpFoldResult TransposeOp::fold(FoldAdaptor adaptor) {
  if (isIdentityPermutation(getPermutation())) return getX();
  auto constant = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getX());
  if (constant && constant.isSplat())
    return constant.resizeSplat(mlir::cast<mlir::ShapedType>(getType()));
  auto inner = getX().getDefiningOp<TransposeOp>();
  if (!inner) return {};
  // Dimension i of the result is dimension inner[permutation[i]] of the innermost operand.
  llvm::SmallVector<int64_t> composed;
  for (int64_t dim : getPermutation())
    composed.push_back(inner.getPermutation()[dim]);
  setPermutation(composed);
  getXMutable().assign(inner.getX());
  return getResult();
}

// A part that is the whole, a width of 0, nothing to turn around, one part alone.

mlir::OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  if (getX().getType() == getType()) return getX();
  auto constant = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getX());
  if (constant && constant.isSplat())
    return constant.resizeSplat(mlir::cast<mlir::ShapedType>(getType()));
  auto inner = getX().getDefiningOp<SliceOp>();
  if (!inner) return {};
  llvm::SmallVector<int64_t> begins; // a part of a part is a part
  for (auto [own, other] : llvm::zip_equal(getBegins(), inner.getBegins()))
    begins.push_back(own + other);
  setBegins(begins);
  getXMutable().assign(inner.getX());
  return getResult();
}

mlir::OpFoldResult PadOp::fold(FoldAdaptor) {
  return getX().getType() == getType() ? mlir::OpFoldResult(getX()) : nullptr;
}

mlir::OpFoldResult FlipOp::fold(FoldAdaptor adaptor) {
  if (auto inner = getX().getDefiningOp<FlipOp>())
    if (inner.getDims() == getDims()) return inner.getX();
  auto constant = mlir::dyn_cast_if_present<mlir::DenseElementsAttr>(adaptor.getX());
  if (constant && constant.isSplat()) return constant;
  auto type = mlir::cast<mlir::RankedTensorType>(getType());
  bool moves = llvm::any_of(getDims(), [&](int64_t dim) { return type.getDimSize(dim) > 1; });
  return moves ? nullptr : mlir::OpFoldResult(getX());
}

mlir::OpFoldResult ConcatOp::fold(FoldAdaptor) {
  return getParts().size() == 1 ? mlir::OpFoldResult(getParts()[0]) : nullptr;
}

mlir::OpFoldResult ReduceOp::fold(FoldAdaptor) {
  // One element: -0.0 + x = x, and the same for the other identities.
  return getDims().empty() ? mlir::OpFoldResult(getX()) : nullptr;
}

mlir::OpFoldResult SegmentOp::fold(FoldAdaptor) {
  if (getFlat().getType() == getType()) return getFlat();
  auto pack = getFlat().getDefiningOp<PackOp>();
  if (!pack) return {};
  for (auto [part, offset] : llvm::zip_equal(pack.getParts(), pack.getOffsets()))
    if (static_cast<uint64_t>(offset) == getOffset() && part.getType() == getType()) return part;
  return {};
}

} // namespace dlm
