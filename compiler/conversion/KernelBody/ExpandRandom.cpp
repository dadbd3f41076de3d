// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011) as `arith`
// ops. Every element computes its whole block of four words and picks its own: four times the work
// of sharing blocks between lanes, but no lane depends on where a vector starts.
#include "compiler/conversion/KernelBody/ExpandRandom.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

#include <array>

using namespace mlir;

namespace kernel {
namespace {

/// Writes the arithmetic of one random value.
class RandomExpansion {
public:
  explicit RandomExpansion(RandomOp op) : op(op), b(op.getLoc(), op) {}
  Value run();

private:
  using Block = std::array<Value, 4>;
  Value word(int64_t value) {
    return arith::ConstantOp::create(
        b, b.getIntegerAttr(b.getI32Type(), APInt(32, value, false, true)));
  }
  Value real(double value) { return arith::ConstantOp::create(b, b.getF32FloatAttr(value)); }
  Value low(Value wide) { return arith::TruncIOp::create(b, b.getI32Type(), wide); }
  Value high(Value wide) { return low(arith::ShRUIOp::create(b, wide, number(32))); }
  Value number(int64_t value) { return arith::ConstantOp::create(b, b.getI64IntegerAttr(value)); }
  Value exclusiveOr(Value x, Value y, Value z) {
    return arith::XOrIOp::create(b, arith::XOrIOp::create(b, x, y), z);
  }
  Value select(Value condition, Value yes, Value no) {
    return arith::SelectOp::create(b, condition, yes, no);
  }
  Block philox();
  Value uniform(const Block &block);
  Value normal(const Block &block);
  /// The upper 24 bits plus `more`, times 2^-24: exact.
  Value toReal(Value bits, int64_t more);

  RandomOp op;
  ImplicitLocOpBuilder b;
  Value isUpperPair, isOdd;
};

Value RandomExpansion::run() {
  Value place = low(op.getIndex());
  auto test = [&](int64_t bit) -> Value {
    Value masked = arith::AndIOp::create(b, place, word(bit));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ne, masked, word(0));
  };
  isUpperPair = test(2);
  isOdd = test(1);
  Block block = philox();
  return op.getKind() == RandomKind::Uniform ? uniform(block) : normal(block);
}

RandomExpansion::Block RandomExpansion::philox() {
  Value index = arith::ShRUIOp::create(b, op.getIndex(), number(2));
  Value second = arith::AddIOp::create(b, high(index), high(op.getAttempt()));
  Block c = {low(index), second, low(op.getAttempt()), word(op.getSite() & 0xffffffff)};
  Value key0 = low(op.getSeed()), key1 = high(op.getSeed());
  auto multiply = [&](Value x, int64_t factor) -> Value {
    Value wide = arith::ExtUIOp::create(b, b.getI64Type(), x);
    return arith::MulIOp::create(b, wide, number(factor));
  };
  for (int round = 0; round < 10; ++round) {
    Value product0 = multiply(c[0], 0xD2511F53), product1 = multiply(c[2], 0xCD9E8D57);
    c = {exclusiveOr(high(product1), c[1], key0), low(product1),
         exclusiveOr(high(product0), c[3], key1), low(product0)};
    key0 = arith::AddIOp::create(b, key0, word(0x9E3779B9));
    key1 = arith::AddIOp::create(b, key1, word(0xBB67AE85));
  }
  return c;
}

Value RandomExpansion::toReal(Value bits, int64_t more) {
  Value upper = arith::ShRUIOp::create(b, bits, word(8));
  if (more) upper = arith::AddIOp::create(b, upper, word(more));
  Value exact = arith::SIToFPOp::create(b, b.getF32Type(), upper);
  return arith::MulFOp::create(b, exact, real(0x1p-24));
}

Value RandomExpansion::uniform(const Block &block) {
  Value lower = select(isOdd, block[1], block[0]), upper = select(isOdd, block[3], block[2]);
  return toReal(select(isUpperPair, upper, lower), 0);
}

Value RandomExpansion::normal(const Block &block) {
  Value u1 = toReal(select(isUpperPair, block[2], block[0]), 1);
  Value u2 = toReal(select(isUpperPair, block[3], block[1]), 0);
  Value square = arith::MulFOp::create(b, real(-2.0), math::LogOp::create(b, u1));
  Value radius = math::SqrtOp::create(b, square);
  Value angle = arith::MulFOp::create(b, real(6.283185307179586), u2);
  Value turn = select(isOdd, math::SinOp::create(b, angle), math::CosOp::create(b, angle));
  return arith::MulFOp::create(b, radius, turn);
}

} // namespace

void expandRandom(FuncOp func) {
  for (RandomOp op : llvm::make_early_inc_range(func.getOps<RandomOp>())) {
    op.replaceAllUsesWith(RandomExpansion(op).run());
    op.erase();
  }
}

} // namespace kernel
