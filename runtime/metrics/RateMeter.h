// How fast the run goes: samples and steps a second over the last few seconds, so that a pause for
// an evaluation is soon forgotten.
#pragma once

#include "runtime/metrics/MetricSink.h"

#include <cstdint>

namespace dlm {

class RateMeter {
public:
  /// Takes note that `attempt` batches have been consumed; returns attempts a second, or 0 while
  /// there is too little to go by. Counts from the first call: the first step waits for the data.
  double update(int64_t nowNs, int64_t attempt) {
    if (oldNs < 0) {
      oldNs = youngNs = nowNs;
      oldAttempt = youngAttempt = attempt;
    }
    if (nowNs - youngNs > WindowNs) {
      oldNs = youngNs;
      oldAttempt = youngAttempt;
      youngNs = nowNs;
      youngAttempt = attempt;
    }
    if (nowNs - oldNs < SettleNs) return 0;
    return double(attempt - oldAttempt) * 1e9 / double(nowNs - oldNs);
  }

private:
  static constexpr int64_t WindowNs = 2000000000, SettleNs = 200000000;
  int64_t oldNs = -1, oldAttempt = 0;    // where the measured stretch begins
  int64_t youngNs = 0, youngAttempt = 0; // where the next one will
};

/// How long the run will go on; negative if that cannot be said yet. `passedNs` since its start.
inline double secondsLeft(const RunRecord &run, int64_t step, double stepsPerSecond,
                          int64_t passedNs) {
  if (run.durationMs) {
    double left = double(run.durationMs) / 1e3 - double(passedNs) * 1e-9;
    return left > 0 ? left : 0;
  }
  if (!run.steps || stepsPerSecond <= 0) return -1;
  return double(run.steps - step) / stepsPerSecond;
}

} // namespace dlm
