// Gradients of elementwise ops. `g` is the gradient of the result, `y` the result, `x` the operand;
// each line is the formula. A gradient may use the result (y) where that saves a recomputation.
#include "dialects/dlm/Dlm.h"
#include "dialects/dlm/GradientExpression.h"

#include <cmath>

namespace dlm {

using Grads = llvm::SmallVectorImpl<mlir::Value>;
using mlir::LogicalResult;
using mlir::OpBuilder;
using mlir::ValueRange;

// One operand.

LogicalResult NegOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]);
  return oneGradient(out, g, [&] { return -g; });
}

LogicalResult AbsOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  return oneGradient(out, g, [&] { return g * x.sign(); }); // sign(0) = 0: the subgradient 0
}

LogicalResult ExpOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), y(b, getLoc(), getResult());
  return oneGradient(out, g, [&] { return g * y; });
}

LogicalResult LogOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  return oneGradient(out, g, [&] { return g / x; });
}

LogicalResult SqrtOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), y(b, getLoc(), getResult());
  return oneGradient(out, g, [&] { return g * 0.5 / y; });
}

LogicalResult RsqrtOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX()), y(b, getLoc(), getResult());
  return oneGradient(out, g, [&] { return g * -0.5 * y / x; }); // -1/2 x^(-3/2) = -1/2 y / x
}

LogicalResult TanhOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), y(b, getLoc(), getResult());
  return oneGradient(out, g, [&] { return g * (y.constant(1) - y * y); });
}

LogicalResult ErfOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  double scale = 2 / std::sqrt(M_PI);
  return oneGradient(out, g, [&] { return g * scale * (-(x * x)).exp(); });
}

LogicalResult SinOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  return oneGradient(out, g, [&] { return g * x.cos(); });
}

LogicalResult CosOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  return oneGradient(out, g, [&] { return g * -x.sin(); });
}

LogicalResult ReluOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getX());
  return oneGradient(out, g, [&] { return select(x > x.constant(0), g, g.constant(0)); });
}

// Two operands.

LogicalResult AddOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]);
  return twoGradients(out, g, [&] { return g; }, [&] { return g; });
}

LogicalResult SubOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]);
  return twoGradients(out, g, [&] { return g; }, [&] { return -g; });
}

LogicalResult MulOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), lhs(b, getLoc(), getLhs()), rhs(b, getLoc(), getRhs());
  return twoGradients(out, g, [&] { return g * rhs; }, [&] { return g * lhs; });
}

LogicalResult DivOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), rhs(b, getLoc(), getRhs()), y(b, getLoc(), getResult());
  return twoGradients(out, g, [&] { return g / rhs; }, [&] { return -(g / rhs * y); });
}

// Where the operands are equal each receives half, as for an n-way maximum.
LogicalResult MaxOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), lhs(b, getLoc(), getLhs()), rhs(b, getLoc(), getRhs());
  auto share = [&](Expr mine, Expr other) {
    return select(mine > other, g, select(mine == other, g * 0.5, g.constant(0)));
  };
  return twoGradients(out, g, [&] { return share(lhs, rhs); }, [&] { return share(rhs, lhs); });
}

LogicalResult MinOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), lhs(b, getLoc(), getLhs()), rhs(b, getLoc(), getRhs());
  auto share = [&](Expr mine, Expr other) {
    return select(other > mine, g, select(mine == other, g * 0.5, g.constant(0)));
  };
  return twoGradients(out, g, [&] { return share(lhs, rhs); }, [&] { return share(rhs, lhs); });
}

// d/dx x^p = p x^(p-1);  d/dp x^p = x^p ln x, and 0 where x = 0 (ln 0 is infinite, 0^p is flat).
LogicalResult PowOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  Expr g(b, getLoc(), grads[0]), x(b, getLoc(), getLhs()), p(b, getLoc(), getRhs());
  Expr y(b, getLoc(), getResult());
  return twoGradients(
      out, g, [&] { return g * p * x.pow(p - p.constant(1)); },
      [&] { return select(x == x.constant(0), g.constant(0), g * y * x.log()); });
}

// Selection and conversion.

LogicalResult SelectOp::buildGradient(OpBuilder &b, ValueRange grads, Grads &out) {
  out.push_back({}); // the condition
  Expr g(b, getLoc(), grads[0]);
  return twoGradients(
      out, g, [&] { return select(getCondition(), g, g.constant(0)); },
      [&] { return select(getCondition(), g.constant(0), g); });
}

LogicalResult CastOp::buildGradient(OpBuilder &, ValueRange grads, Grads &out) {
  // f32 is the only float, so a cast between floats is the identity; integers carry no gradient.
  out.push_back(getX().getType() == getType() ? grads[0] : mlir::Value());
  return mlir::success();
}

// Piecewise constant or without a float result.

llvm::StringRef FloorOp::getZeroGradientReason() { return "is piecewise constant"; }
llvm::StringRef CeilOp::getZeroGradientReason() { return "is piecewise constant"; }
llvm::StringRef RoundOp::getZeroGradientReason() { return "is piecewise constant"; }
llvm::StringRef SignOp::getZeroGradientReason() { return "is piecewise constant"; }
llvm::StringRef CompareOp::getZeroGradientReason() { return "gives a bool"; }
llvm::StringRef AndOp::getZeroGradientReason() { return "gives a bool"; }
llvm::StringRef OrOp::getZeroGradientReason() { return "gives a bool"; }
llvm::StringRef NotOp::getZeroGradientReason() { return "gives a bool"; }
llvm::StringRef StopGradientOp::getZeroGradientReason() { return "stops the gradient by request"; }

} // namespace dlm
