// The order of the five steps of an upload is what keeps slots apart; each is one call.
#include "runtime/executor/StagingRing.h"

#include <algorithm>
#include <cstring>

namespace dlm {

using namespace cuda;

Status StagingRing::open(const CudaDevice &device, CUdeviceptr address, uint64_t size) {
  arena = address;
  sizeBytes = size;
  Expected<std::unique_ptr<Stream>> stream = device.makeStream();
  if (!stream) return stream.status();
  copies = stream.take();
  for (unsigned i = 0; i < SlotCount; ++i) {
    Expected<PinnedMemory> memory = device.allocatePinned(size, "a batch on its way");
    if (!memory) return memory.status();
    slots[i] = memory.take();
    Expected<std::unique_ptr<Event>> event = device.makeEvent();
    if (!event) return event.status();
    uploaded[i] = event.take();
  }
  for (unsigned i = 0; i < LandingCount; ++i) {
    Expected<DeviceMemory> memory =
        device.allocate(size, "a batch on its way", Contents::Undefined);
    if (!memory) return memory.status();
    landings[i] = memory.take();
    Expected<std::unique_ptr<Event>> event = device.makeEvent();
    if (!event) return event.status();
    moved[i] = event.take();
  }
  return Status::ok();
}

void StagingRing::fill(const uint8_t *from) {
  for (PinnedMemory &slot : slots)
    std::memcpy(slot.data(), from, sizeBytes);
  staged = false;
}

Status StagingRing::stage() {
  if (staged) return Status::ok(); // nobody has asked for the last one
  DLM_TRY(uploaded[next]->synchronize());
  staged = true;
  return Status::ok();
}

Status StagingRing::upload(Stream &compute, const std::vector<Range> &ranges) {
  CUdeviceptr landing = landings[nextLanding].address();
  DLM_TRY(copies->waitFor(*moved[nextLanding]));
  for (const Range &range : ranges)
    DLM_TRY(
        copies->copyToDevice(landing + range.begin, slot() + range.begin, range.end - range.begin));
  DLM_TRY(copies->record(*uploaded[next]));
  DLM_TRY(compute.waitFor(*uploaded[next]));
  for (const Range &range : ranges)
    DLM_TRY(compute.copy(arena + range.begin, landing + range.begin, range.end - range.begin));
  DLM_TRY(compute.record(*moved[nextLanding]));
  nextLanding = (nextLanding + 1) % LandingCount;
  next = (next + 1) % SlotCount;
  staged = false;
  return Status::ok();
}

std::vector<StagingRing::Range> joinRanges(std::vector<StagingRing::Range> ranges,
                                           uint64_t gapMax) {
  std::sort(ranges.begin(), ranges.end(),
            [](const auto &a, const auto &b) { return a.begin < b.begin; });
  std::vector<StagingRing::Range> joined;
  for (const StagingRing::Range &range : ranges) {
    if (range.begin == range.end) continue;
    if (!joined.empty() && range.begin < joined.back().end + gapMax)
      joined.back().end = std::max(joined.back().end, range.end);
    else
      joined.push_back(range);
  }
  return joined;
}

} // namespace dlm
