// How long whole steps and single instructions take, by what the engine offers for it: clocks
// around the processor's work, events around a device's.
#pragma once

#include "runtime/launch/Session.h"

#include <atomic>
#include <vector>

namespace dlm {

/// Nanoseconds of every run of every instruction of a program.
struct InstructionTimes {
  std::vector<std::vector<int64_t>> samples; // by instruction
};

struct BenchTimes {
  std::vector<int64_t> stepNs;            // of every step
  std::vector<InstructionTimes> programs; // of the step's programs, in their order
};

/// Runs some steps to warm up, then `steps` as in training, then `steps` instruction by
/// instruction. A batch must be staged. `stop` is asked between steps; when it is set, the result
/// is the failure `Interrupted`.
Status measureSteps(Session &session, int64_t microBatches, int64_t steps,
                    const std::atomic<int> &stop, BenchTimes &times);

} // namespace dlm
