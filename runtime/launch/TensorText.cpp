// Numbers have 9 significant digits: enough to tell any two floats apart.
#include "runtime/launch/TensorText.h"

#include "runtime/metrics/JsonLines.h"

#include <cmath>
#include <cstdio>

namespace dlm {

namespace {

double elementOf(const BufferView &tensor, int64_t index) {
  switch (tensor.dtype) {
  case plan::DType::F32:
    return static_cast<const float *>(tensor.data)[index];
  case plan::DType::I32:
    return static_cast<const int32_t *>(tensor.data)[index];
  case plan::DType::I64:
    return double(static_cast<const int64_t *>(tensor.data)[index]);
  default:
    return static_cast<const uint8_t *>(tensor.data)[index];
  }
}

std::string listJson(const BufferView &tensor, bool isTruth, size_t axis, int64_t &index) {
  if (axis == tensor.shape.size()) {
    std::string text = isTruth || tensor.dtype == plan::DType::I64
                           ? elementText(tensor, index, isTruth)
                           : jsonNumber(elementOf(tensor, index));
    ++index;
    return text;
  }
  std::string text = "[";
  for (int64_t i = 0; i < tensor.shape[axis]; ++i)
    text += (i ? "," : "") + listJson(tensor, isTruth, axis + 1, index);
  return text + "]";
}

} // namespace

std::string elementText(const BufferView &tensor, int64_t index, bool isTruth) {
  double value = elementOf(tensor, index);
  if (isTruth) return value != 0 ? "true" : "false";
  if (tensor.dtype == plan::DType::I64)
    return std::to_string(static_cast<const int64_t *>(tensor.data)[index]);
  if (std::isnan(value)) return "nan"; // whatever its sign bit
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

std::string tensorText(const BufferView &tensor, bool isTruth) {
  size_t rank = tensor.shape.size();
  int64_t columns = rank > 0 ? tensor.shape[rank - 1] : 1;
  int64_t rows = rank > 1 ? tensor.shape[rank - 2] : 1;
  std::string text;
  int64_t count = tensor.elementCount();
  for (int64_t i = 0; i < count; ++i) {
    if (i > 0 && rank > 2 && i % (rows * columns) == 0) text += "\n";
    text += elementText(tensor, i, isTruth);
    text += (i + 1) % columns == 0 ? "\n" : " ";
  }
  return text;
}

std::string tensorJson(const BufferView &tensor, bool isTruth) {
  int64_t index = 0;
  return listJson(tensor, isTruth, 0, index);
}

} // namespace dlm
