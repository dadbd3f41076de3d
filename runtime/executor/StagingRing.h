// Batches on their way to a device. The host writes a batch into a slot of pinned memory; the copy
// stream brings it to a landing slot of the device while the device still works on the batch
// before; the compute stream then moves it to where programs read it, so that the addresses in
// captured graphs never change. Slots are used in turn, and each is used again only after its
// event: the host waits for an event at most, never for the device.
#pragma once

#include "runtime/device/cuda/CudaDevice.h"

#include <array>
#include <memory>
#include <vector>

namespace dlm {

class StagingRing {
public:
  static constexpr unsigned SlotCount = 3, LandingCount = 2;

  /// Bytes [begin, end) of the staging arena.
  struct Range {
    uint64_t begin = 0, end = 0;
  };

  /// Makes the slots of an arena of `sizeBytes` at `arena`.
  Status open(const cuda::CudaDevice &device, cuda::CUdeviceptr arena, uint64_t sizeBytes);

  /// Fills all slots with what stands outside of the batches. Nothing may be on its way.
  void fill(const uint8_t *from);

  /// Makes the next slot ready for the host; waits if its last batch is still on its way.
  Status stage();
  bool isStaged() const { return staged; }
  /// The slot that the host may write to.
  uint8_t *slot() const { return slots[next].data(); }

  /// Sends these ranges of the staged slot; what follows in `compute` finds them in the arena.
  Status upload(cuda::Stream &compute, const std::vector<Range> &ranges);

private:
  cuda::CUdeviceptr arena = 0;
  uint64_t sizeBytes = 0;
  std::array<cuda::PinnedMemory, SlotCount> slots;
  std::array<std::unique_ptr<cuda::Event>, SlotCount> uploaded; // and the slot is free
  std::array<cuda::DeviceMemory, LandingCount> landings;
  std::array<std::unique_ptr<cuda::Event>, LandingCount> moved; // and the landing slot is free
  std::unique_ptr<cuda::Stream> copies;
  unsigned next = 0, nextLanding = 0;
  bool staged = false;
};

/// Sorts the ranges and joins those with less than `gapMax` bytes between them: a copy costs more
/// than the bytes of a gap.
std::vector<StagingRing::Range> joinRanges(std::vector<StagingRing::Range> ranges, uint64_t gapMax);

} // namespace dlm
