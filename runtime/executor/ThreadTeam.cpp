// The team's two meeting points: the start of a run and the barrier. The end of a run is a barrier.
#include "runtime/executor/ThreadTeam.h"

#include <climits>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

namespace dlm {

// Waker: set the number, then look for sleepers. Waiter: announce itself, then let the kernel
// compare the number. Both in one total order, so a waiter is either seen or sees the new number.
void WaitWord::set(uint32_t next) {
  value.store(next, std::memory_order_seq_cst);
  if (sleepers.load(std::memory_order_seq_cst) != 0)
    syscall(SYS_futex, &value, FUTEX_WAKE_PRIVATE, INT_MAX, nullptr, nullptr, 0);
}

void WaitWord::waitWhile(uint32_t old) {
  for (int spin = 0; spin < SpinCount; ++spin) {
    if (get() != old) return;
    spinPause();
  }
  sleepers.fetch_add(1, std::memory_order_seq_cst);
  while (value.load(std::memory_order_seq_cst) == old)
    syscall(SYS_futex, &value, FUTEX_WAIT_PRIVATE, old, nullptr, nullptr, 0);
  sleepers.fetch_sub(1, std::memory_order_relaxed);
}

Expected<std::unique_ptr<ThreadTeam>> ThreadTeam::make(unsigned workerCount) {
  if (workerCount == 0) return invalidArgument("a team needs at least one worker");
  std::unique_ptr<ThreadTeam> team(new ThreadTeam(workerCount));
  try {
    for (unsigned worker = 1; worker < workerCount; ++worker)
      team->threads.emplace_back([pointer = team.get(), worker] { pointer->work(worker); });
  } catch (const std::system_error &error) {
    return systemError("starting " + std::to_string(workerCount) + " threads",
                       error.code().value());
  }
  return team;
}

ThreadTeam::~ThreadTeam() {
  ending = true;
  start.set(start.get() + 1);
  for (std::thread &thread : threads)
    thread.join();
}

void ThreadTeam::runErased(Job newJob, void *newCallee) {
  if (count == 1) {
    newJob(newCallee, 0);
    return;
  }
  job = newJob;
  callee = newCallee;
  start.set(start.get() + 1);
  job(callee, 0);
  barrier();
}

void ThreadTeam::work(unsigned worker) {
  for (uint32_t seen = 0;; ++seen) {
    start.waitWhile(seen);
    if (ending) return;
    job(callee, worker);
    barrier();
  }
}

void ThreadTeam::barrierOfMany() {
  uint32_t number = passed.get();
  if (arrived.fetch_add(1, std::memory_order_acq_rel) + 1 == count) {
    arrived.store(0, std::memory_order_relaxed); // published by the number below
    passed.set(number + 1);
  } else {
    passed.waitWhile(number);
  }
}

} // namespace dlm
