// How windows, the sums that undo them and reductions of few elements become scalar text. A window
// is the operand at a sum of two indices; a sum of windows asks, for each place in a window, for
// the window that has the element there.
#include "compiler/transforms/fuse/BodyWriter.h"

#include "compiler/transforms/fuse/WrittenOut.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <llvm/Support/MathExtras.h>

using namespace mlir;

namespace dlm::fuse {

/// The axes of one dim as one.
Axis BodyWriter::joined(ArrayRef<Axis> axes, Location loc) {
  if (std::optional<Axis> axis = joinAxes(axes)) return *axis;
  Axis result;
  for (const Axis &axis : axes)
    result.size *= axis.size;
  result.given = linear(axes, loc);
  return result;
}

Value BodyWriter::areWithin(ArrayRef<Axis> axes, Location loc) {
  Value all;
  for (const Axis &axis : axes) {
    if (!axis.mayLeave(extents)) continue;
    Value within = isWithin(axis, loc);
    all = all ? Value(arith::AndIOp::create(builder, loc, all, within)) : within;
  }
  return all;
}

Value BodyWriter::windows(WindowsOp op, ArrayRef<Axis> index) {
  Location loc = op.getLoc();
  unsigned first = unsigned(op.getDim()), count = op.getStrides().size();
  ArrayRef<int64_t> from = shapeOf(op.getX());
  SmallVector<bool> isAlone(shapeOf(op.getResult()).size(), false);
  std::fill_n(isAlone.begin() + first, 2 * count, true);
  std::optional<SmallVector<Index>> axes = axesOfDims(op.getResult(), isAlone, index);
  if (!axes) return Value();
  SmallVector<Axis> moved;
  for (unsigned i = 0; i < count; ++i) {
    Axis window = joined((*axes)[first + i], loc), inside = joined((*axes)[first + count + i], loc);
    Axis place = Axis::at(-op.getLow()[i], from[first + i]);
    if (window.given || inside.given) {
      Value sum = integer(place.begin, loc);
      for (auto [axis, factor] :
           {std::pair(window, op.getStrides()[i]), std::pair(inside, op.getDilations()[i])}) {
        Value part =
            arith::MulIOp::create(builder, loc, this->place(axis, loc), integer(factor, loc));
        sum = arith::AddIOp::create(builder, loc, sum, part);
      }
      place.given = sum;
    } else {
      place.add(window, op.getStrides()[i]);
      place.add(inside, op.getDilations()[i]);
    }
    moved.push_back(place);
  }
  Index operand;
  for (unsigned dim = 0; dim < axes->size(); ++dim) {
    if (dim == first) llvm::append_range(operand, moved);
    if (!isAlone[dim]) llvm::append_range(operand, (*axes)[dim]);
  }
  Value inner = at(op.getX(), operand);
  // A load gives zero outside of its tensor by itself, but knows no dims of one element.
  bool isKnown = !isComputed(op.getX()) &&
                 llvm::all_of(moved, [](const Axis &axis) { return axis.size != 1; });
  Value within = inner && !isKnown ? areWithin(moved, loc) : Value();
  if (!within) return inner;
  Value zero = element(inner.getType(), builder.getZeroAttr(inner.getType()), loc);
  return arith::SelectOp::create(builder, loc, within, inner, zero);
}

/// The number of the window, one of `count` that begin `stride` apart, whose beginning is `shift`
/// behind `place`; nothing if there never is one. It is outside where there is none.
std::optional<Axis> BodyWriter::windowAt(const Axis &place, int64_t shift, int64_t stride,
                                         int64_t count, Location loc) {
  Axis window = Axis::at(0, count);
  bool isMultiple = llvm::all_of(place.terms, [&](Term term) { return term.factor % stride == 0; });
  if (!place.given && isMultiple) {
    int64_t begin = place.begin + shift;
    if (begin % stride != 0) return std::nullopt;
    for (Term term : place.terms)
      window.terms.push_back({term.dim, term.factor / stride});
    window.begin = begin / stride;
    bool isNever = window.getHigh(extents) < 0 || window.getLow(extents) >= count;
    return isNever ? std::nullopt : std::optional<Axis>(window);
  }
  // A division of what is not negative: some multiples are added before and taken off behind.
  int64_t low = shift + (place.given ? 0 : place.getLow(extents));
  int64_t more = low < 0 ? llvm::divideCeil(-low, stride) : 0;
  auto apply = [&](auto make, Value value, int64_t number) -> Value {
    return make(value, integer(number, loc));
  };
  auto add = [&](Value a, Value b) -> Value { return arith::AddIOp::create(builder, loc, a, b); };
  auto bits = [&](Value a, Value b) -> Value { return arith::AndIOp::create(builder, loc, a, b); };
  auto shiftDown = [&](Value a, Value b) -> Value {
    return arith::ShRUIOp::create(builder, loc, a, b);
  };
  auto divide = [&](Value a, Value b) -> Value {
    return arith::DivSIOp::create(builder, loc, a, b);
  };
  auto rest = [&](Value a, Value b) -> Value { return arith::RemSIOp::create(builder, loc, a, b); };
  Value sum = apply(add, this->place(place, loc), shift + more * stride), number, left;
  if (llvm::isPowerOf2_64(stride)) {
    number = apply(shiftDown, sum, llvm::Log2_64(stride));
    left = apply(bits, sum, stride - 1);
  } else {
    number = apply(divide, sum, stride);
    left = apply(rest, sum, stride);
  }
  number = apply(add, number, -more);
  Value begins =
      arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, left, integer(0, loc));
  window.given = arith::SelectOp::create(builder, loc, begins, number, integer(-1, loc));
  return window;
}

Value BodyWriter::overlapAdd(OverlapAddOp op, ArrayRef<Axis> index) {
  Location loc = op.getLoc();
  unsigned first = unsigned(op.getDim()), count = op.getStrides().size();
  ArrayRef<int64_t> from = shapeOf(op.getX());
  SmallVector<int64_t> sizes = op.getWindow();
  SmallVector<bool> isAlone(shapeOf(op.getResult()).size(), false);
  std::fill_n(isAlone.begin() + first, count, true);
  std::optional<SmallVector<Index>> axes = axesOfDims(op.getResult(), isAlone, index);
  if (!axes) return Value();
  SmallVector<SmallVector<std::optional<Axis>>> windows(count); // by dim and place in the window
  for (unsigned i = 0; i < count; ++i) {
    Axis place = joined((*axes)[first + i], loc);
    for (int64_t k = 0; k < sizes[i]; ++k)
      windows[i].push_back(windowAt(place, op.getLow()[i] - k * op.getDilations()[i],
                                    op.getStrides()[i], from[first + i], loc));
  }
  Index before, behind;
  for (unsigned dim = 0; dim < axes->size(); ++dim)
    if (!isAlone[dim]) llvm::append_range(dim < first ? before : behind, (*axes)[dim]);
  Value none = element(builder.getF32Type(), builder.getF32FloatAttr(-0.0f), loc), sum;
  bool isComplete = true;
  forEachIndex(sizes, [&](ArrayRef<int64_t> k) {
    SmallVector<Axis> standing, inside;
    for (unsigned i = 0; i < count; ++i) {
      if (!windows[i][k[i]]) return; // adds nothing, anywhere
      standing.push_back(*windows[i][k[i]]);
      inside.push_back(Axis::at(k[i], sizes[i]));
    }
    Index operand = before;
    llvm::append_range(operand, standing);
    llvm::append_range(operand, inside);
    llvm::append_range(operand, behind);
    Value part = isComplete ? at(op.getX(), operand) : Value();
    isComplete = isComplete && part;
    if (!isComplete) return;
    if (Value within = areWithin(standing, loc))
      part = arith::SelectOp::create(builder, loc, within, part, none);
    sum = sum ? Value(arith::AddFOp::create(builder, loc, sum, part)) : part;
  });
  if (!isComplete) return Value();
  return sum ? sum : none;
}

/// The elements of a group one after another.
Value BodyWriter::smallReduce(ReduceOp op, ArrayRef<Axis> index) {
  Location loc = op.getLoc();
  ArrayRef<int64_t> from = shapeOf(op.getX());
  SmallVector<bool> borders(shapeOf(op.getResult()).size() + 1, false);
  SmallVector<int64_t> sizes;
  for (auto [number, dim] : llvm::enumerate(op.getDims())) {
    borders[dim - int64_t(number)] = true; // as many dims of the result stand before it
    sizes.push_back(from[dim]);
  }
  std::optional<SmallVector<Piece>> pieces = split(op.getResult(), borders, index);
  if (!pieces) return Value();
  SmallVector<Index> axes(borders.size());
  for (const Piece &piece : *pieces)
    axes[piece.firstDim] = piece.axes;
  Value result;
  bool isComplete = true;
  forEachIndex(sizes, [&](ArrayRef<int64_t> place) {
    Index operand;
    unsigned reduced = 0;
    for (unsigned dim = 0; dim < from.size(); ++dim) {
      bool isReduced = reduced < sizes.size() && op.getDims()[reduced] == int64_t(dim);
      if (!isReduced) {
        llvm::append_range(operand, axes[dim - reduced]);
        continue;
      }
      operand.push_back(Axis::at(place[reduced], sizes[reduced]));
      ++reduced;
    }
    Value element = isComplete ? at(op.getX(), operand) : Value();
    isComplete = isComplete && element;
    if (!isComplete) return;
    result = result ? combineScalars(builder, loc, op.getKind(), result, element) : element;
  });
  return isComplete ? result : Value();
}

} // namespace dlm::fuse
