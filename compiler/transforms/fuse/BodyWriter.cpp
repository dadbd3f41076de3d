// One function per family of ops: how an op at an index becomes scalar text.
#include "compiler/transforms/fuse/BodyWriter.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <numeric>

using namespace mlir;

namespace dlm::fuse {

/// Constants of more elements than this do not become text of a kernel.
static constexpr int64_t DenseConstantMax = 64;

BodyWriter::BodyWriter(const SpaceKind &kind, ArrayRef<int64_t> extents, bool dynamic,
                       IsComputed isComputed, OpBuilder &builder, Block &block)
    : kind(kind), extents(extents), dynamic(dynamic), isComputed(isComputed), builder(builder),
      block(block) {}

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getShape();
}

Value BodyWriter::fail(Value value) {
  if (!blamed) blamed = value;
  return Value();
}

Value BodyWriter::at(Value value, ArrayRef<unsigned> index) {
  auto &entries = known[value];
  for (auto &[knownIndex, scalar] : entries)
    if (ArrayRef<unsigned>(knownIndex) == index) return scalar;
  Value scalar = isComputed(value) ? compute(value, index) : load(value, index);
  if (scalar) known[value].push_back({Index(index.begin(), index.end()), scalar});
  return scalar;
}

Value BodyWriter::compute(Value value, ArrayRef<unsigned> index) {
  Operation *op = value.getDefiningOp();
  if (auto constantOp = dyn_cast<ConstantOp>(op)) return constant(constantOp, index);
  if (auto iotaOp = dyn_cast<IotaOp>(op)) return iota(iotaOp, index);
  if (auto randomOp = dyn_cast<RandomOp>(op)) return random(randomOp, index);
  if (isa<ReduceOp, ArgmaxOp>(op)) return reduce(op, index);
  if (isa<ReshapeOp, StopGradientOp>(op)) return at(op->getOperand(0), index);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return moved(op, broadcastIndex(shapeOf(broadcast.getX()), broadcast.getDims(), shapeOf(value),
                                    index, extents));
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return moved(op, transposeIndex(transpose.getPermutation(), shapeOf(value), index, extents));
  auto scalarOp = dyn_cast<ScalarOpInterface>(op);
  if (!scalarOp) return fail(value);
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    scalars.push_back(at(operand, index));
    if (!scalars.back()) return Value();
  }
  return scalarOp.buildScalar(builder, op->getLoc(), scalars);
}

Value BodyWriter::moved(Operation *op, const IndexResult &result) {
  if (result.index) return at(op->getOperand(0), *result.index);
  if (result.cut) cut = result.cut;
  return fail(op->getResult(0));
}

AffineMap BodyWriter::map(ArrayRef<unsigned> index) {
  SmallVector<AffineExpr> results;
  for (unsigned dim : index)
    results.push_back(builder.getAffineDimExpr(dim));
  return AffineMap::get(extents.size(), 0, results, builder.getContext());
}

RankedTensorType BodyWriter::argumentType(Type type, ArrayRef<unsigned> index) {
  SmallVector<int64_t> shape;
  for (unsigned place = 0; place < index.size(); ++place) {
    bool open = dynamic && index[place] == 0;
    needsStaticExtent |= open && place != 0;
    shape.push_back(open ? ShapedType::kDynamic : extents[index[place]]);
  }
  return RankedTensorType::get(shape, cast<RankedTensorType>(type).getElementType());
}

Value BodyWriter::load(Value value, ArrayRef<unsigned> index) {
  RankedTensorType type = argumentType(value.getType(), index);
  unsigned place = 0;
  while (place < inputs.size() && (inputs[place] != value || inputTypes[place] != type))
    ++place;
  if (place == inputs.size()) {
    inputs.push_back(value);
    inputTypes.push_back(type);
    block.insertArgument(place, type, value.getLoc());
  }
  return kernel::LoadOp::create(builder, value.getLoc(), scalarType(type.getElementType()),
                                block.getArgument(place), AffineMapAttr::get(map(index)));
}

void BodyWriter::store(Value value, Value scalar, ArrayRef<unsigned> index) {
  RankedTensorType type = argumentType(value.getType(), index);
  outputTypes.push_back(type);
  Value argument = block.addArgument(type, value.getLoc());
  kernel::StoreOp::create(builder, value.getLoc(), scalar, argument,
                          AffineMapAttr::get(map(index)));
}

Value BodyWriter::integer(int64_t value, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

/// The row-major number of the point within the dims of `index`, as i64.
Value BodyWriter::linear(ArrayRef<unsigned> index, Location loc) {
  Value sum;
  for (unsigned place = 0; place < index.size(); ++place) {
    Value step = kernel::IotaOp::create(builder, loc, builder.getI64Type(), int64_t(index[place]));
    if (sum) {
      needsStaticExtent |= dynamic && index[place] == 0;
      Value scaled = arith::MulIOp::create(builder, loc, sum, integer(extents[index[place]], loc));
      step = arith::AddIOp::create(builder, loc, scaled, step);
    }
    sum = step;
  }
  return sum ? sum : integer(0, loc);
}

Value BodyWriter::constant(ConstantOp op, ArrayRef<unsigned> index) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || (!elements.isSplat() && elements.getNumElements() > DenseConstantMax))
    return fail(op.getResult());
  Type type = scalarType(elements.getElementType());
  auto element = [&](Attribute attribute) -> Value {
    if (auto integerAttr = dyn_cast<IntegerAttr>(attribute))
      attribute = IntegerAttr::get(type, integerAttr.getValue());
    return arith::ConstantOp::create(builder, op.getLoc(), cast<TypedAttr>(attribute));
  };
  if (elements.isSplat()) return element(elements.getSplatValue<Attribute>());
  Value position = linear(index, op.getLoc());
  Value result;
  int64_t number = 0;
  for (Attribute attribute : elements.getValues<Attribute>()) {
    Value here = element(attribute);
    if (result) {
      Value hit = arith::CmpIOp::create(builder, op.getLoc(), arith::CmpIPredicate::eq, position,
                                        integer(number, op.getLoc()));
      here = arith::SelectOp::create(builder, op.getLoc(), hit, here, result);
    }
    result = here;
    ++number;
  }
  return result;
}

Value BodyWriter::iota(IotaOp op, ArrayRef<unsigned> index) {
  IndexResult place = dimIndex(op.getDim(), shapeOf(op.getResult()), index, extents);
  if (!place.index) {
    cut = place.cut;
    return fail(op.getResult());
  }
  Value number = linear(*place.index, op.getLoc());
  Type type = scalarType(cast<RankedTensorType>(op.getType()).getElementType());
  if (type.isInteger(64)) return number;
  if (isa<FloatType>(type)) return arith::SIToFPOp::create(builder, op.getLoc(), type, number);
  return arith::TruncIOp::create(builder, op.getLoc(), type, number);
}

/// A reduction stands at all dims of the space but the reduced one, in order.
Value BodyWriter::reduce(Operation *op, ArrayRef<unsigned> index) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  unsigned rank = extents.size();
  Index kept, full(rank);
  std::iota(full.begin(), full.end(), 0u);
  unsigned reduced = kind.kind == SpaceKind::Column ? 0 : rank - 1;
  for (unsigned dim = 0; dim < rank; ++dim)
    if (dim != reduced) kept.push_back(dim);
  if (kind.kind == SpaceKind::Pointwise ||
      withoutUnits(index, extents) != withoutUnits(kept, extents))
    return fail(result);
  Value scalar = at(operand, full);
  if (!scalar) return Value();
  if (auto argmax = dyn_cast<ArgmaxOp>(op))
    return kernel::ArgmaxOp::create(builder, op->getLoc(), builder.getI32Type(), scalar,
                                    int64_t(reduced));
  auto reduceOp = cast<ReduceOp>(op);
  TreeAttr tree = reduceOp.getTreeAttr();
  return kernel::ReduceOp::create(builder, op->getLoc(), scalar.getType(),
                                  static_cast<kernel::ReduceKind>(reduceOp.getKind()), scalar,
                                  int64_t(reduced), tree.getLanes(), tree.getChunk());
}

Value BodyWriter::random(RandomOp op, ArrayRef<unsigned> index) {
  Value seed = at(op.getSeed(), {});
  Value attempt = seed ? at(op.getAttempt(), {}) : Value();
  if (!attempt) return Value();
  return kernel::RandomOp::create(builder, op.getLoc(), builder.getF32Type(),
                                  static_cast<kernel::RandomKind>(op.getKind()), seed, attempt,
                                  linear(index, op.getLoc()), int64_t(op.getSite()));
}

} // namespace dlm::fuse
