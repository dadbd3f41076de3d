// Checks of the ops that take parts of tensors, join them, or choose elements by index. Each
// carries the label of the constraint in the op's description, and has a test of that name.
#include "dialects/dlm/Dlm.h"

namespace {

mlir::RankedTensorType tensorTypeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

mlir::LogicalResult sameElements(mlir::Operation *op, mlir::Value a, mlir::Value b,
                                 llvm::StringRef label) {
  auto left = tensorTypeOf(a).getElementType(), right = tensorTypeOf(b).getElementType();
  if (left == right) return mlir::success();
  return op->emitOpError() << "has element types " << left << " and " << right << " (" << label
                           << ")";
}

/// slice_c1, pad_c1: one entry a dim, and as many dims before and after.
mlir::LogicalResult sameRank(mlir::Operation *op, mlir::Value x, mlir::Value result,
                             llvm::ArrayRef<int64_t> entries, llvm::StringRef label) {
  int64_t from = tensorTypeOf(x).getRank(), to = tensorTypeOf(result).getRank();
  if (from == to && static_cast<int64_t>(entries.size()) == to) return mlir::success();
  return op->emitOpError() << "has " << entries.size() << " entries for ranks " << from << " and "
                           << to << " (" << label << ")";
}

/// The first dim whose part of `inner`, from `begins` on, does not lie within `outer`; or -1.
int64_t dimOutside(mlir::RankedTensorType inner, llvm::ArrayRef<int64_t> begins,
                   mlir::RankedTensorType outer) {
  for (int64_t dim = 0; dim < inner.getRank(); ++dim)
    if (begins[dim] < 0 || begins[dim] > outer.getDimSize(dim) - inner.getDimSize(dim)) return dim;
  return -1;
}

} // namespace

namespace dlm {

mlir::LogicalResult SliceOp::verify() {
  if (mlir::failed(sameRank(*this, getX(), getResult(), getBegins(), "slice_c1")))
    return mlir::failure();
  auto from = tensorTypeOf(getX()), to = tensorTypeOf(getResult());
  int64_t outside = dimOutside(to, getBegins(), from);
  if (outside >= 0) // slice_c2
    return emitOpError() << "takes " << to.getDimSize(outside) << " at " << getBegins()[outside]
                         << " of " << from.getDimSize(outside) << " (slice_c2)";
  return sameElements(*this, getX(), getResult(), "slice_c3");
}

mlir::LogicalResult PadOp::verify() {
  if (mlir::failed(sameRank(*this, getX(), getResult(), getLow(), "pad_c1")))
    return mlir::failure();
  auto from = tensorTypeOf(getX()), to = tensorTypeOf(getResult());
  int64_t outside = dimOutside(from, getLow(), to);
  if (outside >= 0) // pad_c2
    return emitOpError() << "puts " << from.getDimSize(outside) << " at " << getLow()[outside]
                         << " of " << to.getDimSize(outside) << " (pad_c2)";
  return sameElements(*this, getX(), getResult(), "pad_c3");
}

mlir::LogicalResult FlipOp::verify() {
  int64_t previous = -1, rank = tensorTypeOf(getX()).getRank();
  for (int64_t dim : getDims()) {
    if (dim <= previous || dim >= rank) // flip_c1
      return emitOpError() << "has dims [" << getDims() << "] that do not increase within the rank "
                           << rank << " (flip_c1)";
    previous = dim;
  }
  return mlir::success();
}

mlir::LogicalResult ConcatOp::verify() {
  auto to = tensorTypeOf(getResult());
  int64_t dim = getDim(), sum = 0;
  bool fits = !getParts().empty() && dim >= 0 && dim < to.getRank();
  for (mlir::Value part : getParts())
    fits = fits && tensorTypeOf(part).getRank() == to.getRank();
  if (!fits) // concat_c1
    return emitOpError() << "joins " << getParts().size() << " parts along dim " << dim << " of "
                         << to << " (concat_c1)";
  for (mlir::Value part : getParts()) {
    auto type = tensorTypeOf(part);
    for (int64_t other = 0; other < to.getRank(); ++other)
      if (other != dim && type.getDimSize(other) != to.getDimSize(other)) // concat_c2
        return emitOpError() << "puts " << type << " into " << to << " (concat_c2)";
    sum += type.getDimSize(dim);
    if (mlir::failed(sameElements(*this, part, getResult(), "concat_c4"))) return mlir::failure();
  }
  if (sum != to.getDimSize(dim)) // concat_c3
    return emitOpError() << "has parts of " << sum << " in all for " << to.getDimSize(dim)
                         << " (concat_c3)";
  return mlir::success();
}

mlir::LogicalResult GatherOp::verify() {
  auto from = tensorTypeOf(getX()), ids = tensorTypeOf(getIds()), to = tensorTypeOf(getResult());
  int64_t dim = getDim();
  if (dim < 0 || dim >= from.getRank()) // gather_c1
    return emitOpError() << "has dim " << dim << " outside of the rank " << from.getRank()
                         << " (gather_c1)";
  if (ids.getRank() < dim ||
      ids.getShape().take_front(dim) != from.getShape().take_front(dim)) // gather_c2
    return emitOpError() << "takes from " << from << " by " << ids << " (gather_c2)";
  llvm::SmallVector<int64_t> shape(ids.getShape());
  llvm::append_range(shape, from.getShape().drop_front(dim + 1));
  if (to.getShape() != llvm::ArrayRef<int64_t>(shape)) // gather_c3
    return emitOpError() << "gives " << to << ", not the shape [" << shape << "] (gather_c3)";
  return sameElements(*this, getX(), getResult(), "gather_c4");
}

mlir::LogicalResult ScatterAddOp::verify() {
  auto from = tensorTypeOf(getX()), ids = tensorTypeOf(getIds()), to = tensorTypeOf(getResult());
  int64_t dim = getDim();
  if (dim < 0 || dim > ids.getRank() || dim >= to.getRank()) // scatter_add_c1
    return emitOpError() << "has dim " << dim << " outside of the ranks " << ids.getRank()
                         << " and " << to.getRank() << " (scatter_add_c1)";
  if (from.getRank() < ids.getRank() ||
      from.getShape().take_front(ids.getRank()) != ids.getShape() ||
      ids.getShape().take_front(dim) != to.getShape().take_front(dim)) // scatter_add_c2
    return emitOpError() << "adds " << from << " to " << to << " by " << ids << " (scatter_add_c2)";
  if (from.getShape().drop_front(ids.getRank()) !=
      to.getShape().drop_front(dim + 1)) // scatter_add_c3
    return emitOpError() << "adds " << from << " to " << to << " by " << ids << " (scatter_add_c3)";
  return mlir::success();
}

} // namespace dlm
