// How fast the run goes: samples and steps a second over the last few seconds, so that a pause for
// an evaluation is soon forgotten.
#pragma once

#include <cstdint>

namespace dlm {

class RateMeter {
public:
  void start(int64_t nowNs, int64_t attempt) {
    oldNs = youngNs = nowNs;
    oldAttempt = youngAttempt = attempt;
  }

  /// Takes note that `attempt` batches have been consumed; returns attempts a second, or 0 while
  /// there is too little to go by: the first step waits for the data.
  double update(int64_t nowNs, int64_t attempt) {
    if (nowNs - youngNs > WindowNs) {
      oldNs = youngNs;
      oldAttempt = youngAttempt;
      youngNs = nowNs;
      youngAttempt = attempt;
    }
    if (oldAttempt == youngAttempt && nowNs - oldNs < SettleNs) return 0;
    return nowNs > oldNs ? double(attempt - oldAttempt) * 1e9 / double(nowNs - oldNs) : 0;
  }

private:
  static constexpr int64_t WindowNs = 2000000000, SettleNs = 500000000;
  int64_t oldNs = 0, oldAttempt = 0;     // where the measured stretch begins
  int64_t youngNs = 0, youngAttempt = 0; // where the next one will
};

} // namespace dlm
