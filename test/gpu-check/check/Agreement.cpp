// Elements are copied out one by one: the bytes may lie anywhere.
#include "test/gpu-check/check/Agreement.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace dlm::gpucheck {

static float floatAt(const uint8_t *bytes, size_t index) {
  float value;
  std::memcpy(&value, bytes + index * sizeof value, sizeof value);
  return value;
}

uint64_t countDifferences(DType dtype, const std::vector<uint8_t> &a, const uint8_t *b) {
  uint64_t size = elementSizeBytes(dtype), count = 0;
  for (size_t i = 0; i < a.size() / size; ++i) {
    if (std::memcmp(a.data() + i * size, b + i * size, size) == 0) continue;
    bool areNaN =
        dtype == DType::F32 && std::isnan(floatAt(a.data(), i)) && std::isnan(floatAt(b, i));
    count += !areNaN;
  }
  return count;
}

void ErrorFigure::include(const ErrorFigure &other) {
  ulp = std::max(ulp, other.ulp);
  relative = std::max(relative, other.relative);
}

/// The distance between the floats around `value`.
static double lastPlace(double value) {
  float magnitude = std::fabs(float(value));
  return double(std::nextafter(magnitude, std::numeric_limits<float>::infinity())) - magnitude;
}

ErrorFigure errorOf(const std::vector<uint8_t> &floats, const double *exact, size_t count) {
  constexpr double Infinity = std::numeric_limits<double>::infinity(), Thousandth = 1e-3;
  double error = 0, largest = 0;
  for (size_t i = 0; i < count; ++i)
    if (std::isfinite(exact[i])) largest = std::max(largest, std::fabs(exact[i]));
  ErrorFigure figure;
  for (size_t i = 0; i < count; ++i) {
    double value = floatAt(floats.data(), i);
    bool isSame = value == exact[i] || (std::isnan(value) && std::isnan(exact[i]));
    if (isSame) continue;
    if (!std::isfinite(value) || !std::isfinite(exact[i])) return {Infinity, Infinity};
    double distance = std::fabs(value - exact[i]);
    error = std::max(error, distance);
    double scale = std::max({std::fabs(exact[i]), Thousandth * largest, Thousandth * Thousandth});
    figure.ulp = std::max(figure.ulp, distance / lastPlace(scale));
  }
  figure.relative = error / std::max(largest, Thousandth);
  return figure;
}

} // namespace dlm::gpucheck
