// How ops that take parts of tensors, join them, or choose elements by index become scalar text:
// the operand is asked for at other places, and where a place has no element the text selects
// another value. So a load may be asked for outside of its tensor; it is guarded then, and gives
// zero.
#include "compiler/transforms/fuse/BodyWriter.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <limits>

using namespace mlir;

namespace dlm::fuse {

Value BodyWriter::move(Operation *op, ArrayRef<Axis> index) {
  if (auto sliceOp = dyn_cast<SliceOp>(op)) return slice(sliceOp, index);
  if (auto flipOp = dyn_cast<FlipOp>(op)) return flip(flipOp, index);
  if (auto padOp = dyn_cast<PadOp>(op)) return pad(padOp, index);
  if (auto concatOp = dyn_cast<ConcatOp>(op)) return concat(concatOp, index);
  if (auto gatherOp = dyn_cast<GatherOp>(op)) return gather(gatherOp, index);
  if (auto scatterOp = dyn_cast<ScatterAddOp>(op)) return scatter(scatterOp, index);
  if (auto windowsOp = dyn_cast<WindowsOp>(op)) return windows(windowsOp, index);
  if (auto sum = dyn_cast<OverlapAddOp>(op)) return overlapAdd(sum, index);
  return fail(op->getResult(0));
}

std::optional<SmallVector<Piece>> BodyWriter::split(Value value, ArrayRef<bool> borders,
                                                    ArrayRef<Axis> index) {
  PiecesResult result = splitIndex(shapeOf(value), borders, index, extents);
  if (result.cut) cut = result.cut;
  if (!result.pieces) fail(value);
  return result.pieces;
}

/// The axes of each dim of `value`; of those that are not alone, the axes of several neighbours
/// may all stand at the first.
std::optional<SmallVector<Index>> BodyWriter::axesOfDims(Value value, ArrayRef<bool> isAlone,
                                                         ArrayRef<Axis> index) {
  unsigned rank = isAlone.size();
  SmallVector<bool> borders(rank, false);
  for (unsigned dim = 0; dim < rank; ++dim)
    borders[dim] = isAlone[dim] || (dim > 0 && isAlone[dim - 1]);
  std::optional<SmallVector<Piece>> pieces = split(value, borders, index);
  if (!pieces) return std::nullopt;
  SmallVector<Index> axes(rank);
  for (const Piece &piece : *pieces)
    axes[piece.firstDim] = piece.axes;
  return axes;
}

/// The index of an operand whose dims differ from those of `result` where `isChanged`: `change`
/// gives their axes.
std::optional<Index> BodyWriter::changed(Value result, ArrayRef<bool> isChanged,
                                         ArrayRef<Axis> index, Change change) {
  std::optional<SmallVector<Index>> axes = axesOfDims(result, isChanged, index);
  if (!axes) return std::nullopt;
  Index operand;
  for (unsigned dim = 0; dim < isChanged.size(); ++dim) {
    std::optional<Index> own = isChanged[dim] ? change(dim, (*axes)[dim]) : (*axes)[dim];
    if (!own) {
      fail(result);
      return std::nullopt;
    }
    llvm::append_range(operand, *own);
  }
  return operand;
}

Value BodyWriter::slice(SliceOp op, ArrayRef<Axis> index) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  SmallVector<bool> isChanged;
  for (unsigned dim = 0; dim < to.size(); ++dim)
    isChanged.push_back(from[dim] != to[dim]);
  auto change = [&](unsigned dim, ArrayRef<Axis> axes) {
    return shiftAxes(axes, to[dim], op.getBegins()[dim], from[dim]);
  };
  std::optional<Index> operand = changed(op.getResult(), isChanged, index, change);
  return operand ? at(op.getX(), *operand) : Value();
}

Value BodyWriter::flip(FlipOp op, ArrayRef<Axis> index) {
  SmallVector<bool> isChanged(shapeOf(op.getX()).size(), false);
  for (int64_t dim : op.getDims())
    isChanged[dim] = true;
  auto change = [&](unsigned, ArrayRef<Axis> axes) { return reverseAxes(axes); };
  std::optional<Index> operand = changed(op.getResult(), isChanged, index, change);
  return operand ? at(op.getX(), *operand) : Value();
}

/// Whether the place in the axis is one, in 32 bits where they hold all places.
Value BodyWriter::isWithin(const Axis &axis, Location loc) {
  constexpr int64_t max = int64_t(1) << 30;
  Value at = place(axis, loc), size = integer(axis.size, loc);
  bool isShort =
      !axis.given && axis.size < max && axis.getLow(extents) > -max && axis.getHigh(extents) < max;
  if (isShort) {
    Type i32 = builder.getI32Type();
    at = arith::TruncIOp::create(builder, loc, i32, at);
    size = arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(int32_t(axis.size)));
  }
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, at, size);
}

Value BodyWriter::pad(PadOp op, ArrayRef<Axis> index) {
  ArrayRef<int64_t> from = shapeOf(op.getX()), to = shapeOf(op.getResult());
  SmallVector<bool> isChanged;
  for (unsigned dim = 0; dim < to.size(); ++dim)
    isChanged.push_back(from[dim] != to[dim]);
  SmallVector<Axis> guards;
  auto change = [&](unsigned dim, ArrayRef<Axis> axes) {
    std::optional<Index> shifted = shiftAxes(axes, to[dim], -op.getLow()[dim], from[dim]);
    if (shifted && shifted->front().mayLeave(extents)) guards.push_back(shifted->front());
    return shifted;
  };
  std::optional<Index> operand = changed(op.getResult(), isChanged, index, change);
  Value inner = operand ? at(op.getX(), *operand) : Value();
  if (!inner) return Value();
  Location loc = op.getLoc();
  Value all = areWithin(guards, loc);
  if (!all) return inner;
  Type type = cast<RankedTensorType>(op.getType()).getElementType();
  auto number = splat(RankedTensorType::get({}, type), op.getValue().convertToDouble());
  Value outer = element(scalarType(type), number.getSplatValue<Attribute>(), loc);
  return arith::SelectOp::create(builder, loc, all, inner, outer);
}

Value BodyWriter::concat(ConcatOp op, ArrayRef<Axis> index) {
  unsigned joined = unsigned(op.getDim());
  int64_t total = shapeOf(op.getResult())[joined];
  SmallVector<bool> isChanged(shapeOf(op.getResult()).size(), false);
  isChanged[joined] = true;
  Location loc = op.getLoc();
  Value result; // of the parts from the last on to here
  int64_t begin = total;
  for (Value part : llvm::reverse(op.getParts())) {
    int64_t size = shapeOf(part)[joined];
    begin -= size;
    Axis first; // says whether the place is in this part
    auto change = [&](unsigned, ArrayRef<Axis> axes) {
      std::optional<Index> shifted = shiftAxes(axes, total, -begin, size);
      if (shifted && !shifted->empty()) first = shifted->front();
      return shifted;
    };
    std::optional<Index> operand = changed(op.getResult(), isChanged, index, change);
    Value scalar = operand ? at(part, *operand) : Value();
    if (!scalar) return Value();
    if (result && first.mayLeave(extents))
      scalar = arith::SelectOp::create(builder, loc, isWithin(first, loc), scalar, result);
    result = scalar;
  }
  return result;
}

/// The id at `index`, as i64.
Value BodyWriter::idAt(Value ids, ArrayRef<Axis> index) {
  Value id = at(ids, index);
  if (!id || id.getType().isInteger(64)) return id;
  Type i64 = builder.getI64Type();
  if (id.getType().isInteger(8)) return arith::ExtUIOp::create(builder, ids.getLoc(), i64, id);
  return arith::ExtSIOp::create(builder, ids.getLoc(), i64, id);
}

Value BodyWriter::gather(GatherOp op, ArrayRef<Axis> index) {
  unsigned dim = unsigned(op.getDim()), idRank = shapeOf(op.getIds()).size();
  SmallVector<bool> borders(shapeOf(op.getResult()).size() + 1, false);
  borders[dim] = borders[idRank] = true;
  std::optional<SmallVector<Piece>> pieces = split(op.getResult(), borders, index);
  if (!pieces) return Value();
  Index idIndex, before, behind;
  for (const Piece &piece : *pieces) {
    if (piece.firstDim < idRank) llvm::append_range(idIndex, piece.axes);
    if (piece.firstDim < dim) llvm::append_range(before, piece.axes);
    if (piece.firstDim >= idRank) llvm::append_range(behind, piece.axes);
  }
  Value id = idAt(op.getIds(), idIndex);
  if (!id) return Value();
  Axis chosen;
  chosen.size = shapeOf(op.getX())[dim];
  chosen.given = id;
  before.push_back(chosen);
  llvm::append_range(before, behind);
  Value found = at(op.getX(), before);
  if (!found) return Value();
  Location loc = op.getLoc();
  Attribute none = builder.getIntegerAttr(
      found.getType().isIntOrIndex() ? found.getType() : builder.getI32Type(), 0);
  if (auto real = dyn_cast<FloatType>(found.getType()))
    none = builder.getFloatAttr(real, std::numeric_limits<double>::quiet_NaN());
  Value other = element(found.getType(), none, loc);
  return arith::SelectOp::create(builder, loc, isWithin(chosen, loc), found, other);
}

/// A sum by index stands at g, n and j of its space.
Value BodyWriter::scatter(ScatterAddOp op, ArrayRef<Axis> index) {
  auto axes = [&](ArrayRef<unsigned> dims) {
    Index result;
    for (unsigned dim : dims)
      result.push_back(Axis::whole(dim, extents));
    return result;
  };
  if (kind.kind != SpaceKind::Scatter || withoutUnits(index) != withoutUnits(axes({0, 1, 3})))
    return fail(op.getResult());
  Value id = idAt(op.getIds(), axes({0, 2}));
  Value value = id ? at(op.getX(), axes({0, 2, 3})) : Value();
  if (!value) return Value();
  return kernel::ScatterOp::create(builder, op.getLoc(), value.getType(), value, id);
}

} // namespace dlm::fuse
