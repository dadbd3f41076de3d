// A call is copied as a whole: what of the copy nothing needs is dead and vanishes in the next
// simplification. O(ops).
#include "compiler/transforms/expand/Recompute.h"

#include "dialects/dlm/Dlm.h"

#include "mlir/IR/IRMapping.h"

namespace dlm::expand {

using mlir::Operation;
using mlir::Value;

void Recomputation::find(llvm::ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (auto number = op->getAttrOfType<mlir::IntegerAttr>(RecomputeAttr))
      calls[number.getInt()].push_back(op);
}

Operation *Recomputation::copyOf(mlir::OpBuilder &build, Operation *op,
                                 llvm::ArrayRef<Value> gradients) {
  auto number = op->getAttrOfType<mlir::IntegerAttr>(RecomputeAttr);
  if (!number) return op;
  if (!copies.contains(op)) {
    llvm::SmallVector<Value> after(gradients);
    llvm::append_range(after, op->getResults());
    copy(build, calls[number.getInt()], after);
  }
  return copies.lookup(op);
}

/// Constants are not fenced: they take no memory, and folders look for them.
void Recomputation::copy(mlir::OpBuilder &build, llvm::ArrayRef<Operation *> call,
                         llvm::ArrayRef<Value> after) {
  mlir::IRMapping mapping;
  for (Operation *op : call) {
    for (Value operand : op->getOperands()) {
      if (mapping.contains(operand) || operand.getDefiningOp<ConstantOp>()) continue;
      mapping.map(operand, FenceOp::create(build, op->getLoc(), operand, after).getResult());
    }
    Operation *again = build.clone(*op, mapping);
    again->removeAttr(RecomputeAttr);
    copies[op] = again;
  }
}

} // namespace dlm::expand
