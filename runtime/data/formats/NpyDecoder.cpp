// Numbers are converted one by one; whoever reads decides how many at a time.
#include "runtime/data/formats/NpyDecoder.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace dlm {

namespace {

/// A half as it stands in a file.
struct Half {
  uint16_t bits;
};

double realOf(Half half) {
  int exponent = half.bits >> 10 & 31, fraction = half.bits & 1023;
  double size = exponent == 31  ? (fraction ? std::numeric_limits<double>::quiet_NaN()
                                            : std::numeric_limits<double>::infinity())
                : exponent == 0 ? std::ldexp(fraction, -24)
                                : std::ldexp(1024 + fraction, exponent - 25);
  return half.bits >> 15 ? -size : size;
}
/// The fewest digits that tell it from any other number.
std::string shortText(double value) {
  char text[32];
  return std::string(text, std::to_chars(text, text + sizeof text, value).ptr);
}

double realOf(float value) { return double(value); }
double realOf(double value) { return value; }

} // namespace

NpyDecoder::NpyDecoder(std::string file, const std::string &field, NpyHeader header)
    : file(std::move(file)), head(std::move(header)),
      isLabel(field == "label" && head.type != NpyType::Bool &&
              dtypeOfNpy(head.type) != DType::F32) {}

Status NpyDecoder::misfit(int64_t element, const std::string &what) const {
  int64_t sampleSize = elementsOfSample();
  std::string text = file + ": sample " + std::to_string(element / sampleSize);
  if (sampleSize > 1) text += ", element " + std::to_string(element % sampleSize) + ",";
  return corrupt(text + " is " + what);
}

template <class From, class To>
Status NpyDecoder::convert(const uint8_t *bytes, int64_t first, int64_t elements, void *out,
                           int64_t &largest) const {
  for (int64_t i = 0; i < elements; ++i) {
    From value;
    To result;
    std::memcpy(&value, bytes + size_t(i) * sizeof(From), sizeof(From));
    if constexpr (std::is_same_v<To, float>) {
      double real = realOf(value);
      if (!std::isfinite(real))
        return misfit(first + i, std::isnan(real) ? "NaN, which is no number" : "infinite");
      result = float(real);
      if (!std::isfinite(result))
        return misfit(first + i, shortText(real) + ", beyond the range of f32");
    } else {
      if (int64_t(value) < int64_t(std::numeric_limits<To>::min()) ||
          int64_t(value) > int64_t(std::numeric_limits<To>::max()))
        return misfit(first + i, std::to_string(value) + ", beyond the range of i32");
      if (isLabel && int64_t(value) < 0)
        return misfit(first + i, std::to_string(value) + "; classes are numbered from 0 on");
      if (isLabel && int64_t(value) >= classes)
        return misfit(first + i, std::to_string(value) + ", and the training samples have " +
                                     std::to_string(classes) + " classes");
      largest = std::max(largest, int64_t(value));
      result = To(value);
    }
    std::memcpy(static_cast<uint8_t *>(out) + size_t(i) * sizeof(To), &result, sizeof(To));
  }
  return Status::ok();
}

Status NpyDecoder::decode(const uint8_t *bytes, int64_t first, int64_t elements, void *out,
                          int64_t &largest) const {
  switch (head.type) {
  case NpyType::Bool:
    for (int64_t i = 0; i < elements; ++i)
      if (bytes[i] > 1)
        return misfit(first + i, "neither true nor false: its byte is " + std::to_string(bytes[i]));
    std::memcpy(out, bytes, size_t(elements));
    return Status::ok();
  case NpyType::I8:
    return convert<int8_t, int32_t>(bytes, first, elements, out, largest);
  case NpyType::U8:
    return isLabel ? convert<uint8_t, int32_t>(bytes, first, elements, out, largest)
                   : convert<uint8_t, uint8_t>(bytes, first, elements, out, largest);
  case NpyType::I16:
    return convert<int16_t, int32_t>(bytes, first, elements, out, largest);
  case NpyType::U16:
    return convert<uint16_t, int32_t>(bytes, first, elements, out, largest);
  case NpyType::I32:
    return convert<int32_t, int32_t>(bytes, first, elements, out, largest);
  case NpyType::U32:
    return convert<uint32_t, int32_t>(bytes, first, elements, out, largest);
  case NpyType::I64:
    return isLabel ? convert<int64_t, int32_t>(bytes, first, elements, out, largest)
                   : convert<int64_t, int64_t>(bytes, first, elements, out, largest);
  case NpyType::F16:
    return convert<Half, float>(bytes, first, elements, out, largest);
  case NpyType::F32:
    return convert<float, float>(bytes, first, elements, out, largest);
  case NpyType::F64:
    return convert<double, float>(bytes, first, elements, out, largest);
  }
  return internalError("an array has a type that no row knows");
}

} // namespace dlm
