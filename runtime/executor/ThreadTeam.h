// A fixed group of threads that run the same function together. The caller is worker 0, so a team
// of one has no thread at all. Threads live as long as the team; a run costs no allocation and, in
// the usual case, no system call.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/executor/WaitWord.h"

#include <memory>
#include <thread>
#include <vector>

namespace dlm {

class ThreadTeam {
public:
  /// Starts `workerCount - 1` threads. Fails if the system refuses one.
  static Expected<std::unique_ptr<ThreadTeam>> make(unsigned workerCount);

  ~ThreadTeam();
  ThreadTeam(const ThreadTeam &) = delete;
  ThreadTeam &operator=(const ThreadTeam &) = delete;

  unsigned workerCount() const { return count; }

  /// Calls `function(worker)` on every worker and returns when all have ended. Not to be called
  /// from within a run, nor from two threads at once.
  template <class Function> void run(Function &&function) {
    using Plain = std::remove_reference_t<Function>;
    runErased([](void *callee, unsigned worker) { (*static_cast<Plain *>(callee))(worker); },
              const_cast<void *>(static_cast<const void *>(&function)));
  }

  /// Within a run: returns when every worker has called it. What workers did before is visible to
  /// all afterwards.
  void barrier() {
    if (count > 1) barrierOfMany();
  }

private:
  using Job = void (*)(void *callee, unsigned worker);

  explicit ThreadTeam(unsigned workerCount) : count(workerCount) {}
  void runErased(Job job, void *callee);
  void barrierOfMany();
  void work(unsigned worker);

  const unsigned count;
  std::vector<std::thread> threads;
  Job job = nullptr;
  void *callee = nullptr;
  bool ending = false;
  WaitWord start;  // the number of runs begun
  WaitWord passed; // the number of barriers passed
  alignas(64) std::atomic<uint32_t> arrived{0};
};

} // namespace dlm
