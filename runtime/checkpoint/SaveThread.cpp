// The thread and its only job. What both sides look at belongs to both, so that a write that hangs
// in a dead network's file system cannot keep the run from ending.
#include "runtime/checkpoint/SaveThread.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace dlm {

struct SaveThread::Shared {
  std::mutex mutex;
  std::condition_variable changed;
  std::function<Status()> job;
  Status result;
  std::atomic<bool> isBusy{false};
  bool isOver = false;
  std::thread thread;

  void run() {
    std::unique_lock<std::mutex> lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return isOver || job; });
      if (!job) return;
      std::function<Status()> mine = std::move(job);
      job = nullptr;
      lock.unlock();
      Status status = mine();
      mine = nullptr;
      lock.lock();
      result = status;
      isBusy = false;
      changed.notify_all();
    }
  }
};

SaveThread::SaveThread() : shared(std::make_shared<Shared>()) {
  shared->thread = std::thread([both = shared] { both->run(); });
}

SaveThread::~SaveThread() {
  bool busy;
  {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->isOver = true;
    busy = shared->isBusy;
  }
  shared->changed.notify_all();
  if (busy)
    shared->thread.detach();
  else
    shared->thread.join();
}

void SaveThread::start(std::function<Status()> job) {
  DLM_ASSERT(!shared->isBusy, "a second job for a thread that has one");
  {
    std::lock_guard<std::mutex> lock(shared->mutex);
    shared->isBusy = true;
    shared->job = std::move(job);
  }
  shared->changed.notify_all();
}

bool SaveThread::isBusy() const { return shared->isBusy; }

bool SaveThread::wait(int64_t ms) {
  std::unique_lock<std::mutex> lock(shared->mutex);
  return shared->changed.wait_for(lock, std::chrono::milliseconds(ms),
                                  [&] { return !shared->isBusy; });
}

Status SaveThread::result() const {
  std::lock_guard<std::mutex> lock(shared->mutex);
  DLM_ASSERT(!shared->isBusy, "the result of a job that has not ended");
  return shared->result;
}

} // namespace dlm
