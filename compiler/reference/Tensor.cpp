// Strided reading and conversion of plain tensors.
#include "compiler/reference/Tensor.h"

#include "runtime/base/Assert.h"

#include <cstring>

namespace dlm::reference {

namespace {

/// Calls `body(offset)` for every index of `shape` in row-major order.
template <class Body>
void forEachOffset(const std::vector<int64_t> &shape, const std::vector<int64_t> &strides,
                   Body body) {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  std::vector<int64_t> index(shape.size(), 0);
  int64_t offset = 0;
  for (int64_t n = 0; n < count; ++n) {
    body(offset);
    for (size_t dim = shape.size(); dim-- > 0;) {
      offset += strides[dim];
      if (++index[dim] < shape[dim]) break;
      offset -= strides[dim] * shape[dim];
      index[dim] = 0;
    }
  }
}

template <class T>
void gatherAs(const Tensor &source, Tensor &result, const std::vector<int64_t> &strides) {
  const T *from = source.as<T>();
  T *to = result.as<T>();
  forEachOffset(result.shape, strides, [&](int64_t offset) { *to++ = from[offset]; });
}

} // namespace

Tensor Tensor::zeros(DType dtype, std::vector<int64_t> shape) {
  Tensor tensor;
  tensor.dtype = dtype;
  tensor.shape = std::move(shape);
  tensor.bytes.resize(tensor.elementCount() * elementSizeBytes(dtype));
  return tensor;
}

int64_t Tensor::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string toString(const Tensor &tensor) {
  std::string text = dtypeName(tensor.dtype);
  for (char &letter : text)
    if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
  text += "[";
  for (size_t dim = 0; dim < tensor.shape.size(); ++dim)
    text += (dim ? ", " : "") + std::to_string(tensor.shape[dim]);
  return text + "]";
}

std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape) {
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t dim = shape.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= shape[dim];
  }
  return strides;
}

Tensor gather(const Tensor &source, const std::vector<int64_t> &shape,
              const std::vector<int64_t> &strides) {
  Tensor result = Tensor::zeros(source.dtype, shape);
  switch (elementSizeBytes(source.dtype)) {
  case 1:
    gatherAs<uint8_t>(source, result, strides);
    break;
  case 4:
    gatherAs<uint32_t>(source, result, strides);
    break;
  case 8:
    gatherAs<uint64_t>(source, result, strides);
    break;
  default:
    DLM_ASSERT(false, "the interpreter has no elements of this size");
  }
  return result;
}

Tensor withPrecision(Tensor tensor, DType dtype) {
  if (tensor.dtype == dtype) return tensor;
  Tensor result = Tensor::zeros(dtype, tensor.shape);
  int64_t count = tensor.elementCount();
  if (tensor.dtype == DType::F32 && dtype == DType::F64) {
    for (int64_t i = 0; i < count; ++i)
      result.as<double>()[i] = tensor.as<float>()[i];
  } else {
    DLM_ASSERT(tensor.dtype == DType::F64 && dtype == DType::F32, "not a change of precision");
    for (int64_t i = 0; i < count; ++i)
      result.as<float>()[i] = static_cast<float>(tensor.as<double>()[i]);
  }
  return result;
}

} // namespace dlm::reference
