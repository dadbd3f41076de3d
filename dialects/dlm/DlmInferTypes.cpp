// Result types of the ops whose operands and attributes determine them. What does not fit is
// refused here with the label of the broken constraint, so builders and the parser report alike.
#include "dialects/dlm/Dlm.h"

namespace {

using Types = llvm::SmallVectorImpl<mlir::Type>;
using OptionalLoc = std::optional<mlir::Location>;

mlir::RankedTensorType tensorOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

} // namespace

namespace dlm {

mlir::LogicalResult TransposeOp::inferReturnTypes(mlir::MLIRContext *, OptionalLoc loc,
                                                  Adaptor adaptor, Types &types) {
  auto type = tensorOf(adaptor.getX());
  auto permutation = adaptor.getPermutation();
  // transpose_c1
  llvm::SmallVector<bool> seen(type.getRank());
  bool valid = static_cast<int64_t>(permutation.size()) == type.getRank();
  for (int64_t dim : permutation) {
    valid = valid && dim >= 0 && dim < type.getRank() && !seen[dim];
    if (!valid) break;
    seen[dim] = true;
  }
  if (!valid)
    return mlir::emitOptionalError(loc, "permutation [", permutation,
                                   "] is not one of the dimensions 0 to ", type.getRank() - 1,
                                   " (transpose_c1)");
  llvm::SmallVector<int64_t> shape;
  for (int64_t dim : permutation)
    shape.push_back(type.getDimSize(dim));
  types.push_back(type.clone(shape));
  return mlir::success();
}

mlir::LogicalResult ReduceOp::inferReturnTypes(mlir::MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor, Types &types) {
  auto type = tensorOf(adaptor.getX());
  auto dims = adaptor.getDims();
  // reduce_c1
  int64_t previous = -1;
  for (int64_t dim : dims) {
    if (dim <= previous || dim >= type.getRank())
      return mlir::emitOptionalError(loc, "dims [", dims, "] do not increase within the rank ",
                                     type.getRank(), " (reduce_c1)");
    previous = dim;
  }
  llvm::SmallVector<int64_t> shape;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (!llvm::is_contained(dims, dim)) shape.push_back(type.getDimSize(dim));
  types.push_back(type.clone(shape));
  return mlir::success();
}

mlir::LogicalResult ArgmaxOp::inferReturnTypes(mlir::MLIRContext *context, OptionalLoc loc,
                                               Adaptor adaptor, Types &types) {
  auto type = tensorOf(adaptor.getX());
  int64_t dim = adaptor.getDim();
  // argmax_c1
  if (dim < 0 || dim >= type.getRank())
    return mlir::emitOptionalError(loc, "dim ", dim, " lies outside of the rank ", type.getRank(),
                                   " (argmax_c1)");
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape.erase(shape.begin() + dim);
  types.push_back(mlir::RankedTensorType::get(shape, mlir::IntegerType::get(context, 32)));
  return mlir::success();
}

mlir::LogicalResult MatmulOp::inferReturnTypes(mlir::MLIRContext *, OptionalLoc loc,
                                               Adaptor adaptor, Types &types) {
  auto lhs = tensorOf(adaptor.getLhs());
  auto rhs = tensorOf(adaptor.getRhs());
  // matmul_c1
  int64_t rank = lhs.getRank();
  if (rank < 2 || rhs.getRank() != rank)
    return mlir::emitOptionalError(loc, "has operands of rank ", rank, " and ", rhs.getRank(),
                                   ", needs one rank of at least 2 (matmul_c1)");
  // matmul_c5
  llvm::ArrayRef<int64_t> leading = lhs.getShape().drop_back(2);
  if (leading != rhs.getShape().drop_back(2))
    return mlir::emitOptionalError(loc, "multiplies ", lhs, " and ", rhs,
                                   ", which differ before the last two dims (matmul_c5)");
  // matmul_c2
  int64_t lhsSize = lhs.getDimSize(rank - (adaptor.getTransposeLhs() ? 2 : 1));
  int64_t rhsSize = rhs.getDimSize(rank - (adaptor.getTransposeRhs() ? 1 : 2));
  if (lhsSize != rhsSize)
    return mlir::emitOptionalError(loc, "contracts sizes ", lhsSize, " and ", rhsSize,
                                   " (matmul_c2)");
  llvm::SmallVector<int64_t> shape(leading);
  shape.push_back(lhs.getDimSize(rank - (adaptor.getTransposeLhs() ? 1 : 2)));
  shape.push_back(rhs.getDimSize(rank - (adaptor.getTransposeRhs() ? 2 : 1)));
  types.push_back(lhs.clone(shape));
  return mlir::success();
}

} // namespace dlm
