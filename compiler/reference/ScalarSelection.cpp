// Which function object implements which scalar op on which types. Mode F64 takes doubles where the
// text says f32; there is no other difference.
#include "compiler/reference/ScalarFunctions.h"
#include "compiler/reference/ScalarProgram.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

namespace dlm::reference {

using namespace scalar;
namespace arith = mlir::arith;
namespace math = mlir::math;

namespace {

/// F on floats: n operands of the mode's float type to one result of the same type.
template <class F, int Operands> ScalarFunction onFloats(Mode mode) {
  if constexpr (Operands == 1)
    return mode == Mode::F32 ? Loop<F, float, float>::run : Loop<F, double, double>::run;
  else if constexpr (Operands == 2)
    return mode == Mode::F32 ? Loop<F, float, float, float>::run
                             : Loop<F, double, double, double>::run;
  else
    return mode == Mode::F32 ? Loop<F, float, float, float, float>::run
                             : Loop<F, double, double, double, double>::run;
}

/// F on two integers of `width` bits; Signed says how F reads them.
template <class F, bool Signed> ScalarFunction onIntegers(unsigned width) {
  using I32 = std::conditional_t<Signed, int32_t, uint32_t>;
  using I64 = std::conditional_t<Signed, int64_t, uint64_t>;
  using I8 = std::conditional_t<Signed, int8_t, uint8_t>;
  switch (width) {
  case 1:
    return Loop<F, uint8_t, uint8_t, uint8_t>::run;
  case 8:
    return Loop<F, I8, I8, I8>::run;
  case 32:
    return Loop<F, I32, I32, I32>::run;
  case 64:
    return Loop<F, I64, I64, I64>::run;
  default:
    return nullptr;
  }
}

template <class F, bool Signed> ScalarFunction compareIntegers(unsigned width) {
  using I32 = std::conditional_t<Signed, int32_t, uint32_t>;
  using I64 = std::conditional_t<Signed, int64_t, uint64_t>;
  using I8 = std::conditional_t<Signed, int8_t, uint8_t>;
  switch (width) {
  case 1:
    return Loop<F, uint8_t, uint8_t, uint8_t>::run;
  case 8:
    return Loop<F, uint8_t, I8, I8>::run;
  case 32:
    return Loop<F, uint8_t, I32, I32>::run;
  case 64:
    return Loop<F, uint8_t, I64, I64>::run;
  default:
    return nullptr;
  }
}

template <class F> ScalarFunction compareFloats(Mode mode) {
  return mode == Mode::F32 ? Loop<F, uint8_t, float, float>::run
                           : Loop<F, uint8_t, double, double>::run;
}

ScalarFunction selectComparison(arith::CmpFOp op, Mode mode) {
  using P = arith::CmpFPredicate;
  switch (op.getPredicate()) {
  case P::OEQ:
    return compareFloats<Eq>(mode);
  case P::OGT:
    return compareFloats<Gt>(mode);
  case P::OGE:
    return compareFloats<Ge>(mode);
  case P::OLT:
    return compareFloats<Lt>(mode);
  case P::OLE:
    return compareFloats<Le>(mode);
  case P::UNE:
    return compareFloats<Ne>(mode);
  case P::ORD:
    return compareFloats<Ordered>(mode);
  case P::UNO:
    return compareFloats<Negated<Ordered>>(mode);
  case P::UGT:
    return compareFloats<Negated<Le>>(mode);
  case P::UGE:
    return compareFloats<Negated<Lt>>(mode);
  case P::ULT:
    return compareFloats<Negated<Ge>>(mode);
  case P::ULE:
    return compareFloats<Negated<Gt>>(mode);
  case P::ONE:
    return compareFloats<OrderedNe>(mode);
  case P::UEQ:
    return compareFloats<Negated<OrderedNe>>(mode);
  default:
    return nullptr; // the two constant predicates
  }
}

ScalarFunction selectIntegerComparison(arith::CmpIOp op) {
  using P = arith::CmpIPredicate;
  unsigned width = op.getLhs().getType().getIntOrFloatBitWidth();
  switch (op.getPredicate()) {
  case P::eq:
    return compareIntegers<Eq, false>(width);
  case P::ne:
    return compareIntegers<Ne, false>(width);
  case P::slt:
    return compareIntegers<Lt, true>(width);
  case P::sle:
    return compareIntegers<Le, true>(width);
  case P::sgt:
    return compareIntegers<Gt, true>(width);
  case P::sge:
    return compareIntegers<Ge, true>(width);
  case P::ult:
    return compareIntegers<Lt, false>(width);
  case P::ule:
    return compareIntegers<Le, false>(width);
  case P::ugt:
    return compareIntegers<Gt, false>(width);
  case P::uge:
    return compareIntegers<Ge, false>(width);
  }
  return nullptr;
}

ScalarFunction selectSelect(arith::SelectOp op, Mode mode) {
  unsigned width = op.getType().getIntOrFloatBitWidth();
  if (mlir::isa<mlir::FloatType>(op.getType()) && mode == Mode::F64) width = 64;
  if (width <= 8) return Loop<Select, uint8_t, uint8_t, uint8_t, uint8_t>::run;
  if (width == 32) return Loop<Select, uint32_t, uint8_t, uint32_t, uint32_t>::run;
  return Loop<Select, uint64_t, uint8_t, uint64_t, uint64_t>::run;
}

/// F from an integer of `width` bits to R.
template <class F, class R, bool Signed> ScalarFunction fromInteger(unsigned width) {
  switch (width) {
  case 1:
    return Loop<F, R, uint8_t>::run;
  case 8:
    return Loop<F, R, std::conditional_t<Signed, int8_t, uint8_t>>::run;
  case 32:
    return Loop<F, R, std::conditional_t<Signed, int32_t, uint32_t>>::run;
  case 64:
    return Loop<F, R, std::conditional_t<Signed, int64_t, uint64_t>>::run;
  default:
    return nullptr;
  }
}

/// Widening and narrowing are the same: read with or without sign, write the low bits.
template <bool Signed> ScalarFunction resizeInteger(unsigned from, unsigned to) {
  switch (to) {
  case 1:
    return fromInteger<LowBit, uint8_t, Signed>(from);
  case 8:
    return fromInteger<Identity, uint8_t, Signed>(from);
  case 32:
    return fromInteger<Identity, uint32_t, Signed>(from);
  case 64:
    return fromInteger<Identity, uint64_t, Signed>(from);
  default:
    return nullptr;
  }
}

template <class I> ScalarFunction floatTo(Mode mode) {
  return mode == Mode::F32 ? Loop<ToInteger<I>, I, float>::run : Loop<ToInteger<I>, I, double>::run;
}

ScalarFunction selectConversion(mlir::Operation *op, Mode mode) {
  mlir::Type fromType = op->getOperand(0).getType(), toType = op->getResult(0).getType();
  unsigned from = fromType.getIntOrFloatBitWidth(), to = toType.getIntOrFloatBitWidth();
  return llvm::TypeSwitch<mlir::Operation *, ScalarFunction>(op)
      .Case([&](arith::SIToFPOp) {
        return mode == Mode::F32 ? fromInteger<Identity, float, true>(from)
                                 : fromInteger<Identity, double, true>(from);
      })
      .Case([&](arith::UIToFPOp) {
        return mode == Mode::F32 ? fromInteger<Identity, float, false>(from)
                                 : fromInteger<Identity, double, false>(from);
      })
      .Case([&](arith::FPToSIOp) -> ScalarFunction {
        if (to == 8) return floatTo<int8_t>(mode);
        return to == 32 ? floatTo<int32_t>(mode) : floatTo<int64_t>(mode);
      })
      .Case([&](arith::FPToUIOp) -> ScalarFunction {
        if (to == 8) return floatTo<uint8_t>(mode);
        return to == 32 ? floatTo<uint32_t>(mode) : floatTo<uint64_t>(mode);
      })
      .Case([&](arith::ExtUIOp) { return resizeInteger<false>(from, to); })
      .Case([&](arith::ExtSIOp) { return resizeInteger<true>(from, to); })
      .Case([&](arith::TruncIOp) { return resizeInteger<false>(from, to); })
      .Case([&](arith::BitcastOp) -> ScalarFunction {
        // Bits of an f32 exist in mode F32 only.
        if (mode != Mode::F32 || from != 32 || to != 32) return nullptr;
        return Loop<Identity, uint32_t, uint32_t>::run;
      })
      .Default([](mlir::Operation *) { return nullptr; });
}

ScalarFunction selectIntegerOp(mlir::Operation *op) {
  unsigned width = op->getResult(0).getType().getIntOrFloatBitWidth();
  return llvm::TypeSwitch<mlir::Operation *, ScalarFunction>(op)
      .Case([&](arith::AddIOp) { return onIntegers<Add, false>(width); })
      .Case([&](arith::SubIOp) { return onIntegers<Sub, false>(width); })
      .Case([&](arith::MulIOp) { return onIntegers<Mul, false>(width); })
      .Case([&](arith::DivSIOp) { return onIntegers<DivSigned, true>(width); })
      .Case([&](arith::RemSIOp) { return onIntegers<RemSigned, true>(width); })
      .Case([&](arith::AndIOp) { return onIntegers<And, false>(width); })
      .Case([&](arith::OrIOp) { return onIntegers<Or, false>(width); })
      .Case([&](arith::XOrIOp) { return onIntegers<Xor, false>(width); })
      .Case([&](arith::ShLIOp) { return onIntegers<ShiftLeft, false>(width); })
      .Case([&](arith::ShRUIOp) { return onIntegers<ShiftRight, false>(width); })
      .Case([&](arith::ShRSIOp) { return onIntegers<ShiftRightSigned, true>(width); })
      .Case([&](arith::MaxSIOp) { return onIntegers<Max, true>(width); })
      .Case([&](arith::MinSIOp) { return onIntegers<Min, true>(width); })
      .Case([&](arith::MaxUIOp) { return onIntegers<Max, false>(width); })
      .Case([&](arith::MinUIOp) { return onIntegers<Min, false>(width); })
      .Case([&](math::AbsIOp) {
        return width == 32 ? Loop<AbsSigned, int32_t, int32_t>::run
                           : Loop<AbsSigned, int64_t, int64_t>::run;
      })
      .Default([](mlir::Operation *) { return nullptr; });
}

ScalarFunction selectFloatOp(mlir::Operation *op, Mode mode) {
  return llvm::TypeSwitch<mlir::Operation *, ScalarFunction>(op)
      .Case([&](arith::AddFOp) { return onFloats<Add, 2>(mode); })
      .Case([&](arith::SubFOp) { return onFloats<Sub, 2>(mode); })
      .Case([&](arith::MulFOp) { return onFloats<Mul, 2>(mode); })
      .Case([&](arith::DivFOp) { return onFloats<Div, 2>(mode); })
      .Case([&](arith::NegFOp) { return onFloats<Neg, 1>(mode); })
      .Case([&](math::AbsFOp) { return onFloats<Abs, 1>(mode); })
      .Case([&](math::SqrtOp) { return onFloats<Sqrt, 1>(mode); })
      .Case([&](math::FmaOp) { return onFloats<Fma, 3>(mode); })
      .Case([&](math::FloorOp) { return onFloats<Floor, 1>(mode); })
      .Case([&](math::CeilOp) { return onFloats<Ceil, 1>(mode); })
      .Case([&](math::TruncOp) { return onFloats<Trunc, 1>(mode); })
      .Case([&](math::RoundEvenOp) { return onFloats<RoundEven, 1>(mode); })
      .Case([&](math::CopySignOp) { return onFloats<CopySign, 2>(mode); })
      .Case([&](math::ExpOp) { return onFloats<Exp, 1>(mode); })
      .Case([&](math::LogOp) { return onFloats<Log, 1>(mode); })
      .Case([&](math::TanhOp) { return onFloats<Tanh, 1>(mode); })
      .Case([&](math::ErfOp) { return onFloats<Erf, 1>(mode); })
      .Case([&](math::SinOp) { return onFloats<Sin, 1>(mode); })
      .Case([&](math::CosOp) { return onFloats<Cos, 1>(mode); })
      .Case([&](math::PowFOp) { return onFloats<Pow, 2>(mode); })
      .Default([](mlir::Operation *) { return nullptr; });
}

} // namespace

ScalarFunction selectScalarFunction(mlir::Operation *op, Mode mode) {
  if (auto compare = mlir::dyn_cast<arith::CmpFOp>(op)) return selectComparison(compare, mode);
  if (auto compare = mlir::dyn_cast<arith::CmpIOp>(op)) return selectIntegerComparison(compare);
  if (auto select = mlir::dyn_cast<arith::SelectOp>(op)) return selectSelect(select, mode);
  if (ScalarFunction function = selectConversion(op, mode)) return function;
  if (ScalarFunction function = selectIntegerOp(op)) return function;
  return selectFloatOp(op, mode);
}

} // namespace dlm::reference
