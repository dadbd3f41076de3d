// What combines, and from where a chain starts. Combining with an identity changes no bit, so
// whatever is missing at the end of a reduction may be skipped or filled, as is cheaper.
#include "compiler/conversion/KernelBody/ReductionTree.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include <limits>

using namespace mlir;

namespace kernel {

TypedAttr getIdentity(ReduceKind kind, Type type) {
  Builder b(type.getContext());
  if (isa<FloatType>(type)) {
    double infinity = std::numeric_limits<double>::infinity();
    return b.getFloatAttr(type, kind == ReduceKind::Add   ? -0.0
                                : kind == ReduceKind::Max ? -infinity
                                                          : infinity);
  }
  unsigned bits = type.getIntOrFloatBitWidth();
  return b.getIntegerAttr(type, kind == ReduceKind::Add   ? APInt::getZero(bits)
                                : kind == ReduceKind::Max ? APInt::getSignedMinValue(bits)
                                                          : APInt::getSignedMaxValue(bits));
}

Value combine(ImplicitLocOpBuilder &b, ReduceKind kind, Value left, Value right) {
  bool isFloat = isa<FloatType>(getElementTypeOrSelf(left.getType()));
  if (kind == ReduceKind::Add) {
    if (isFloat) return arith::AddFOp::create(b, left, right);
    return arith::AddIOp::create(b, left, right);
  }
  bool isMax = kind == ReduceKind::Max;
  if (!isFloat) {
    Value wins = arith::CmpIOp::create(
        b, isMax ? arith::CmpIPredicate::sgt : arith::CmpIPredicate::slt, left, right);
    return arith::SelectOp::create(b, wins, left, right);
  }
  Value wins = arith::CmpFOp::create(
      b, isMax ? arith::CmpFPredicate::OGT : arith::CmpFPredicate::OLT, left, right);
  Value winner = arith::SelectOp::create(b, wins, left, right);
  Value isNan = arith::CmpFOp::create(b, arith::CmpFPredicate::UNE, left, left);
  return arith::SelectOp::create(b, isNan, left, winner);
}

Value emitNumber(ImplicitLocOpBuilder &b, int64_t value) {
  return arith::ConstantOp::create(b, b.getI64IntegerAttr(value));
}

SmallVector<Value> emitLoop(ImplicitLocOpBuilder &b, Value from, Value to, int64_t step,
                            ValueRange carried,
                            function_ref<SmallVector<Value>(Value, ValueRange)> body) {
  auto loop = scf::ForOp::create(b, from, to, emitNumber(b, step), carried,
                                 [&](OpBuilder &, Location, Value index, ValueRange values) {
                                   scf::YieldOp::create(b, body(index, values));
                                 });
  return llvm::to_vector_of<Value>(loop.getResults());
}

} // namespace kernel
