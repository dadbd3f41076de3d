// Costs that differ from "one operation per result element".
#include "dialects/dlm/Dlm.h"

namespace dlm {

int64_t BroadcastOp::getFlops() { return 0; }
int64_t ReshapeOp::getFlops() { return 0; }
int64_t FenceOp::getFlops() { return 0; }
int64_t TransposeOp::getFlops() { return 0; }
int64_t SegmentOp::getFlops() { return 0; }
int64_t PackOp::getFlops() { return 0; }
int64_t SliceOp::getFlops() { return 0; }
int64_t PadOp::getFlops() { return 0; }
int64_t FlipOp::getFlops() { return 0; }
int64_t ConcatOp::getFlops() { return 0; }
int64_t GatherOp::getFlops() { return 0; }
int64_t WindowsOp::getFlops() { return 0; }
int64_t ConstantOp::getFlops() { return 0; }

int64_t ReduceOp::getFlops() { return tensorElements(getX()); }
int64_t ArgmaxOp::getFlops() { return tensorElements(getX()); }
int64_t ScatterAddOp::getFlops() { return tensorElements(getX()); }
int64_t OverlapAddOp::getFlops() { return tensorElements(getX()); }

/// Philox4x32-10: about 100 integer operations for four words.
int64_t RandomOp::getFlops() { return 25 * tensorElements(getResult()); }

/// A size of a tensor, counted from behind.
static int64_t sizeFromEnd(mlir::Value tensor, int64_t dim) {
  auto type = mlir::cast<mlir::ShapedType>(tensor.getType());
  return type.getDimSize(type.getRank() - dim);
}

int64_t MatmulOp::getBatch() {
  int64_t products = 1;
  for (int64_t size : mlir::cast<mlir::ShapedType>(getType()).getShape().drop_back(2))
    products *= size;
  return products;
}

int64_t MatmulOp::getM() { return sizeFromEnd(getResult(), 2); }

int64_t MatmulOp::getN() { return sizeFromEnd(getResult(), 1); }

int64_t MatmulOp::getK() { return sizeFromEnd(getLhs(), getTransposeLhs() ? 2 : 1); }

int64_t MatmulOp::getFlops() { return 2 * getBatch() * getM() * getN() * getK(); }

} // namespace dlm
