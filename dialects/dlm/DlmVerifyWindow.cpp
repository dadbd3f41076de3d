// Checks of windows and of the sum that undoes them, which agree on how sizes relate. Each carries
// the label of the constraint in the op's description, and has a test of that name.
#include "dialects/dlm/Dlm.h"

using mlir::LogicalResult;
using mlir::RankedTensorType;
using mlir::Value;

namespace {

RankedTensorType typeOfTensor(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

/// C1 to C3 of both: `whole` is what windows move over, `parts` what is seen through them.
template <class Op>
LogicalResult verifyWindows(Op op, RankedTensorType whole, RankedTensorType parts,
                            llvm::StringRef name) {
  size_t count = op.getStrides().size();
  bool isComplete = count > 0 && op.getDilations().size() == count && op.getLow().size() == count;
  auto isPositive = [](int64_t number) { return number > 0; };
  if (!isComplete || !llvm::all_of(op.getStrides(), isPositive) ||
      !llvm::all_of(op.getDilations(), isPositive)) // windows_c1, overlap_add_c1
    return op.emitOpError() << "has strides [" << op.getStrides() << "], dilations ["
                            << op.getDilations() << "] and low [" << op.getLow() << "] (" << name
                            << "_c1)";
  int64_t first = op.getDim(), end = first + int64_t(count);
  if (first < 0 || end > whole.getRank()) // windows_c2, overlap_add_c2
    return op.emitOpError() << "moves over " << count << " dims from " << first << " on of "
                            << whole << " (" << name << "_c2)";
  llvm::ArrayRef<int64_t> from = whole.getShape(), to = parts.getShape();
  bool fits = to.size() == from.size() + count && to.take_front(first) == from.take_front(first) &&
              to.drop_front(end + int64_t(count)) == from.drop_front(end);
  if (!fits) // windows_c3, overlap_add_c3
    return op.emitOpError() << "sees " << whole << " as " << parts << " (" << name << "_c3)";
  return mlir::success();
}

} // namespace

namespace dlm {

LogicalResult WindowsOp::verify() {
  auto whole = typeOfTensor(getX()), parts = typeOfTensor(getResult());
  if (mlir::failed(verifyWindows(*this, whole, parts, "windows"))) return mlir::failure();
  if (whole.getElementType() == parts.getElementType()) return mlir::success();
  return emitOpError() << "has element types " << whole.getElementType() << " and "
                       << parts.getElementType() << " (windows_c4)";
}

LogicalResult OverlapAddOp::verify() {
  return verifyWindows(*this, typeOfTensor(getResult()), typeOfTensor(getX()), "overlap_add");
}

llvm::SmallVector<int64_t> OverlapAddOp::getWindow() {
  size_t count = getStrides().size();
  return llvm::SmallVector<int64_t>(
      typeOfTensor(getX()).getShape().slice(getDim() + int64_t(count), count));
}

} // namespace dlm
