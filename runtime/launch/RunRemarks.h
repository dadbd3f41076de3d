// Sentences about a run that is going on.
#pragma once

#include "runtime/checkpoint/Manifest.h"
#include "runtime/metrics/MetricSink.h"

#include <string>
#include <vector>

namespace dlm {

/// Whether a value that a step reports is the learning rate, or that of one of several updates.
bool isRate(const std::string &name);

/// Why a run ends whose rate of this name is below 0.
std::string textOfRate(const std::string &name, double rate, int64_t step);

/// A schedule that goes by the length of the run jumps where a resumed run gets another length:
/// what `lr` was in the checkpoint, and is in the first step since. Empty if it does not.
std::string noteOfRate(const Manifest &then, int64_t steps, const std::vector<NamedValue> &values);

/// Where a run stands that too many updates were skipped of.
struct SkipFacts {
  int64_t step = 0, skippedInARow = 0, limit = 0;
  bool isTrained = true; // some update was made: a rate may be to blame
};

/// Why a run ends in which too many updates are not finite. `where`: where that comes from, as far
/// as it is known (NotFiniteSearch).
std::string textOfSkips(const std::vector<NamedValue> &values, const SkipFacts &facts,
                        const std::string &lastCheckpoint, const std::string &where);

/// Why a run ends that has waited long enough for a new best.
std::string textOfPatience(const BestEvaluation &best, const std::string &patience, int64_t step,
                           int64_t steps);

/// How long a step takes, before the first has ended: nobody sees anything of it until then.
class StepClock {
public:
  /// After each part of a step, of `parts` the number `done`: what there is to say; mostly nothing.
  std::string partDone(int64_t nowMs, int64_t done, int64_t parts);

private:
  int64_t firstMs = 0; // when the first part of the step was done
  bool isTold = false;
};

} // namespace dlm
