// How two results are compared: bits, and distance from accurate values.
#pragma once

#include "runtime/base/DType.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dlm::gpucheck {

/// Elements whose bits differ; any two NaNs are the same.
uint64_t countDifferences(DType dtype, const std::vector<uint8_t> &a, const uint8_t *b);

/// Elements that are much smaller than the largest one of their tensor are often what cancellation
/// has left: they are measured as if they were a thousandth of it.
struct ErrorFigure {
  double ulp = 0;      // the largest error of an element, in units of its last place
  double relative = 0; // the largest error, relative to the largest element (at least 0.001)

  void include(const ErrorFigure &other);
};

/// The error of floats against accurate values. What is not finite where the accurate value is, or
/// the other way around, is an infinite error.
ErrorFigure errorOf(const std::vector<uint8_t> &floats, const double *exact, size_t count);

} // namespace dlm::gpucheck
