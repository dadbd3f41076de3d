// A tensor in memory as plainly as possible: an element type, a shape, row-major bytes.
#pragma once

#include "runtime/base/DType.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm::reference {

struct Tensor {
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;

  /// A tensor of zeros.
  static Tensor zeros(DType dtype, std::vector<int64_t> shape);

  /// Product of the shape; 1 for a scalar.
  int64_t elementCount() const;

  /// The elements as `T`, which must be what `dtype` stands for (Bool and U8: uint8_t).
  template <class T> T *as() { return reinterpret_cast<T *>(bytes.data()); }
  template <class T> const T *as() const { return reinterpret_cast<const T *>(bytes.data()); }
};

/// "f32[4, 3]", for messages.
std::string toString(const Tensor &tensor);

/// Elements between neighbours along each dim of a row-major tensor of this shape.
std::vector<int64_t> rowMajorStrides(const std::vector<int64_t> &shape);

/// The tensor of shape `shape` whose element at index i is element sum(i[d] * strides[d]) of
/// `source`. Stride 0 repeats. This one function is broadcast, transpose and every strided read.
Tensor gather(const Tensor &source, const std::vector<int64_t> &shape,
              const std::vector<int64_t> &strides);

/// The same elements as `dtype`; converts between F32 and F64 only, anything else must be equal.
Tensor withPrecision(Tensor tensor, DType dtype);

} // namespace dlm::reference
