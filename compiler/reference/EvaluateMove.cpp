// Ops that move elements: all of them are strided reads or copies.
#include "compiler/reference/Evaluation.h"

#include <cstring>

namespace dlm::reference {

Tensor evaluateBroadcast(BroadcastOp op, Operands operands) {
  const Tensor &source = *operands[0];
  std::vector<int64_t> shape = shapeOf(op.getType()), strides(shape.size(), 0);
  std::vector<int64_t> sourceStrides = rowMajorStrides(source.shape);
  for (auto [index, dim] : llvm::enumerate(op.getDims()))
    if (source.shape[index] != 1) strides[dim] = sourceStrides[index];
  return gather(source, shape, strides);
}

Tensor evaluateReshape(const Tensor &source, mlir::Type resultType) {
  Tensor result = source;
  result.shape = shapeOf(resultType);
  return result;
}

Tensor evaluateTranspose(TransposeOp op, Operands operands) {
  std::vector<int64_t> strides, sourceStrides = rowMajorStrides(operands[0]->shape);
  for (int64_t dim : op.getPermutation())
    strides.push_back(sourceStrides[dim]);
  return gather(*operands[0], shapeOf(op.getType()), strides);
}

Tensor evaluateSegment(SegmentOp op, Operands operands) {
  Tensor result = Tensor::zeros(operands[0]->dtype, shapeOf(op.getType()));
  uint64_t begin = op.getOffset() * elementSizeBytes(result.dtype);
  std::memcpy(result.bytes.data(), operands[0]->bytes.data() + begin, result.bytes.size());
  return result;
}

Tensor evaluatePack(PackOp op, Operands operands, Mode mode) {
  Tensor result = tensorFor(op.getType(), mode);
  for (auto [part, offset] : llvm::zip_equal(operands, op.getOffsets()))
    std::memcpy(result.bytes.data() + offset * elementSizeBytes(result.dtype), part->bytes.data(),
                part->bytes.size());
  return result;
}

} // namespace dlm::reference
