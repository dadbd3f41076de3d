// The walk every textbook has (Griewank and Walther, Evaluating Derivatives, chapter 3): forward to
// mark what depends on the inputs, backward to hand each op the gradient of its results and to add
// what it says about its operands. It asks the op (DifferentiableOpInterface) and knows none, but
// for loops, which it has to change (LoopGradient.h). Of a call that is to be recomputed an op is
// asked as a copy, which Recompute.cpp makes.
//
// O(ops). Gradients are added in the order of the walk, so the result is a function of the program
// alone. Gradients of values that depend on no input are not kept; the ops that an op's own rule
// built for them are dead and vanish in the next simplification.
#include "compiler/transforms/expand/ReverseWalk.h"

#include "compiler/transforms/expand/LoopGradient.h"
#include "dialects/dlm/Dlm.h"

namespace dlm::expand {

using mlir::failure;
using mlir::Operation;
using mlir::success;
using mlir::Value;

ReverseWalk::ReverseWalk(mlir::OpBuilder &builder, mlir::ValueRange inputs) : build(builder) {
  mlir::Block::iterator begin = builder.getBlock()->begin(), end = builder.getInsertionPoint();
  for (Operation &op : llvm::make_range(begin, end))
    ops.push_back(&op);
  recomputation.find(ops);
  active.insert(inputs.begin(), inputs.end());
  markActive(begin, end, active);
}

void ReverseWalk::add(Value value, Value gradient) {
  if (!gradient || !active.contains(value)) return;
  Value &sum = gradients[value];
  sum = sum ? AddOp::create(build, gradient.getLoc(), sum, gradient) : gradient;
}

mlir::LogicalResult ReverseWalk::run() {
  for (Operation *op : llvm::reverse(ops))
    if (failed(visit(op))) return failure();
  return success();
}

mlir::LogicalResult ReverseWalk::visit(Operation *op) {
  llvm::SmallVector<Value> resultGrads;
  for (Value result : op->getResults())
    resultGrads.push_back(gradientOf(result));
  if (llvm::none_of(resultGrads, [](Value v) { return bool(v); })) return success();
  if (llvm::none_of(op->getOperands(), [&](Value v) { return active.contains(v); }))
    return success();
  llvm::SmallVector<Value> operandGrads;
  if (auto scan = mlir::dyn_cast<ScanOp>(op)) {
    if (failed(buildLoopGradient(build, scan, active, resultGrads, operandGrads))) return failure();
  } else {
    llvm::SmallVector<Value> present;
    llvm::copy_if(resultGrads, std::back_inserter(present), [](Value v) { return bool(v); });
    auto rule = mlir::dyn_cast<DifferentiableOpInterface>(recomputation.copyOf(build, op, present));
    if (!rule)
      return op->emitOpError("stands between a parameter and the loss and has no gradient");
    for (auto [grad, result] : llvm::zip(resultGrads, op->getResults()))
      if (!grad)
        grad = ConstantOp::create(build, op->getLoc(),
                                  mlir::cast<mlir::RankedTensorType>(result.getType()), 0.0);
    if (failed(rule.buildGradient(build, resultGrads, operandGrads))) return failure();
  }
  for (auto [operand, grad] : llvm::zip_equal(op->getOperands(), operandGrads))
    add(operand, grad);
  return success();
}

} // namespace dlm::expand
