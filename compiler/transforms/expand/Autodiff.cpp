// The walk every textbook has (Griewank and Walther, Evaluating Derivatives, chapter 3): forward to
// mark what depends on the inputs, backward to hand each op the gradient of its results and to add
// what it says about its operands. It asks the op (DifferentiableOpInterface) and knows none.
//
// O(ops). Gradients are added in the order of the walk, so the result is a function of the program
// alone. Gradients of values that depend on no input are not kept; the ops that an op's own rule
// built for them are dead and vanish in the next simplification.
#include "compiler/transforms/expand/Autodiff.h"

#include "dialects/dlm/Dlm.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

namespace dlm::expand {

using mlir::failure;
using mlir::Operation;
using mlir::success;
using mlir::Value;

namespace {

class ReverseWalk {
public:
  ReverseWalk(mlir::OpBuilder &builder, mlir::ValueRange inputs) : build(builder) {
    active.insert(inputs.begin(), inputs.end());
  }

  /// Marks every value from which a derivative with respect to an input can differ from zero.
  void markActive(llvm::ArrayRef<Operation *> ops);

  /// Adds to the gradient of a value.
  void add(Value value, Value gradient);

  /// Passes the gradients of an op's results to its operands.
  mlir::LogicalResult visit(Operation *op);

  Value gradientOf(Value value) const { return gradients.lookup(value); }

private:
  mlir::OpBuilder &build;
  llvm::DenseSet<Value> active;
  llvm::DenseMap<Value, Value> gradients;
};

bool isReal(Value value) { return mlir::getElementTypeOrSelf(value.getType()).isF32(); }

void ReverseWalk::markActive(llvm::ArrayRef<Operation *> ops) {
  for (Operation *op : ops) {
    if (mlir::isa<ZeroGradientOpInterface>(op)) continue;
    if (llvm::none_of(op->getOperands(), [&](Value v) { return active.contains(v); })) continue;
    for (Value result : op->getResults())
      if (isReal(result)) active.insert(result);
  }
}

void ReverseWalk::add(Value value, Value gradient) {
  if (!gradient || !active.contains(value)) return;
  Value &sum = gradients[value];
  sum = sum ? AddOp::create(build, gradient.getLoc(), sum, gradient) : gradient;
}

mlir::LogicalResult ReverseWalk::visit(Operation *op) {
  llvm::SmallVector<Value> resultGrads;
  for (Value result : op->getResults())
    resultGrads.push_back(gradientOf(result));
  if (llvm::none_of(resultGrads, [](Value v) { return bool(v); })) return success();
  if (llvm::none_of(op->getOperands(), [&](Value v) { return active.contains(v); }))
    return success();
  auto rule = mlir::dyn_cast<DifferentiableOpInterface>(op);
  if (!rule) return op->emitOpError("stands between a parameter and the loss and has no gradient");
  for (auto [grad, result] : llvm::zip(resultGrads, op->getResults()))
    if (!grad)
      grad = ConstantOp::create(build, op->getLoc(),
                                mlir::cast<mlir::RankedTensorType>(result.getType()), 0.0);
  llvm::SmallVector<Value> operandGrads;
  if (failed(rule.buildGradient(build, resultGrads, operandGrads))) return failure();
  for (auto [operand, grad] : llvm::zip_equal(op->getOperands(), operandGrads))
    add(operand, grad);
  return success();
}

} // namespace

mlir::FailureOr<llvm::SmallVector<Value>>
buildGradients(mlir::OpBuilder &builder, mlir::ValueRange outputs, mlir::ValueRange inputs) {
  llvm::SmallVector<Operation *> ops;
  mlir::Block::iterator end = builder.getInsertionPoint();
  for (auto op = builder.getBlock()->begin(); op != end; ++op)
    ops.push_back(&*op);

  ReverseWalk walk(builder, inputs);
  walk.markActive(ops);
  for (Value output : outputs) {
    auto type = mlir::cast<mlir::RankedTensorType>(output.getType());
    walk.add(output, ConstantOp::create(builder, output.getLoc(), type, 1.0));
  }
  for (Operation *op : llvm::reverse(ops))
    if (failed(walk.visit(op))) return failure();

  llvm::SmallVector<Value> result;
  for (Value input : inputs)
    result.push_back(walk.gradientOf(input));
  return result;
}

} // namespace dlm::expand
