// Costs that differ from "one operation per result element".
#include "dialects/dlm/Dlm.h"

namespace dlm {

int64_t BroadcastOp::getFlops() { return 0; }
int64_t ReshapeOp::getFlops() { return 0; }
int64_t TransposeOp::getFlops() { return 0; }
int64_t SegmentOp::getFlops() { return 0; }
int64_t PackOp::getFlops() { return 0; }
int64_t SliceOp::getFlops() { return 0; }
int64_t PadOp::getFlops() { return 0; }
int64_t FlipOp::getFlops() { return 0; }
int64_t ConcatOp::getFlops() { return 0; }
int64_t GatherOp::getFlops() { return 0; }
int64_t ConstantOp::getFlops() { return 0; }

int64_t ReduceOp::getFlops() { return tensorElements(getX()); }
int64_t ArgmaxOp::getFlops() { return tensorElements(getX()); }
int64_t ScatterAddOp::getFlops() { return tensorElements(getX()); }

/// Philox4x32-10: about 100 integer operations for four words.
int64_t RandomOp::getFlops() { return 25 * tensorElements(getResult()); }

int64_t MatmulOp::getM() { return mlir::cast<mlir::ShapedType>(getType()).getDimSize(0); }

int64_t MatmulOp::getN() { return mlir::cast<mlir::ShapedType>(getType()).getDimSize(1); }

int64_t MatmulOp::getK() {
  auto lhs = mlir::cast<mlir::ShapedType>(getLhs().getType());
  return lhs.getDimSize(getTransposeLhs() ? 0 : 1);
}

int64_t MatmulOp::getFlops() { return 2 * getM() * getN() * getK(); }

} // namespace dlm
