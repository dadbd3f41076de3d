// What a device makes of whole programs, instruction by instruction: where training differs, this
// tells which launch was the first.
#pragma once

#include "test/gpu-check/check/PlanOnDevice.h"

namespace dlm::gpucheck {

struct TraceEntry {
  std::string program, name;
  uint64_t hash = 0; // of all that the instruction has written; all NaNs count as one
};

/// Runs `init`, two training steps and an evaluation on a batch made by chance.
Expected<std::vector<TraceEntry>> traceProgram(Machine &machine, const plan::Plan &plan);

struct TraceComparison {
  unsigned instructions = 0;
  unsigned unlikeEmulator = 0;
  std::string firstFault;
  bool agrees() const { return instructions > 0 && unlikeEmulator == 0; }
};

TraceComparison compareTraces(const std::vector<TraceEntry> &device,
                              const std::vector<TraceEntry> &emulator);

} // namespace dlm::gpucheck
