// The machine's clock.
#include "runtime/base/Clock.h"

#include <cerrno>
#include <ctime>

namespace dlm {

static int64_t readClockNs(clockid_t id) {
  timespec now;
  clock_gettime(id, &now);
  return int64_t(now.tv_sec) * 1000000000 + now.tv_nsec;
}

int64_t monotonicNs() { return readClockNs(CLOCK_MONOTONIC); }

int64_t threadCpuNs() { return readClockNs(CLOCK_THREAD_CPUTIME_ID); }

namespace {
class SystemClock final : public Clock {
public:
  int64_t monotonicNs() override { return readClockNs(CLOCK_MONOTONIC); }
  int64_t wallNs() override { return readClockNs(CLOCK_REALTIME); }
  void sleepUntil(int64_t deadlineNs) override {
    timespec deadline{time_t(deadlineNs / 1000000000), long(deadlineNs % 1000000000)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &deadline, nullptr) == EINTR) {
    }
  }
};
} // namespace

Clock &systemClock() {
  static SystemClock clock;
  return clock;
}

} // namespace dlm
