// Writes the op's text into a block of its own and looks at it.
#include "compiler/transforms/fuse/ScalarCost.h"

#include "dialects/dlm/Dlm.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/Builders.h>

using namespace mlir;

namespace dlm::fuse {

bool isCheapScalar(Operation *op) {
  auto scalarOp = dyn_cast<ScalarOpInterface>(op);
  if (!scalarOp) return false;
  Block block;
  SmallVector<Value> scalars;
  for (Value operand : op->getOperands()) {
    Type element = cast<RankedTensorType>(operand.getType()).getElementType();
    scalars.push_back(block.addArgument(scalarType(element), op->getLoc()));
  }
  OpBuilder builder(op->getContext());
  builder.setInsertionPointToEnd(&block);
  scalarOp.buildScalar(builder, op->getLoc(), scalars);
  return llvm::all_of(block, [](Operation &part) {
    bool isExact =
        isa<math::AbsFOp, math::AbsIOp, math::FloorOp, math::CeilOp, math::RoundEvenOp>(part);
    return !isa<arith::DivFOp, arith::DivSIOp>(part) &&
           (isExact || !isa<math::MathDialect>(part.getDialect()));
  });
}

} // namespace dlm::fuse
