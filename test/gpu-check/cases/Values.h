// What goes into a trial and what must come out of it, by the reference interpreter.
#pragma once

#include "compiler/reference/Tensor.h"
#include "runtime/base/Status.h"
#include "test/gpu-check/cases/Trials.h"

namespace dlm::gpucheck {

struct TrialValues {
  std::vector<reference::Tensor> inputs;
  std::vector<reference::Tensor> outputs; // the bits
  std::vector<reference::Tensor> exact;   // the same in doubles; empty for special inputs
};

/// `isSpecial`: NaN, infinities, zeros of both signs and the ends of the range among the inputs.
/// The same trial and seed give the same values.
Expected<TrialValues> computeValues(const Trial &trial, bool isSpecial, uint64_t seed);

} // namespace dlm::gpucheck
