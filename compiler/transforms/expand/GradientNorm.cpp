#include "compiler/transforms/expand/GradientNorm.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

using mlir::RankedTensorType;
using mlir::Value;

Value gradientNorm(mlir::OpBuilder &build, mlir::Location loc, Value gradient) {
  Value square = MulOp::create(build, loc, gradient, gradient);
  Value sum =
      ReduceOp::create(build, loc, ReduceKind::Add, square, llvm::ArrayRef<int64_t>{0}, TreeAttr());
  return SqrtOp::create(build, loc, sum);
}

Value shortened(mlir::OpBuilder &build, mlir::Location loc, Value gradient, double limit) {
  auto scalar = RankedTensorType::get({}, build.getF32Type());
  Value most = ConstantOp::create(build, loc, scalar, limit);
  Value one = ConstantOp::create(build, loc, scalar, 1.0);
  Value norm = gradientNorm(build, loc, gradient);
  Value isLong = CompareOp::create(build, loc, CompareKind::Gt, norm, most);
  Value share = DivOp::create(build, loc, most, norm);
  Value factor = SelectOp::create(build, loc, isLong, share, one);
  factor = BroadcastOp::create(build, loc, gradient.getType(), factor, llvm::ArrayRef<int64_t>{});
  return MulOp::create(build, loc, gradient, factor);
}

} // namespace dlm::expand
