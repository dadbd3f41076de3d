// A block whose threads wait for each other: barriers, warp collectives, and who runs when.
#pragma once

#include "runtime/device/emulator/Launch.h"

namespace dlm::emulator {

class Block {
public:
  explicit Block(Launch &launch);

  /// Runs all threads of a block to their end. False if that cannot be: the launch was stopped, or
  /// all threads wait.
  bool run(uint32_t number);

  // Called by threads.
  void waitAtBarrier(Thread &thread, uint32_t site);
  /// The thread has set what it brings. Returns when the lanes of its mask have come.
  void joinCollective(Thread &thread);

private:
  struct Warp {
    uint32_t live = 0;    // lanes that have not ended
    uint32_t waiting = 0; // lanes in a collective
    uint32_t named = 0;   // the lanes that all who wait name; 0 if they name different ones
  };

  static void runThread(void *thread);
  void end(Thread &thread);
  void resume(Thread &thread);
  bool runTurn();
  bool runWarpFar(uint32_t warp);
  bool leaveBarrier();
  void reportDeadlock();
  bool completeCollective(Thread &thread);
  void reportOverlap(const Thread &thread);
  void compute(uint32_t warp, uint32_t lanes);
  uint64_t shuffle(const Thread &thread, uint32_t lanes);
  Thread &laneOf(uint32_t warp, uint32_t lane) {
    return launch.space.threads[warp * WarpLanes + lane];
  }

  Launch &launch;
  std::vector<Warp> warps;
  uint32_t liveCount = 0, arrivedCount = 0;
  uint32_t barrierSite = 0;
};

} // namespace dlm::emulator
