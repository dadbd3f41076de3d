// Where numbers come from that are not finite, when a run ends by them: each batch of its last
// step is looked at once more, then what is stored, then every number that the loss is computed
// from.
#pragma once

#include "runtime/data/Loader.h"
#include "runtime/driver/RunSchedule.h"
#include "runtime/launch/Session.h"

#include <string>

namespace dlm {

/// A step that was skipped, as it can be made again.
struct SkippedStep {
  const DataSpec &spec; // whose columns have names
  const Dataset &samples;
  SampleOrder order;
  int64_t firstSample; // of its first batch, in the order
  int64_t batch;       // samples in one
  std::vector<StepPart> parts;
};

/// A sentence without a full stop: "`number` of sample 17 of the training part, column \"age\", is
/// NaN". Empty if nothing is found, or the batch
/// cannot be read again, or `stop` is set meanwhile: a batch may have many parts. The session's
/// state is not to be used after it.
std::string whereNotFinite(Session &session, std::vector<BatchTarget> &targets,
                           const SkippedStep &step, const std::atomic<int> &stop);

} // namespace dlm
