#include "compiler/transforms/expand/GradientNorm.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

using mlir::RankedTensorType;
using mlir::Value;

Value gradientNorm(mlir::OpBuilder &build, mlir::Location loc, llvm::ArrayRef<Value> gradients) {
  Value sum;
  for (Value gradient : gradients) {
    Value square = MulOp::create(build, loc, gradient, gradient);
    Value part = ReduceOp::create(build, loc, ReduceKind::Add, square, llvm::ArrayRef<int64_t>{0},
                                  TreeAttr());
    sum = sum ? Value(AddOp::create(build, loc, sum, part)) : part;
  }
  return SqrtOp::create(build, loc, sum);
}

Value shortened(mlir::OpBuilder &build, mlir::Location loc, Value part, Value norm, double limit) {
  auto scalar = RankedTensorType::get({}, build.getF32Type());
  Value most = ConstantOp::create(build, loc, scalar, limit);
  Value one = ConstantOp::create(build, loc, scalar, 1.0);
  Value isLong = CompareOp::create(build, loc, CompareKind::Gt, norm, most);
  Value share = DivOp::create(build, loc, most, norm);
  Value factor = SelectOp::create(build, loc, isLong, share, one);
  factor = BroadcastOp::create(build, loc, part.getType(), factor, llvm::ArrayRef<int64_t>{});
  return MulOp::create(build, loc, part, factor);
}

} // namespace dlm::expand
