// Lets a derivative read like its formula: values of the `dlm` dialect with arithmetic operators.
// Each operator builds one op at the builder's insertion point. Used by derivatives only.
#pragma once

#include "dialects/dlm/Dlm.h"

namespace dlm {

/// A value together with where the next op goes. Operands of an operator have the same type.
class Expr {
public:
  Expr(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value value)
      : builder(&builder), loc(loc), value(value) {}

  operator mlir::Value() const { return value; }
  bool isFloat() const {
    return mlir::isa<mlir::FloatType>(mlir::getElementTypeOrSelf(value.getType()));
  }

  /// A splat of this value's type.
  Expr constant(double number) const {
    auto type = mlir::cast<mlir::RankedTensorType>(value.getType());
    return at(ConstantOp::create(*builder, loc, type, number));
  }

  Expr operator-() const { return at(NegOp::create(*builder, loc, value)); }
  Expr operator+(Expr rhs) const { return at(AddOp::create(*builder, loc, value, rhs.value)); }
  Expr operator-(Expr rhs) const { return at(SubOp::create(*builder, loc, value, rhs.value)); }
  Expr operator*(Expr rhs) const { return at(MulOp::create(*builder, loc, value, rhs.value)); }
  Expr operator/(Expr rhs) const { return at(DivOp::create(*builder, loc, value, rhs.value)); }
  Expr operator*(double factor) const { return *this * constant(factor); }
  Expr operator>(Expr rhs) const { return compare(CompareKind::Gt, rhs); }
  Expr operator==(Expr rhs) const { return compare(CompareKind::Eq, rhs); }

  Expr exp() const { return at(ExpOp::create(*builder, loc, value)); }
  Expr log() const { return at(LogOp::create(*builder, loc, value)); }
  Expr sin() const { return at(SinOp::create(*builder, loc, value)); }
  Expr cos() const { return at(CosOp::create(*builder, loc, value)); }
  Expr sign() const { return at(SignOp::create(*builder, loc, value)); }
  Expr pow(Expr rhs) const { return at(PowOp::create(*builder, loc, value, rhs.value)); }

  friend Expr select(mlir::Value condition, Expr onTrue, Expr onFalse) {
    return onTrue.at(
        SelectOp::create(*onTrue.builder, onTrue.loc, condition, onTrue.value, onFalse.value));
  }

private:
  Expr at(mlir::Value result) const { return Expr(*builder, loc, result); }
  Expr compare(CompareKind kind, Expr rhs) const {
    return at(CompareOp::create(*builder, loc, kind, value, rhs.value));
  }

  mlir::OpBuilder *builder;
  mlir::Location loc;
  mlir::Value value;
};

/// Appends the gradient that `formula` builds, or none if `g` is not a float (integers carry none).
template <typename Formula>
mlir::LogicalResult oneGradient(llvm::SmallVectorImpl<mlir::Value> &out, Expr g, Formula formula) {
  out.push_back(g.isFloat() ? mlir::Value(formula()) : mlir::Value());
  return mlir::success();
}

/// The same for two operands.
template <typename Lhs, typename Rhs>
mlir::LogicalResult twoGradients(llvm::SmallVectorImpl<mlir::Value> &out, Expr g, Lhs lhs,
                                 Rhs rhs) {
  (void)oneGradient(out, g, lhs);
  return oneGradient(out, g, rhs);
}

} // namespace dlm
