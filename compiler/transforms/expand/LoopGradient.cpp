// The step backwards is written into a block of its own. When it is known which states it looks
// at, the loop forwards is made to keep those, and `ScanOp::close` makes a loop of the block.
#include "compiler/transforms/expand/LoopGradient.h"

#include "compiler/transforms/expand/Recompute.h"
#include "compiler/transforms/expand/ReverseWalk.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace dlm::expand {

using mlir::BlockArgument;
using mlir::RankedTensorType;
using mlir::Value;

namespace {

RankedTensorType loopTypeOf(Value value) { return mlir::cast<RankedTensorType>(value.getType()); }

class LoopGradient {
public:
  LoopGradient(mlir::OpBuilder &builder, ScanOp scan, const ActiveValues &active,
               llvm::ArrayRef<Value> resultGrads)
      : build(builder), scan(scan), active(active), loc(scan.getLoc()),
        lastGrads(resultGrads.take_front(scan.getInits().size())),
        stackedGrads(resultGrads.drop_front(scan.getInits().size())) {}

  mlir::LogicalResult write();
  void close(llvm::SmallVectorImpl<Value> &operandGrads);

private:
  /// An argument of the step backwards, and which part of the loop it goes with.
  struct Part {
    size_t number;
    BlockArgument argument;
  };
  using Parts = llvm::SmallVector<Part>;

  void addParts(Parts &parts, mlir::ValueRange of, llvm::function_ref<bool(size_t)> isIn);
  void addArguments();
  mlir::LogicalResult walkBack(const mlir::IRMapping &mapping, mlir::OpBuilder &inner);
  void dropUnused();
  void keepStates(llvm::SmallVectorImpl<Value> &kept);

  mlir::OpBuilder &build;
  ScanOp scan;
  const ActiveValues &active;
  mlir::Location loc;
  llvm::ArrayRef<Value> lastGrads, stackedGrads;

  mlir::Block step;      // backwards
  Parts carried, summed; // gradients of states, and of captures: the states backwards
  Parts given;           // gradients of outputs
  Parts states, slices;  // of the loop forwards
  Parts captures;
  llvm::SmallVector<Value> next, outputs; // what the step backwards gives
};

void LoopGradient::addParts(Parts &parts, mlir::ValueRange of,
                            llvm::function_ref<bool(size_t)> isIn) {
  for (size_t i = 0; i < of.size(); ++i)
    if (isIn(i)) parts.push_back({i, step.addArgument(of[i].getType(), loc)});
}

/// The number, the states and slices in the order of `close`, and then the captures.
void LoopGradient::addArguments() {
  auto all = [](size_t) { return true; };
  auto areActive = [&](mlir::ValueRange values) {
    return [this, values](size_t i) { return active.contains(values[i]); };
  };
  step.addArgument(scan.getTripNumber().getType(), loc);
  addParts(carried, mlir::ValueRange(scan.getStates()),
           areActive(mlir::ValueRange(scan.getStates())));
  addParts(summed, mlir::ValueRange(scan.getCaptured()),
           areActive(mlir::ValueRange(scan.getCaptured())));
  addParts(given, scan.getOutputs(),
           [&](size_t i) { return stackedGrads[i] && active.contains(scan.getOutputs()[i]); });
  addParts(states, mlir::ValueRange(scan.getStates()), all);
  addParts(slices, mlir::ValueRange(scan.getSlices()), all);
  addParts(captures, mlir::ValueRange(scan.getCaptured()), all);
}

mlir::LogicalResult LoopGradient::write() {
  addArguments();
  mlir::IRMapping mapping;
  mapping.map(scan.getTripNumber(), step.getArgument(0));
  for (auto [from, parts] :
       {std::pair(scan.getStates(), &states), std::pair(scan.getSlices(), &slices),
        std::pair(scan.getCaptured(), &captures)})
    for (const Part &part : *parts)
      mapping.map(from[part.number], part.argument);
  mlir::OpBuilder inner(scan.getContext());
  inner.setInsertionPointToEnd(&step);
  for (mlir::Operation &op : scan.getBody()->without_terminator()) // computed again as it is
    inner.clone(op, mapping)->walk([](mlir::Operation *copy) { copy->removeAttr(RecomputeAttr); });
  if (failed(walkBack(mapping, inner))) return mlir::failure();
  dropUnused();
  return mlir::success();
}

/// Behind a copy of the step: its gradient.
mlir::LogicalResult LoopGradient::walkBack(const mlir::IRMapping &mapping, mlir::OpBuilder &inner) {
  llvm::SmallVector<Value> inputs;
  for (auto [from, parts] :
       {std::pair(scan.getStates(), &states), std::pair(scan.getSlices(), &slices),
        std::pair(scan.getCaptured(), &captures)})
    for (const Part &part : *parts)
      if (active.contains(from[part.number])) inputs.push_back(part.argument);
  ReverseWalk walk(inner, inputs);
  for (const Part &part : carried)
    walk.add(mapping.lookup(scan.getNextStates()[part.number]), part.argument);
  for (const Part &part : given)
    walk.add(mapping.lookup(scan.getOutputs()[part.number]), part.argument);
  if (failed(walk.run())) return mlir::failure();
  auto gradientOf = [&](Value value) -> Value {
    Value gradient = walk.gradientOf(value);
    return gradient ? gradient : ConstantOp::create(inner, loc, loopTypeOf(value), 0.0);
  };
  for (const Part &part : carried)
    next.push_back(gradientOf(states[part.number].argument));
  for (const Part &part : summed) {
    Value gradient = walk.gradientOf(captures[part.number].argument);
    next.push_back(gradient ? AddOp::create(inner, loc, part.argument, gradient)
                            : Value(part.argument));
  }
  for (const Part &part : slices)
    if (active.contains(scan.getSlices()[part.number]))
      outputs.push_back(gradientOf(part.argument));
  return mlir::success();
}

/// Most of what the step computes last is of no use to its gradient, nor is what that needs.
void LoopGradient::dropUnused() {
  llvm::SmallVector<Value> needed(next);
  llvm::append_range(needed, outputs);
  ActiveValues results(needed.begin(), needed.end());
  for (mlir::Operation &op : llvm::make_early_inc_range(llvm::reverse(step)))
    if (mlir::isOpTriviallyDead(&op) &&
        llvm::none_of(op.getResults(), [&](Value v) { return results.contains(v); }))
      op.erase();
  for (Parts *parts : {&states, &slices})
    llvm::erase_if(*parts, [&](const Part &part) {
      if (!part.argument.use_empty() || results.contains(part.argument)) return false;
      step.eraseArgument(part.argument.getArgNumber());
      return true;
    });
  for (const Part &part : captures) {
    Value around = scan.getCaptures()[part.number];
    Value(part.argument).replaceAllUsesWith(around);
    for (auto *given : {&next, &outputs})
      std::replace(given->begin(), given->end(), Value(part.argument), around);
  }
  step.eraseArguments(step.getNumArguments() - captures.size(), captures.size());
}

/// Puts a loop in the place of `scan` that also gives the states before each trip that are used.
void LoopGradient::keepStates(llvm::SmallVectorImpl<Value> &kept) {
  if (states.empty()) return;
  mlir::OpBuilder::InsertionGuard guard(build);
  build.setInsertionPoint(scan);
  llvm::SmallVector<Value> before;
  for (const Part &part : states)
    before.push_back(scan.getStates()[part.number]);
  mlir::ValueRange outputs(scan.getOutputs());
  llvm::SmallVector<mlir::Type> types(outputs.getTypes());
  llvm::append_range(types, mlir::ValueRange(before).getTypes());
  auto keeping = ScanOp::create(build, loc, int64_t(scan.getTrips()), scan.getReverse(),
                                scan.getInits(), scan.getXs(), scan.getCaptures(), types);
  mlir::IRMapping mapping;
  mapping.map(scan.getBody()->getArguments(), keeping.getBody()->getArguments());
  build.setInsertionPointToEnd(keeping.getBody());
  for (mlir::Operation &op : scan.getBody()->without_terminator())
    build.clone(op, mapping);
  llvm::SmallVector<Value> yields;
  for (Value value : scan.getBody()->getTerminator()->getOperands())
    yields.push_back(mapping.lookup(value));
  for (Value value : before)
    yields.push_back(mapping.lookup(value));
  YieldOp::create(build, loc, yields);
  scan->replaceAllUsesWith(keeping->getResults().take_front(scan->getNumResults()));
  llvm::append_range(kept, keeping->getResults().take_back(before.size()));
}

void LoopGradient::close(llvm::SmallVectorImpl<Value> &operandGrads) {
  llvm::SmallVector<Value> kept;
  keepStates(kept);
  llvm::SmallVector<Value> inits, xs;
  for (const Part &part : carried) {
    Value gradient = lastGrads[part.number];
    inits.push_back(
        gradient ? gradient
                 : ConstantOp::create(build, loc, loopTypeOf(scan.getInits()[part.number]), 0.0));
  }
  for (const Part &part : summed)
    inits.push_back(
        ConstantOp::create(build, loc, loopTypeOf(scan.getCaptures()[part.number]), -0.0));
  for (const Part &part : given)
    xs.push_back(stackedGrads[part.number]);
  llvm::append_range(xs, kept);
  for (const Part &part : slices)
    xs.push_back(scan.getXs()[part.number]);

  ScanOp backward = ScanOp::close(build, loc, int64_t(scan.getTrips()), !scan.getReverse(), inits,
                                  xs, step, next, outputs);
  auto results = backward.getResults().begin();
  llvm::SmallVector<Value> ofInits(scan.getInits().size()), ofCaptures(scan.getCaptures().size());
  for (const Part &part : carried)
    ofInits[part.number] = *results++;
  for (const Part &part : summed)
    ofCaptures[part.number] = *results++;
  llvm::append_range(operandGrads, ofInits);
  for (Value slice : scan.getSlices())
    operandGrads.push_back(active.contains(slice) ? *results++ : Value());
  llvm::append_range(operandGrads, ofCaptures);
}

} // namespace

mlir::LogicalResult buildLoopGradient(mlir::OpBuilder &builder, ScanOp scan,
                                      const ActiveValues &active, llvm::ArrayRef<Value> resultGrads,
                                      llvm::SmallVectorImpl<Value> &operandGrads) {
  LoopGradient gradient(builder, scan, active, resultGrads);
  if (failed(gradient.write())) return mlir::failure();
  gradient.close(operandGrads);
  return mlir::success();
}

} // namespace dlm::expand
