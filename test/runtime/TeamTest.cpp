// The thread team: everybody runs, nobody passes a barrier early, sleeping workers wake.
#include "runtime/base/Clock.h"
#include "runtime/executor/ThreadTeam.h"

#include <gtest/gtest.h>

using namespace dlm;

TEST(ThreadTeam, RunsOnEveryWorkerOnce) {
  for (unsigned workers : {1u, 2u, 5u}) {
    std::unique_ptr<ThreadTeam> team = ThreadTeam::make(workers).take();
    std::vector<int> calls(workers, 0);
    for (int run = 0; run < 200; ++run)
      team->run([&](unsigned worker) { ++calls[worker]; });
    for (int count : calls)
      EXPECT_EQ(count, 200);
  }
}

TEST(ThreadTeam, BarrierSeparatesPhases) {
  constexpr unsigned Workers = 4;
  std::unique_ptr<ThreadTeam> team = ThreadTeam::make(Workers).take();
  std::vector<int> values(Workers, 0);
  std::atomic<int> wrong{0};
  team->run([&](unsigned worker) {
    for (int phase = 1; phase <= 300; ++phase) {
      values[worker] = phase;
      team->barrier();
      for (int value : values)
        wrong += value != phase;
      team->barrier();
    }
  });
  EXPECT_EQ(wrong, 0);
}

TEST(ThreadTeam, SleepingWorkersWake) {
  std::unique_ptr<ThreadTeam> team = ThreadTeam::make(3).take();
  std::atomic<int> calls{0};
  for (int run = 0; run < 3; ++run) {
    // Longer than the spinning lasts: the workers sleep in the kernel by then.
    systemClock().sleepUntil(monotonicNs() + 5000000);
    team->run([&](unsigned worker) {
      if (worker == 0) systemClock().sleepUntil(monotonicNs() + 5000000);
      team->barrier();
      ++calls;
    });
  }
  EXPECT_EQ(calls, 9);
}

TEST(ThreadTeam, ATeamOfNobodyIsRefused) { EXPECT_FALSE(ThreadTeam::make(0)); }
