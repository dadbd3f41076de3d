// How long a step and its parts take on a device, by the device's own events.
#pragma once

#include "test/gpu-check/check/PlanOnDevice.h"
#include "test/gpu-check/check/Work.h"

namespace dlm::gpucheck {

struct TimeOptions {
  unsigned steps = 100;         // replays of the step's graph that are timed
  unsigned launches = 20;       // of one instruction in a graph
  unsigned replays = 10;        // of that graph
  uint64_t copyBytes = 1 << 28; // for the bandwidth
};

/// A step: `grad` for every micro-batch, then `update`, as one graph.
struct StepTime {
  double medianUs = 0, leastUs = 0;
  double pipelinedUs = 0; // many steps in a row, without a wait between them
  unsigned steps = 0;
};

/// One instruction, alone and again and again.
struct InstructionTime {
  std::string program;
  Work work;
  double medianUs = 0;

  double bytesPerSecond() const { return medianUs > 0 ? work.bytes / medianUs * 1e6 : 0; }
  double flopsPerSecond() const { return medianUs > 0 ? work.flops / medianUs * 1e6 : 0; }
};

struct Times {
  StepTime step;
  std::vector<InstructionTime> instructions;
  double copyBytesPerSecond = 0; // read and written
};

Expected<Times> measureTimes(Machine &machine, const plan::Plan &plan, const TimeOptions &options);

} // namespace dlm::gpucheck
