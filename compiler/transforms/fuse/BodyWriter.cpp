// One function per family of ops: how an op at an index becomes scalar text.
#include "compiler/transforms/fuse/BodyWriter.h"

#include "compiler/transforms/fuse/WrittenOut.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

using namespace mlir;

namespace dlm::fuse {

/// Constants of more elements than this do not become text of a kernel.
static constexpr int64_t DenseConstantMax = 64;

BodyWriter::BodyWriter(const SpaceKind &kind, ArrayRef<int64_t> extents, bool dynamic,
                       IsComputed isComputed, OpBuilder &builder, Block &block)
    : kind(kind), extents(extents), dynamic(dynamic), isComputed(isComputed), builder(builder),
      block(block) {}

Value BodyWriter::fail(Value value) {
  if (!blamed) blamed = value;
  return Value();
}

Value BodyWriter::at(Value value, ArrayRef<Axis> index) {
  auto &entries = known[value];
  for (auto &[knownIndex, scalar] : entries)
    if (ArrayRef<Axis>(knownIndex) == index) return scalar;
  Value scalar = isComputed(value) ? compute(value, index) : load(value, index);
  if (scalar) known[value].push_back({Index(index.begin(), index.end()), scalar});
  return scalar;
}

Value BodyWriter::compute(Value value, ArrayRef<Axis> index) {
  Operation *op = value.getDefiningOp();
  if (auto constantOp = dyn_cast<ConstantOp>(op)) return constant(constantOp, index);
  if (auto iotaOp = dyn_cast<IotaOp>(op)) return iota(iotaOp, index);
  if (auto randomOp = dyn_cast<RandomOp>(op)) return random(randomOp, index);
  if (isa<ReduceOp>(op) && isWrittenOut(op)) return smallReduce(cast<ReduceOp>(op), index);
  if (isa<ReduceOp, ArgmaxOp>(op)) return reduce(op, index);
  if (isa<ReshapeOp, StopGradientOp>(op)) return at(op->getOperand(0), index);
  if (auto broadcast = dyn_cast<BroadcastOp>(op))
    return moved(op, broadcastIndex(shapeOf(broadcast.getX()), broadcast.getDims(), shapeOf(value),
                                    index, extents));
  if (auto transpose = dyn_cast<TransposeOp>(op))
    return moved(op, transposeIndex(transpose.getPermutation(), shapeOf(value), index, extents));
  auto scalarOp = dyn_cast<ScalarOpInterface>(op);
  if (!scalarOp) return move(op, index);
  // Outside of a tensor elements are zeros that nobody uses; dividing by them would trap.
  bool mayTrap =
      isa<DivOp>(op) && cast<RankedTensorType>(value.getType()).getElementType().isInteger();
  auto leaves = [&](const Axis &axis) { return axis.mayLeave(extents); };
  if (mayTrap && llvm::any_of(index, leaves)) return fail(value);
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

/// The multiples first, the number last.
AffineExpr BodyWriter::placeExpr(const Axis &axis) {
  AffineExpr sum;
  for (Term term : axis.terms) {
    AffineExpr part = builder.getAffineDimExpr(term.dim) * term.factor;
    sum = sum ? sum + part : part;
  }
  return sum ? sum + axis.begin : builder.getAffineConstantExpr(axis.begin);
}

/// Values given at run time become symbols, in order.
AffineMap BodyWriter::map(ArrayRef<Axis> index) {
  SmallVector<AffineExpr> results;
  unsigned symbols = 0;
  for (const Axis &axis : index) {
    results.push_back(axis.given ? builder.getAffineSymbolExpr(symbols++) : placeExpr(axis));
  }
  return AffineMap::get(extents.size(), symbols, results, builder.getContext());
}

RankedTensorType BodyWriter::argumentType(Type type, ArrayRef<Axis> index) {
  SmallVector<int64_t> shape;
  for (const Axis &axis : index) {
    bool isPlain = !isOpen(axis) || (shape.empty() && axis.isWhole(extents));
    needsStaticExtent |= !isPlain;
    shape.push_back(isOpen(axis) ? ShapedType::kDynamic : axis.size);
  }
  return RankedTensorType::get(shape, cast<RankedTensorType>(type).getElementType());
}

Value BodyWriter::load(Value value, ArrayRef<Axis> index) {
  Index axes; // an axis of one element has one place
  for (const Axis &axis : index)
    if (axis.size != 1 || axis.isWhole(extents)) axes.push_back(axis);
  RankedTensorType type = argumentType(value.getType(), axes);
  unsigned number = 0;
  while (number < inputs.size() && (inputs[number] != value || inputTypes[number] != type))
    ++number;
  if (number == inputs.size()) {
    inputs.push_back(value);
    inputTypes.push_back(type);
    block.insertArgument(number, type, value.getLoc());
  }
  SmallVector<Value> given;
  bool isGuarded = false;
  for (const Axis &axis : axes) {
    if (axis.given) given.push_back(axis.given);
    isGuarded |= axis.mayLeave(extents);
  }
  return kernel::LoadOp::create(builder, value.getLoc(), scalarType(type.getElementType()),
                                block.getArgument(number), given, AffineMapAttr::get(map(axes)),
                                isGuarded);
}

void BodyWriter::store(Value value, Value scalar, ArrayRef<Axis> index) {
  RankedTensorType type = argumentType(value.getType(), index);
  outputTypes.push_back(type);
  Value argument = block.addArgument(type, value.getLoc());
  kernel::StoreOp::create(builder, value.getLoc(), scalar, argument,
                          AffineMapAttr::get(map(index)));
}

Value BodyWriter::integer(int64_t value, Location loc) {
  return arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(value));
}

/// The place in an axis, as i64.
Value BodyWriter::place(const Axis &axis, Location loc) {
  if (axis.given) return axis.given;
  needsStaticExtent |= isOpen(axis) && !axis.isWhole(extents);
  Value sum;
  for (Term term : axis.terms) {
    Value step = kernel::IotaOp::create(builder, loc, builder.getI64Type(), int64_t(term.dim));
    if (term.factor != 1)
      step = arith::MulIOp::create(builder, loc, step, integer(term.factor, loc));
    sum = sum ? Value(arith::AddIOp::create(builder, loc, sum, step)) : step;
  }
  if (!sum) return integer(axis.begin, loc);
  if (axis.begin == 0) return sum;
  return arith::AddIOp::create(builder, loc, sum, integer(axis.begin, loc));
}

/// The row-major number of the point within the axes of `index`, as i64.
Value BodyWriter::linear(ArrayRef<Axis> index, Location loc) {
  Value sum;
  for (const Axis &axis : index) {
    Value step = place(axis, loc);
    if (sum) {
      needsStaticExtent |= isOpen(axis);
      Value scaled = arith::MulIOp::create(builder, loc, sum, integer(axis.size, loc));
      step = arith::AddIOp::create(builder, loc, scaled, step);
    }
    sum = step;
  }
  return sum ? sum : integer(0, loc);
}

/// A constant of a scalar type by the attribute that a tensor has.
Value BodyWriter::element(Type type, Attribute value, Location loc) {
  if (auto integerAttr = dyn_cast<IntegerAttr>(value))
    value = IntegerAttr::get(type, integerAttr.getValue());
  return arith::ConstantOp::create(builder, loc, cast<TypedAttr>(value));
}

Value BodyWriter::constant(ConstantOp op, ArrayRef<Axis> index) {
  auto elements = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!elements || (!elements.isSplat() && elements.getNumElements() > DenseConstantMax))
    return fail(op.getResult());
  Type type = scalarType(elements.getElementType());
  if (elements.isSplat()) return element(type, elements.getSplatValue<Attribute>(), op.getLoc());
  Value position = linear(index, op.getLoc());
  Value result;
  int64_t number = 0;
  for (Attribute attribute : elements.getValues<Attribute>()) {
    Value here = element(type, attribute, op.getLoc());
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

Value BodyWriter::iota(IotaOp op, ArrayRef<Axis> index) {
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
Value BodyWriter::reduce(Operation *op, ArrayRef<Axis> index) {
  Value operand = op->getOperand(0), result = op->getResult(0);
  unsigned rank = extents.size();
  Index kept, full;
  unsigned reduced = kind.kind == SpaceKind::Column ? 0 : rank - 1;
  for (unsigned dim = 0; dim < rank; ++dim) {
    full.push_back(Axis::whole(dim, extents));
    if (dim != reduced) kept.push_back(full.back());
  }
  bool isReducing = kind.kind == SpaceKind::Row || kind.kind == SpaceKind::Column;
  if (!isReducing || withoutUnits(index) != withoutUnits(kept)) return fail(result);
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

Value BodyWriter::random(RandomOp op, ArrayRef<Axis> index) {
  Value seed = at(op.getSeed(), {});
  Value attempt = seed ? at(op.getAttempt(), {}) : Value();
  if (!attempt) return Value();
  Value number = linear(index, op.getLoc());
  if (op.getFirst()) {
    Value first = at(op.getFirst(), {});
    if (!first) return Value();
    number = arith::AddIOp::create(builder, op.getLoc(), first, number);
  }
  return kernel::RandomOp::create(builder, op.getLoc(), builder.getF32Type(),
                                  static_cast<kernel::RandomKind>(op.getKind()), seed, attempt,
                                  number, int64_t(op.getSite()));
}

} // namespace dlm::fuse
