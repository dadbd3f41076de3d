// What `data.fit` computed holds for the samples it was computed from: the program carries their
// hash, and a run compares it with the samples it reads.
#pragma once

#include "runtime/data/Dataset.h"

#include <atomic>
#include <string>
#include <vector>

namespace dlm {

/// The hash of these fields of all samples, in the order of the samples. Fails if a sample cannot
/// be read, or if `cancel` is set.
Expected<std::string> hashSamples(const Dataset &samples, const std::vector<std::string> &fields,
                                  const std::atomic<bool> *cancel = nullptr);

/// Fails if these are not the training samples that something was fitted on.
Status checkFitted(const DataSpec &spec, const Dataset &samples, const std::atomic<bool> &cancel);

} // namespace dlm
