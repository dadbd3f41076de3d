// Convolutions as products of matrices: a row for each window, with all that it sees, times a
// column for each output. The transposed one is the product first, then the sum of the windows.
#include "compiler/lower/GraphLowering.h"

#include "dialects/dlm/Dlm.h"

namespace dlm::lower {

using mlir::RankedTensorType;
using mlir::Value;
using Shape = llvm::SmallVector<int64_t>;

namespace {

/// What stands in `ints` behind the first number: for each dim stride, dilation and zeros in front.
struct Steps {
  llvm::ArrayRef<int64_t> strides, dilations, low;

  explicit Steps(const sema::Node &node) {
    llvm::ArrayRef<int64_t> numbers = llvm::ArrayRef<int64_t>(node.ints).drop_front();
    size_t count = numbers.size() / 3;
    strides = numbers.take_front(count);
    dilations = numbers.slice(count, count);
    low = numbers.take_back(count);
  }
  size_t count() const { return strides.size(); }
};

llvm::ArrayRef<int64_t> shapeOf(Value value) {
  return mlir::cast<RankedTensorType>(value.getType()).getShape();
}

int64_t product(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

} // namespace

Value GraphLowering::windowing(const sema::Node &node) {
  if (node.op == "convolution") return convolution(node);
  if (node.op == "convolution_transpose") return convolutionTranspose(node);
  if (node.op != "windows") return {};
  Steps steps(node);
  return WindowsOp::create(
      build, at(node), typeOf(node), operand(node, 0), build.getI64IntegerAttr(node.ints[0]),
      build.getDenseI64ArrayAttr(steps.strides), build.getDenseI64ArrayAttr(steps.dilations),
      build.getDenseI64ArrayAttr(steps.low));
}

Value GraphLowering::reshaped(const sema::Node &node, Value x, llvm::ArrayRef<int64_t> shape) {
  if (shapeOf(x) == shape) return x;
  return ReshapeOp::create(build, at(node), x, shape);
}

/// The operand's dims in another order.
static Value permuted(mlir::OpBuilder &build, mlir::Location loc, Value x, const Shape &order) {
  return TransposeOp::create(build, loc, x, build.getDenseI64ArrayAttr(order));
}

/// The product of matrices, perhaps several side by side.
static Value multiplied(mlir::OpBuilder &build, mlir::Location loc, Value left, Value right,
                        const Shape &shape) {
  auto type = mlir::cast<RankedTensorType>(left.getType()).clone(shape);
  return MatmulOp::create(build, loc, type, left, right, /*transposeLhs=*/false,
                          /*transposeRhs=*/false, ChainAttr());
}

Value GraphLowering::convolution(const sema::Node &node) {
  mlir::Location loc = at(node);
  Value x = operand(node, 0), weight = operand(node, 1);
  Steps steps(node);
  int64_t groups = node.ints[0];
  RankedTensorType type = typeOf(node);
  llvm::ArrayRef<int64_t> window = shapeOf(weight).take_front(steps.count());
  int64_t channels = shapeOf(x).back(), inputs = channels / groups;
  int64_t outputs = type.getShape().back() / groups, places = product(window);
  int64_t rows = product(type.getShape().drop_back());
  bool isPlain = places == 1 && llvm::all_of(steps.strides, [](int64_t n) { return n == 1; }) &&
                 llvm::all_of(steps.low, [](int64_t n) { return n == 0; });
  if (!isPlain) {
    Shape seen(type.getShape().drop_back());
    llvm::append_range(seen, window);
    seen.push_back(channels);
    x = WindowsOp::create(build, loc, type.clone(seen), x, build.getI64IntegerAttr(1),
                          build.getDenseI64ArrayAttr(steps.strides),
                          build.getDenseI64ArrayAttr(steps.dilations),
                          build.getDenseI64ArrayAttr(steps.low));
  }
  if (groups == channels && outputs == 1) return depthwise(node, x);
  auto multiply = [&](Value left, Value right, const Shape &shape) {
    return multiplied(build, loc, left, right, shape);
  };
  if (groups == 1) {
    Value left = reshaped(node, x, {rows, places * channels});
    Value right = reshaped(node, weight, {places * channels, outputs});
    return reshaped(node, multiply(left, right, {rows, outputs}), type.getShape());
  }
  Value left = reshaped(node, x, {rows, places, groups, inputs});
  left = reshaped(node, permuted(build, loc, left, {2, 0, 1, 3}), {groups, rows, places * inputs});
  Value right = reshaped(node, weight, {places * inputs, groups, outputs});
  right = permuted(build, loc, right, {1, 0, 2});
  Value sums = permuted(build, loc, multiply(left, right, {groups, rows, outputs}), {1, 0, 2});
  return reshaped(node, sums, type.getShape());
}

/// A channel by itself: its windows times its weights, summed over the places.
Value GraphLowering::depthwise(const sema::Node &node, Value windows) {
  mlir::Location loc = at(node);
  RankedTensorType type = typeOf(node);
  Value weight = operand(node, 1);
  int64_t channels = type.getShape().back(), rows = product(type.getShape().drop_back());
  int64_t places = product(shapeOf(weight)) / channels;
  Value seen = reshaped(node, windows, {rows, places, channels});
  auto seenType = mlir::cast<RankedTensorType>(seen.getType());
  Value factors =
      BroadcastOp::create(build, loc, seenType, reshaped(node, weight, {places, channels}),
                          llvm::ArrayRef<int64_t>{1, 2});
  Value products = MulOp::create(build, loc, seen, factors);
  Value sums = ReduceOp::create(build, loc, ReduceKind::Add, products, llvm::ArrayRef<int64_t>{1},
                                TreeAttr());
  return reshaped(node, sums, type.getShape());
}

Value GraphLowering::convolutionTranspose(const sema::Node &node) {
  mlir::Location loc = at(node);
  Value x = operand(node, 0), weight = operand(node, 1);
  Steps steps(node);
  int64_t groups = node.ints[0];
  RankedTensorType type = typeOf(node);
  llvm::ArrayRef<int64_t> window = shapeOf(weight).take_front(steps.count());
  int64_t places = product(window), rows = product(shapeOf(x).drop_back());
  int64_t inputs = shapeOf(x).back() / groups, outputs = type.getShape().back() / groups;
  auto multiply = [&](Value left, Value right, const Shape &shape) {
    return multiplied(build, loc, left, right, shape);
  };
  Value sums; // [rows, places, outputs]
  if (groups == 1) {
    Value right =
        permuted(build, loc, reshaped(node, weight, {places, inputs, outputs}), {1, 0, 2});
    sums = multiply(reshaped(node, x, {rows, inputs}),
                    reshaped(node, right, {inputs, places * outputs}), {rows, places * outputs});
  } else {
    Value left = permuted(build, loc, reshaped(node, x, {rows, groups, inputs}), {1, 0, 2});
    Value right = permuted(build, loc, reshaped(node, weight, {places, inputs, groups, outputs}),
                           {2, 1, 0, 3});
    right = reshaped(node, right, {groups, inputs, places * outputs});
    sums = multiply(left, right, {groups, rows, places * outputs});
    sums =
        permuted(build, loc, reshaped(node, sums, {groups, rows, places, outputs}), {1, 2, 0, 3});
  }
  Shape parts(shapeOf(x).drop_back());
  llvm::append_range(parts, window);
  parts.push_back(outputs * groups);
  return OverlapAddOp::create(build, loc, type, reshaped(node, sums, parts),
                              build.getI64IntegerAttr(1), build.getDenseI64ArrayAttr(steps.strides),
                              build.getDenseI64ArrayAttr(steps.dilations),
                              build.getDenseI64ArrayAttr(steps.low));
}

} // namespace dlm::lower
