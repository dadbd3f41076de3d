// What the types and traits of the ops cannot say. One function per op or attribute; each check
// carries the label of the constraint in the op's description, and a test of that name.
//
// For ops with inferred result types MLIR first runs the inference (DlmInferTypes.cpp) and compares
// the result type with it, so those constraints are already checked when `verify` runs.
#include "dialects/dlm/Dlm.h"

#include "llvm/Support/MathExtras.h"

namespace {

using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

mlir::LogicalResult sameElementType(mlir::Operation *op, mlir::Value a, mlir::Value b,
                                    llvm::StringRef label) {
  auto left = typeOf(a).getElementType(), right = typeOf(b).getElementType();
  if (left == right) return mlir::success();
  return op->emitOpError() << "has element types " << left << " and " << right << " (" << label
                           << ")";
}

} // namespace

namespace dlm {

mlir::LogicalResult TreeAttr::verify(EmitError emitError, int64_t lanes, int64_t chunk) {
  // tree_c1
  if (lanes <= 0 || !llvm::isPowerOf2_64(lanes))
    return emitError() << "lanes = " << lanes << " is not a power of two (tree_c1)";
  // tree_c2
  if (chunk <= 0 || chunk % lanes != 0)
    return emitError() << "chunk = " << chunk << " is not a positive multiple of lanes = " << lanes
                       << " (tree_c2)";
  return mlir::success();
}

mlir::LogicalResult ChainAttr::verify(EmitError emitError, int64_t splits) {
  // chain_c1
  if (splits <= 0) return emitError() << "splits = " << splits << " is not positive (chain_c1)";
  return mlir::success();
}

mlir::LogicalResult CastOp::verify() {
  // cast_c1
  if (typeOf(getX()).getShape() == typeOf(getResult()).getShape()) return mlir::success();
  return emitOpError() << "changes the shape from " << getX().getType() << " to "
                       << getResult().getType() << " (cast_c1)";
}

mlir::LogicalResult BroadcastOp::verify() {
  auto from = typeOf(getX()), to = typeOf(getResult());
  // broadcast_c1
  if (static_cast<int64_t>(getDims().size()) != from.getRank())
    return emitOpError() << "has " << getDims().size() << " dims for an operand of rank "
                         << from.getRank() << " (broadcast_c1)";
  int64_t previous = -1;
  for (auto [index, dim] : llvm::enumerate(getDims())) {
    // broadcast_c2
    if (dim <= previous || dim >= to.getRank())
      return emitOpError() << "has dims [" << getDims() << "] that do not increase within the rank "
                           << to.getRank() << " (broadcast_c2)";
    previous = dim;
    // broadcast_c3
    int64_t size = from.getDimSize(index);
    if (size != 1 && size != to.getDimSize(dim))
      return emitOpError() << "stretches size " << size << " to " << to.getDimSize(dim)
                           << " (broadcast_c3)";
  }
  return sameElementType(*this, getX(), getResult(), "broadcast_c4");
}

mlir::LogicalResult ReshapeOp::verify() {
  int64_t from = typeOf(getX()).getNumElements(), to = typeOf(getResult()).getNumElements();
  // reshape_c1
  if (from != to)
    return emitOpError() << "has " << from << " elements before and " << to
                         << " after (reshape_c1)";
  return sameElementType(*this, getX(), getResult(), "reshape_c2");
}

mlir::LogicalResult IotaOp::verify() {
  int64_t rank = typeOf(getResult()).getRank(), dim = getDim();
  // iota_c1
  if (dim >= 0 && dim < rank) return mlir::success();
  return emitOpError() << "has dim " << dim << " outside of the rank " << rank << " (iota_c1)";
}

mlir::LogicalResult SegmentOp::verify() {
  auto flat = typeOf(getFlat());
  // segment_c1
  if (flat.getRank() != 1)
    return emitOpError() << "takes a flat vector, given rank " << flat.getRank() << " (segment_c1)";
  // segment_c2
  int64_t offset = getOffset(), count = typeOf(getResult()).getNumElements();
  if (offset < 0 || offset > flat.getNumElements() - count)
    return emitOpError() << "takes " << count << " elements at " << offset << " of "
                         << flat.getNumElements() << " (segment_c2)";
  return sameElementType(*this, getFlat(), getResult(), "segment_c3");
}

mlir::LogicalResult PackOp::verify() {
  // pack_c1
  if (getOffsets().size() != getParts().size())
    return emitOpError() << "has " << getOffsets().size() << " offsets for " << getParts().size()
                         << " parts (pack_c1)";
  auto flat = typeOf(getResult());
  // pack_c3
  if (flat.getRank() != 1)
    return emitOpError() << "gives a flat vector, not rank " << flat.getRank() << " (pack_c3)";
  int64_t end = 0;
  for (auto [part, offset] : llvm::zip_equal(getParts(), getOffsets())) {
    int64_t count = typeOf(part).getNumElements();
    // pack_c2
    if (offset < end || offset > flat.getNumElements() - count)
      return emitOpError() << "puts " << count << " elements at " << offset << ", after " << end
                           << " and within " << flat.getNumElements() << " (pack_c2)";
    end = offset + count;
    if (mlir::failed(sameElementType(*this, part, getResult(), "pack_c4"))) return mlir::failure();
  }
  return mlir::success();
}

} // namespace dlm
