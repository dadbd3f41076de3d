// One thread that writes while the run goes on: one job at a time, and whoever wants to know waits
// no longer than it chooses.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <functional>

namespace dlm {

class SaveThread {
public:
  SaveThread();
  /// A job that has not ended is left to itself: what it uses must belong to it (`start`).
  ~SaveThread();
  SaveThread(const SaveThread &) = delete;
  SaveThread &operator=(const SaveThread &) = delete;

  /// Runs `job` on the thread, which must be idle. The job is destroyed there, too.
  void start(std::function<Status()> job);

  bool isBusy() const;

  /// Waits until the thread is idle, at most so long; false if it is still busy then.
  bool wait(int64_t ms);

  /// What the last job returned. The thread is idle.
  Status result() const;

private:
  struct Shared;
  std::shared_ptr<Shared> shared;
};

} // namespace dlm
