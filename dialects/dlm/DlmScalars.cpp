// The scalar text of every elementwise op: the one place that says what the op computes. No
// fast-math flags, no contraction; a maximum is two selects so that NaN and signed zeros behave the
// same on every target.
#include "dialects/dlm/Dlm.h"

namespace arith = mlir::arith;
namespace math = mlir::math;
using mlir::Location;
using mlir::OpBuilder;
using mlir::Value;
using mlir::ValueRange;

namespace {

bool isFloat(Value scalar) { return mlir::isa<mlir::FloatType>(scalar.getType()); }

/// A constant of the type of `like`.
Value constantLike(OpBuilder &b, Location loc, Value like, double value) {
  if (auto type = mlir::dyn_cast<mlir::FloatType>(like.getType()))
    return arith::ConstantOp::create(b, loc, b.getFloatAttr(type, value));
  return arith::ConstantOp::create(b, loc,
                                   b.getIntegerAttr(like.getType(), static_cast<int64_t>(value)));
}

/// Ordered floating or signed integer comparison: false wherever NaN takes part.
Value less(OpBuilder &b, Location loc, Value lhs, Value rhs) {
  if (isFloat(lhs)) return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::OLT, lhs, rhs);
  return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::slt, lhs, rhs);
}

/// `first` if it is the better of the two by `isBetter`, else `second`; NaN on either side wins.
Value selectExtreme(OpBuilder &b, Location loc, Value isBetter, Value first, Value second) {
  Value chosen = arith::SelectOp::create(b, loc, isBetter, first, second);
  if (!isFloat(first)) return chosen; // a NaN in `second` is already chosen
  Value isNan = arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, first, first);
  return arith::SelectOp::create(b, loc, isNan, first, chosen);
}

arith::CmpFPredicate floatPredicate(dlm::CompareKind kind) {
  switch (kind) {
  case dlm::CompareKind::Eq:
    return arith::CmpFPredicate::OEQ;
  case dlm::CompareKind::Ne:
    return arith::CmpFPredicate::UNE;
  case dlm::CompareKind::Lt:
    return arith::CmpFPredicate::OLT;
  case dlm::CompareKind::Le:
    return arith::CmpFPredicate::OLE;
  case dlm::CompareKind::Gt:
    return arith::CmpFPredicate::OGT;
  case dlm::CompareKind::Ge:
    return arith::CmpFPredicate::OGE;
  }
  llvm_unreachable("unknown comparison");
}

arith::CmpIPredicate integerPredicate(dlm::CompareKind kind, bool isUnsigned) {
  using P = arith::CmpIPredicate;
  switch (kind) {
  case dlm::CompareKind::Eq:
    return P::eq;
  case dlm::CompareKind::Ne:
    return P::ne;
  case dlm::CompareKind::Lt:
    return isUnsigned ? P::ult : P::slt;
  case dlm::CompareKind::Le:
    return isUnsigned ? P::ule : P::sle;
  case dlm::CompareKind::Gt:
    return isUnsigned ? P::ugt : P::sgt;
  case dlm::CompareKind::Ge:
    return isUnsigned ? P::uge : P::sge;
  }
  llvm_unreachable("unknown comparison");
}

mlir::Type elementOf(Value tensor) {
  return mlir::cast<mlir::RankedTensorType>(tensor.getType()).getElementType();
}

bool countsUnsigned(mlir::Type elementType) {
  return elementType.isUnsignedInteger() || elementType.isInteger(1);
}

/// The conversion of `x`, an element of type `from`, to an element of type `to`.
Value convert(OpBuilder &b, Location loc, Value x, mlir::Type from, mlir::Type to) {
  mlir::Type scalar = dlm::scalarType(to);
  if (from == to) return x;
  bool fromFloat = mlir::isa<mlir::FloatType>(from), toFloat = mlir::isa<mlir::FloatType>(to);
  if (to.isInteger(1)) {
    Value zero = constantLike(b, loc, x, 0);
    if (fromFloat) return arith::CmpFOp::create(b, loc, arith::CmpFPredicate::UNE, x, zero);
    return arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ne, x, zero);
  }
  if (fromFloat) {
    if (to.isUnsignedInteger()) return arith::FPToUIOp::create(b, loc, scalar, x);
    return arith::FPToSIOp::create(b, loc, scalar, x);
  }
  if (toFloat) {
    if (countsUnsigned(from)) return arith::UIToFPOp::create(b, loc, scalar, x);
    return arith::SIToFPOp::create(b, loc, scalar, x);
  }
  unsigned fromWidth = from.getIntOrFloatBitWidth(), toWidth = to.getIntOrFloatBitWidth();
  if (toWidth < fromWidth) return arith::TruncIOp::create(b, loc, scalar, x);
  if (toWidth == fromWidth) return x;
  if (countsUnsigned(from)) return arith::ExtUIOp::create(b, loc, scalar, x);
  return arith::ExtSIOp::create(b, loc, scalar, x);
}

} // namespace

namespace dlm {

// One operand.

Value NegOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return arith::NegFOp::create(b, loc, s[0]);
  return arith::SubIOp::create(b, loc, constantLike(b, loc, s[0], 0), s[0]);
}

Value AbsOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return math::AbsFOp::create(b, loc, s[0]);
  return math::AbsIOp::create(b, loc, s[0]);
}

Value ExpOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::ExpOp::create(b, loc, s[0]);
}

Value LogOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::LogOp::create(b, loc, s[0]);
}

Value SqrtOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::SqrtOp::create(b, loc, s[0]);
}

Value RsqrtOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value root = math::SqrtOp::create(b, loc, s[0]);
  return arith::DivFOp::create(b, loc, constantLike(b, loc, s[0], 1), root);
}

Value TanhOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::TanhOp::create(b, loc, s[0]);
}

Value ErfOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::ErfOp::create(b, loc, s[0]);
}

Value SinOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::SinOp::create(b, loc, s[0]);
}

Value CosOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::CosOp::create(b, loc, s[0]);
}

Value FloorOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::FloorOp::create(b, loc, s[0]);
}

Value CeilOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::CeilOp::create(b, loc, s[0]);
}

Value RoundOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::RoundEvenOp::create(b, loc, s[0]);
}

Value SignOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value zero = constantLike(b, loc, s[0], 0);
  Value isNegative = less(b, loc, s[0], zero);
  Value isPositive = less(b, loc, zero, s[0]);
  Value lower = arith::SelectOp::create(b, loc, isNegative, constantLike(b, loc, s[0], -1), s[0]);
  return arith::SelectOp::create(b, loc, isPositive, constantLike(b, loc, s[0], 1), lower);
}

Value ReluOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value zero = constantLike(b, loc, s[0], 0);
  return arith::SelectOp::create(b, loc, less(b, loc, s[0], zero), zero, s[0]);
}

Value StopGradientOp::buildScalar(OpBuilder &, Location, ValueRange s) { return s[0]; }

// Two operands.

Value AddOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return combineScalars(b, loc, ReduceKind::Add, s[0], s[1]);
}

Value SubOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return arith::SubFOp::create(b, loc, s[0], s[1]);
  return arith::SubIOp::create(b, loc, s[0], s[1]);
}

Value MulOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return arith::MulFOp::create(b, loc, s[0], s[1]);
  return arith::MulIOp::create(b, loc, s[0], s[1]);
}

Value DivOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return arith::DivFOp::create(b, loc, s[0], s[1]);
  return arith::DivSIOp::create(b, loc, s[0], s[1]);
}

Value MaxOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return combineScalars(b, loc, ReduceKind::Max, s[0], s[1]);
}

Value MinOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return combineScalars(b, loc, ReduceKind::Min, s[0], s[1]);
}

Value combineScalars(OpBuilder &b, Location loc, ReduceKind kind, Value left, Value right) {
  switch (kind) {
  case ReduceKind::Add:
    if (isFloat(left)) return arith::AddFOp::create(b, loc, left, right);
    return arith::AddIOp::create(b, loc, left, right);
  case ReduceKind::Max:
    return selectExtreme(b, loc, less(b, loc, right, left), left, right);
  case ReduceKind::Min:
    return selectExtreme(b, loc, less(b, loc, left, right), left, right);
  }
  llvm_unreachable("unknown reduction");
}

Value PowOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return math::PowFOp::create(b, loc, s[0], s[1]);
}

// Logic and conversion.

Value CompareOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  if (isFloat(s[0])) return arith::CmpFOp::create(b, loc, floatPredicate(getKind()), s[0], s[1]);
  bool isUnsigned = countsUnsigned(elementOf(getLhs()));
  return arith::CmpIOp::create(b, loc, integerPredicate(getKind(), isUnsigned), s[0], s[1]);
}

Value AndOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::AndIOp::create(b, loc, s[0], s[1]);
}

Value OrOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::OrIOp::create(b, loc, s[0], s[1]);
}

Value NotOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  Value yes = arith::ConstantOp::create(b, loc, b.getBoolAttr(true));
  return arith::XOrIOp::create(b, loc, s[0], yes);
}

Value SelectOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return arith::SelectOp::create(b, loc, s[0], s[1], s[2]);
}

Value CastOp::buildScalar(OpBuilder &b, Location loc, ValueRange s) {
  return convert(b, loc, s[0], elementOf(getX()), elementOf(getResult()));
}

} // namespace dlm
