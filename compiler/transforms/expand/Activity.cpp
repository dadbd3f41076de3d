// One pass forwards. A loop carries what depends on an input from trip to trip: its step is looked
// at until no state is added. O(ops), and for each loop that times its states at most.
#include "compiler/transforms/expand/Activity.h"

#include "dialects/dlm/Dlm.h"

#include "mlir/IR/TypeUtilities.h"

namespace dlm::expand {

namespace {

bool isReal(mlir::Value value) { return mlir::getElementTypeOrSelf(value.getType()).isF32(); }

void markLoop(ScanOp scan, ActiveValues &active) {
  mlir::Block &step = *scan.getBody();
  for (auto [argument, operand] :
       llvm::zip_equal(step.getArguments().drop_front(), scan->getOperands()))
    if (active.contains(operand)) active.insert(argument);
  bool grows = true;
  while (grows) {
    markActive(step.begin(), step.end(), active);
    grows = false;
    for (auto [state, next] : llvm::zip_equal(scan.getStates(), scan.getNextStates()))
      if (active.contains(next)) grows |= active.insert(state).second;
  }
  for (auto [result, given] :
       llvm::zip_equal(scan.getResults(), step.getTerminator()->getOperands()))
    if (active.contains(given)) active.insert(result);
}

} // namespace

void markActive(mlir::Block::iterator begin, mlir::Block::iterator end, ActiveValues &active) {
  for (mlir::Operation &op : llvm::make_range(begin, end)) {
    if (mlir::isa<ZeroGradientOpInterface>(op)) continue;
    if (llvm::none_of(op.getOperands(), [&](mlir::Value v) { return active.contains(v); }))
      continue;
    if (auto scan = mlir::dyn_cast<ScanOp>(op)) {
      markLoop(scan, active);
      continue;
    }
    for (mlir::Value result : op.getResults())
      if (isReal(result)) active.insert(result);
  }
}

} // namespace dlm::expand
