// Runs the programs of a plan on a GPU, real or emulated. Each program is captured once as a graph;
// a run launches the graph and returns. One stream computes, in order; batches come in by another
// (StagingRing.h). Nothing here waits for the device as a whole but `push`, `pull` and the end.
//
// Snapshots: after the programs so far the watched buffers are copied to a slot of pinned memory,
// with an event; the host takes them up to `SnapshotCount` steps later.
#pragma once

#include "runtime/executor/DeviceCode.h"
#include "runtime/executor/Engine.h"
#include "runtime/executor/StagingRing.h"

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

struct DeviceExecutorOptions {
  /// Gets for each program how often it was run; may be null.
  std::vector<uint64_t> *runCounts = nullptr;
  /// Is told where memory holds nothing of use, and what each launch may touch; may be null.
  cuda::MemoryWatch *memoryWatch = nullptr;
};

class DeviceExecutor final : public Engine {
public:
  static constexpr int SnapshotCount = 3;

  /// Prepares a verified plan for this device, which has its code loaded already. `plan` and
  /// `device` must outlive the executor.
  static Expected<std::unique_ptr<DeviceExecutor>> open(const plan::Plan &plan,
                                                        const cuda::CudaDevice &device,
                                                        const DeviceExecutorOptions &options = {});
  ~DeviceExecutor() override;

  uint8_t *bufferAddress(uint32_t buffer) const override;
  std::string description() const override { return device.traits().name; }
  uint64_t memoryBytes() const override;

  Status start(int program) override;
  Status push() override;
  Status pull() override;
  Status pull(const std::vector<uint32_t> &buffers) override;

  Status stage() override { return ring ? ring->stage() : Status::ok(); }
  uint8_t *stagedAddress(uint32_t buffer) const override;

  int depth() const override { return SnapshotCount; }
  Status watch(const std::vector<uint32_t> &buffers) override;
  Status snapshot() override;
  Status takeSnapshot() override;

  /// Notes the time at this point of the work, as mark `index` of those made ready. `msBetween`
  /// waits for both.
  Status makeMarks(size_t count);
  Status mark(size_t index) { return compute->record(*marks[index]); }
  Expected<float> msBetween(size_t from, size_t to) const;

  /// Runs a program without its graph, one command at a time, and adds the milliseconds of each
  /// instruction to `sums`. Waits for the end.
  Status runTimed(int program, std::vector<double> &sums);

private:
  struct DeviceArena {
    cuda::DeviceMemory memory;
    cuda::PinnedMemory mirror; // none of what only lives within a program
  };
  struct DeviceProgram {
    DeviceCode code;
    std::unique_ptr<cuda::Graph> graph; // none if there is nothing to do
    std::vector<StagingRing::Range> uploads;
    std::vector<std::unique_ptr<cuda::Event>> events; // for `runTimed`
  };
  /// A watched buffer within a slot.
  struct Watched {
    uint32_t buffer;
    uint64_t offset;
  };
  struct WatchedRange {
    cuda::CUdeviceptr from;
    uint64_t offset, sizeBytes;
  };

  DeviceExecutor(const plan::Plan &plan, const cuda::CudaDevice &device)
      : Engine(plan), device(device) {}
  Status placeArenas();
  Status openRing();
  Status findFunctions();
  Status prepareProgram(const plan::Program &program);
  DeviceContext context() const {
    return {plan(), functions, arenaAddresses, scratch.address(), memoryWatch};
  }
  cuda::CUdeviceptr deviceAddress(uint32_t buffer) const;
  bool isStaging(const plan::Arena &arena) const {
    return arena.kind() == plan::ArenaKind::Staging;
  }

  const cuda::CudaDevice &device;
  std::vector<uint64_t> *runCounts = nullptr;
  cuda::MemoryWatch *memoryWatch = nullptr;
  std::vector<DeviceArena> arenas;
  std::vector<cuda::CUdeviceptr> arenaAddresses;
  cuda::DeviceMemory scratch;
  std::vector<cuda::CUfunction> functions;
  std::unique_ptr<cuda::Stream> compute;
  std::unique_ptr<StagingRing> ring; // none if no program reads batches
  uint32_t stagingArena = 0;
  std::vector<DeviceProgram> programs;
  std::vector<Watched> watched;
  std::vector<WatchedRange> watchedRanges;
  std::array<cuda::PinnedMemory, SnapshotCount> slots;
  std::array<std::unique_ptr<cuda::Event>, SnapshotCount> slotEvents;
  uint64_t snapshotCount = 0, takenCount = 0;
  std::vector<std::unique_ptr<cuda::Event>> marks;
};

} // namespace dlm
