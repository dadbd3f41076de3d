// The only place that knows what time it is. Code that decides by time takes a `Clock &`, so a
// test can give it a clock that stands still, jumps or drifts.
#pragma once

#include <cstdint>

namespace dlm {

/// Nanoseconds since an arbitrary start; never goes back. For measuring durations.
int64_t monotonicNs();

/// Processor time of the calling thread: a measure that other work on the machine disturbs less.
int64_t threadCpuNs();

class Clock {
public:
  virtual ~Clock() = default;

  /// Nanoseconds since an arbitrary start; never goes back.
  virtual int64_t monotonicNs() = 0;

  /// Nanoseconds since 1970-01-01 UTC; may jump.
  virtual int64_t wallNs() = 0;

  /// Returns once `monotonicNs()` has reached `deadlineNs`.
  virtual void sleepUntil(int64_t deadlineNs) = 0;
};

/// The machine's clock.
Clock &systemClock();

} // namespace dlm
