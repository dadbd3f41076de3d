#include "runtime/launch/StepBatches.h"

#include "runtime/base/Assert.h"

#include <cstring>

namespace dlm {

/// What no update of a step has asked for is passed over.
Expected<const MicroBatch *> StepBatches::find(int64_t firstSample, const std::atomic<int> *stop) {
  for (size_t i = 0; i < keptCount; ++i)
    if (kept[i].firstSample == firstSample) return &kept[i];
  for (;;) {
    Expected<const MicroBatch *> next = loader->next(stop);
    if (!next) return next.status();
    DLM_ASSERT((*next)->firstSample <= firstSample, "loader and driver disagree");
    bool isMeant = (*next)->firstSample == firstSample;
    if (isMeant && !isKept) {
      isHeld = true;
      return next;
    }
    if (isMeant) {
      if (keptCount == kept.size()) kept.emplace_back();
      kept[keptCount++] = **next;
    }
    loader->release();
    if (isMeant) return &kept[keptCount - 1];
  }
}

Status StepBatches::fill(int64_t firstSample, Session &session, BatchTarget &target,
                         const std::atomic<int> *stop) {
  Expected<const MicroBatch *> batch = find(firstSample, stop);
  if (!batch) return batch.status();
  DLM_TRY(session.stage(target));
  for (size_t i = 0; i < target.fields.size(); ++i)
    if (target.buffers[i] >= 0)
      std::memcpy(target.fields[i], (*batch)->fields[i].data(), target.fieldBytes[i]);
  if (isHeld) loader->release();
  isHeld = false;
  return Status::ok();
}

} // namespace dlm
