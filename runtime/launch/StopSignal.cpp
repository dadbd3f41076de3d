// Signal handlers. The handler only stores a number; with SA_RESETHAND the second signal finds the
// default action again.
#include "runtime/launch/StopSignal.h"

#include <cstring>

namespace dlm {

namespace {

std::atomic<int> stopNumber{0};
static_assert(std::atomic<int>::is_always_lock_free, "a handler may store only what needs no lock");

constexpr int CaughtSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ};

void noteStop(int number) { stopNumber.store(number, std::memory_order_relaxed); }

} // namespace

std::string stopName(int signal) {
  return signal == SIGINT ? "SIGINT" : signal == SIGHUP ? "SIGHUP" : "SIGTERM";
}

std::string stopText(int signal, long long step, const std::string &checkpoint) {
  std::string text = "stopped by " + stopName(signal);
  text += step == 0 ? " before the first step" : " after step " + std::to_string(step);
  if (checkpoint.empty()) return text + "; there is no checkpoint to go on from";
  return text + "; keeping `" + checkpoint + "`; train --resume goes on";
}

StopSignal::StopSignal() {
  stopNumber = 0;
  for (int i = 0; i < Count; ++i) {
    struct sigaction action;
    std::memset(&action, 0, sizeof action);
    sigemptyset(&action.sa_mask);
    bool isStop = CaughtSignals[i] != SIGPIPE && CaughtSignals[i] != SIGXFSZ;
    action.sa_handler = isStop ? noteStop : SIG_IGN;
    action.sa_flags = isStop ? SA_RESETHAND | SA_RESTART : 0;
    sigaction(CaughtSignals[i], &action, &previous[i]);
    bool staysIgnored = CaughtSignals[i] == SIGHUP && previous[i].sa_handler == SIG_IGN;
    if (staysIgnored) sigaction(SIGHUP, &previous[i], nullptr);
  }
}

StopSignal::~StopSignal() {
  for (int i = 0; i < Count; ++i)
    sigaction(CaughtSignals[i], &previous[i], nullptr);
}

const std::atomic<int> &StopSignal::number() const { return stopNumber; }

} // namespace dlm
