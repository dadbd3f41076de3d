// A polite end: SIGINT, SIGTERM and SIGHUP (a terminal that is closed) set a number that the run
// looks at between steps, and between the batches of an evaluation. A second signal ends the
// process as usual.
#pragma once

#include <atomic>
#include <csignal>
#include <string>

namespace dlm {

/// "SIGINT", "SIGTERM" or "SIGHUP".
std::string stopName(int signal);

/// What a run says that a signal has ended after `step` steps. `checkpoint` is the last one; empty
/// if there is none.
std::string stopText(int signal, long long step, const std::string &checkpoint);

/// Catches these signals while it lives; there may be one at a time. SIGHUP stays ignored if it is,
/// as under nohup. Also ignores SIGPIPE and
/// SIGXFSZ, so that a closed pipe or a file size limit is an error of the write that meets it.
class StopSignal {
public:
  StopSignal();
  ~StopSignal();
  StopSignal(const StopSignal &) = delete;
  StopSignal &operator=(const StopSignal &) = delete;

  /// The number of the signal that came, or 0.
  const std::atomic<int> &number() const;

private:
  static constexpr int Count = 5;
  struct sigaction previous[Count];
};

} // namespace dlm
