// The micro-batches of a step, where each update of several sees the batches from the first on:
// what the loader gives once is kept until the step ends.
#pragma once

#include "runtime/data/Loader.h"
#include "runtime/driver/RunSchedule.h"
#include "runtime/launch/Session.h"

namespace dlm {

class StepBatches {
public:
  StepBatches() = default;
  StepBatches(Loader &loader, const RunSchedule &schedule)
      : loader(&loader), isKept(schedule.updates.size() > 1) {}

  /// Puts the micro-batch that begins with this sample of the run where `target` reads it. `stop`:
  /// as of `Loader::next`.
  Status fill(int64_t firstSample, Session &session, BatchTarget &target,
              const std::atomic<int> *stop = nullptr);
  /// A step is at its end.
  void clear() { keptCount = 0; }

private:
  Expected<const MicroBatch *> find(int64_t firstSample, const std::atomic<int> *stop);

  Loader *loader = nullptr;
  bool isKept = false;
  std::vector<MicroBatch> kept; // the first `keptCount` are of the step; memory of others is there
  size_t keptCount = 0;
  bool isHeld = false; // the loader waits for a release
};

} // namespace dlm
