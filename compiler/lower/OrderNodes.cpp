// Sorting, the places of extremes in integers, and remainders, made of comparisons and sums of
// counts: no kernel of their own.
//
// An element's rank is how many stand before it: smaller ones, and equal ones with a lower index.
// The element of rank r is found by looking for r among the ranks. Both compare each with each,
// which nothing that is large should do: `NotYet` bounds it. NaN counts as larger than any number,
// so that it is found by `top_k`, as it is by `max`.
#include "compiler/lower/GraphLowering.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;

namespace {

/// Values of one shape, with operators that build ops.
class Comparisons {
public:
  Comparisons(mlir::OpBuilder &build, mlir::Location loc) : build(build), loc(loc) {}

  Value compare(CompareKind kind, Value a, Value b) {
    return CompareOp::create(build, loc, kind, a, b);
  }
  Value both(Value a, Value b) { return AndOp::create(build, loc, a, b); }
  Value either(Value a, Value b) { return OrOp::create(build, loc, a, b); }
  Value isNot(Value a) { return NotOp::create(build, loc, a); }
  Value select(Value condition, Value a, Value b) {
    return SelectOp::create(build, loc, condition, a, b);
  }
  Value add(Value a, Value b) { return AddOp::create(build, loc, a, b); }
  Value sub(Value a, Value b) { return SubOp::create(build, loc, a, b); }
  Value mul(Value a, Value b) { return MulOp::create(build, loc, a, b); }
  Value div(Value a, Value b) { return DivOp::create(build, loc, a, b); }
  Value number(RankedTensorType type, double value) {
    return ConstantOp::create(build, loc, type, value);
  }
  Value cast(Value x, mlir::Type element) {
    auto type = mlir::cast<RankedTensorType>(x.getType());
    if (type.getElementType() == element) return x;
    return CastOp::create(build, loc, type.clone(element), x);
  }
  /// The index along a dim.
  Value index(llvm::ArrayRef<int64_t> shape, int64_t dim) {
    return IotaOp::create(build, loc, RankedTensorType::get(shape, build.getI32Type()), dim);
  }
  Value reduce(ReduceKind kind, Value x, int64_t dim) {
    return ReduceOp::create(build, loc, kind, x, llvm::ArrayRef<int64_t>{dim}, TreeAttr());
  }
  /// A tensor in one of more dims, of which it lacks `missing`.
  Value spread(Value x, llvm::ArrayRef<int64_t> shape, int64_t missing) {
    llvm::SmallVector<int64_t> dims;
    for (int64_t dim = 0; dim < int64_t(shape.size()); ++dim)
      if (dim != missing) dims.push_back(dim);
    auto type = mlir::cast<RankedTensorType>(x.getType()).clone(shape);
    return BroadcastOp::create(build, loc, type, x, dims);
  }

private:
  mlir::OpBuilder &build;
  mlir::Location loc;
};

/// How many elements of the last dim stand before each. `isDescending`: the larger ones.
Value ranksOf(Comparisons &build, Value x, bool isDescending, mlir::Type i32) {
  auto type = mlir::cast<RankedTensorType>(x.getType());
  int64_t rank = type.getRank();
  llvm::SmallVector<int64_t> shape(type.getShape());
  shape.push_back(shape.back());
  Value own = build.spread(x, shape, rank), other = build.spread(x, shape, rank - 1);
  auto isNaN = [&](Value value) { return build.compare(CompareKind::Ne, value, value); };
  Value isEqual = build.compare(CompareKind::Eq, own, other);
  Value isBefore = build.compare(isDescending ? CompareKind::Gt : CompareKind::Lt, other, own);
  if (mlir::isa<mlir::FloatType>(type.getElementType())) {
    Value ownNaN = isNaN(own), otherNaN = isNaN(other);
    isEqual = build.either(isEqual, build.both(ownNaN, otherNaN));
    Value first = isDescending ? otherNaN : ownNaN, second = isDescending ? ownNaN : otherNaN;
    isBefore = build.either(isBefore, build.both(first, build.isNot(second)));
  }
  Value isEarlier =
      build.compare(CompareKind::Lt, build.index(shape, rank), build.index(shape, rank - 1));
  isBefore = build.either(isBefore, build.both(isEqual, isEarlier));
  return build.reduce(ReduceKind::Add, build.cast(isBefore, i32), rank);
}

/// Where the elements of the ranks 0 to `count` - 1 are.
Value placesOf(Comparisons &build, Value ranks, int64_t count) {
  auto type = mlir::cast<RankedTensorType>(ranks.getType());
  int64_t rank = type.getRank();
  llvm::SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.push_back(count);
  shape.push_back(type.getDimSize(rank - 1));
  Value isHere = build.compare(CompareKind::Eq, build.spread(ranks, shape, rank - 1),
                               build.index(shape, rank - 1));
  Value at = build.index(shape, rank);
  Value none = build.number(mlir::cast<RankedTensorType>(at.getType()), 0);
  return build.reduce(ReduceKind::Add, build.select(isHere, at, none), rank);
}

/// The first place of the largest or smallest integer.
Value integerExtreme(Comparisons &build, Value x, int64_t dim, bool isLargest) {
  auto type = mlir::cast<RankedTensorType>(x.getType());
  Value most = build.reduce(isLargest ? ReduceKind::Max : ReduceKind::Min, x, dim);
  Value isMost = build.compare(CompareKind::Eq, x, build.spread(most, type.getShape(), dim));
  Value at = build.index(type.getShape(), dim);
  Value behind =
      build.number(mlir::cast<RankedTensorType>(at.getType()), double(type.getDimSize(dim)));
  return build.reduce(ReduceKind::Min, build.select(isMost, at, behind), dim);
}

/// With the sign of the divisor, and 0 where that is 0.
Value remainder(Comparisons &build, Value a, Value b) {
  auto type = mlir::cast<RankedTensorType>(a.getType());
  Value zero = build.number(type, 0), one = build.number(type, 1);
  // Dividing by 0 has no result, and dividing the smallest number by -1 none that fits.
  Value isPlain = build.both(build.compare(CompareKind::Ne, b, zero),
                             build.compare(CompareKind::Ne, b, build.number(type, -1)));
  Value divisor = build.select(isPlain, b, one);
  Value rest = build.sub(a, build.mul(build.div(a, divisor), divisor));
  Value isBelow = build.compare(CompareKind::Lt, rest, zero);
  Value isDivisorBelow = build.compare(CompareKind::Lt, divisor, zero);
  Value differ = build.either(build.both(isBelow, build.isNot(isDivisorBelow)),
                              build.both(isDivisorBelow, build.isNot(isBelow)));
  Value isOther = build.both(build.compare(CompareKind::Ne, rest, zero), differ);
  return build.select(isOther, build.add(rest, divisor), rest);
}

} // namespace

/// What looks for elements by their size, and what is left by a division.
Value GraphLowering::ordering(const sema::Node &node) {
  bool isExtreme = node.op == "argmax" || node.op == "argmin";
  bool isSorted = node.op == "order" || node.op == "top_k";
  if (!isExtreme && !isSorted && node.op != "rem") return {};
  Comparisons ops(build, at(node));
  mlir::Type i32 = build.getI32Type();
  // What is counted in bytes is compared, and divided, in larger numbers.
  auto wide = [&](Value x) {
    mlir::Type element = mlir::cast<RankedTensorType>(x.getType()).getElementType();
    return element.isInteger(8) ? ops.cast(x, i32) : x;
  };
  Value x = wide(operand(node, 0));
  RankedTensorType type = typeOf(node);
  if (node.op == "rem")
    return ops.cast(remainder(ops, x, wide(operand(node, 1))), type.getElementType());
  if (isSorted) {
    bool isDescending = node.op == "top_k" || node.ints[1] != 0;
    return placesOf(ops, ranksOf(ops, x, isDescending, i32), type.getShape().back());
  }
  bool isLargest = node.op == "argmax";
  bool isReal =
      mlir::isa<mlir::FloatType>(mlir::cast<RankedTensorType>(x.getType()).getElementType());
  if (!isReal) return integerExtreme(ops, x, node.ints[0], isLargest);
  if (!isLargest) x = NegOp::create(build, at(node), x);
  return ArgmaxOp::create(build, at(node), type, x, node.ints[0]);
}

} // namespace dlm::lower
