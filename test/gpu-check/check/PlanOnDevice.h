// A plan's memory on a device and its programs as work of a stream, without the runtime's executor:
// for measuring, one instruction alone or a whole step as a graph.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "test/gpu-check/check/Machine.h"

namespace dlm::gpucheck {

/// Memory that an instruction writes.
struct WrittenRange {
  cuda::CUdeviceptr address;
  uint64_t sizeBytes;
  plan::DType dtype;
};

class PlanOnDevice {
public:
  /// Allocates the arenas, zeroed, and gives options and batch size their values.
  static Expected<std::unique_ptr<PlanOnDevice>> create(Machine &machine, const plan::Plan &plan);

  Machine &machine() { return theMachine; }
  const plan::Plan &plan() const { return thePlan; }
  /// Null if there is no such program.
  const plan::Program *findProgram(const std::string &name) const;

  /// Puts the work on the stream.
  Status enqueue(const plan::Program &program);
  Status enqueue(const plan::Instruction &instruction);

  /// Gives every buffer `batch.NAME` values by chance, always the same.
  Status fillBatches();
  /// What an instruction writes; nothing for a loop.
  std::vector<WrittenRange> writtenBy(const plan::Instruction &instruction) const;

private:
  using Refs = flatbuffers::Vector<const plan::Ref *>;
  using Stages = flatbuffers::Vector<flatbuffers::Offset<plan::Stage>>;

  PlanOnDevice(Machine &machine, const plan::Plan &plan) : theMachine(machine), thePlan(plan) {}
  Status writeScalar(const std::string &buffer, const void *value, uint64_t sizeBytes);
  Status writeScalars();
  Status enqueue(const Refs &arguments, const Stages *stages);
  Status enqueueLoop(const plan::Loop &loop);
  cuda::CUdeviceptr addressOf(const plan::Ref &ref) const;
  cuda::CUdeviceptr addressOf(const plan::Buffer &buffer) const;

  Machine &theMachine;
  const plan::Plan &thePlan;
  std::vector<cuda::DeviceMemory> arenas;
  cuda::DeviceMemory scratch;
  std::vector<uint32_t> trips; // where the loops around the instruction stand
};

} // namespace dlm::gpucheck
