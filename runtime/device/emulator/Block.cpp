// Turns and barriers. A thread runs until it waits or ends. The order of turns decides who is asked
// next; nothing else does. A barrier opens only between turns, when all threads that have not ended
// wait at it; a collective completes as soon as its last lane comes.
#include "runtime/device/emulator/Block.h"

#include <algorithm>

namespace dlm::emulator {

Block::Block(Launch &launch) : launch(launch) {
  warps.resize((launch.blockThreads + WarpLanes - 1) / WarpLanes);
  for (uint32_t i = 0; i < launch.blockThreads; ++i) {
    Thread &thread = launch.space.threads[i];
    launch.place(thread, i);
    thread.fibre = launch.space.fibres[i].get();
  }
}

bool Block::run(uint32_t number) {
  launch.beginBlock(number);
  liveCount = launch.blockThreads;
  arrivedCount = 0;
  for (Warp &warp : warps)
    warp = {};
  for (uint32_t i = 0; i < launch.blockThreads; ++i) {
    Thread &thread = launch.space.threads[i];
    thread.ctaid[0] = number;
    thread.doing = Doing::Ready;
    thread.fibre->start(&Block::runThread, &thread);
    warps[thread.warp].live |= 1u << thread.lane;
  }
  LaunchSpace &space = launch.space;
  const LaunchOptions &options = launch.options;
  space.threadTurns.reset(options.order, options.seed, number, launch.blockThreads);
  space.warpTurns.reset(options.order, options.seed, number, uint32_t(warps.size()));
  while (liveCount) {
    bool hasRun = runTurn();
    if (launch.isStopped) return false;
    if (liveCount && !leaveBarrier() && !hasRun) {
      reportDeadlock();
      return false;
    }
  }
  return true;
}

void Block::runThread(void *argument) {
  auto &thread = *static_cast<Thread *>(argument);
  thread.launch->function.run(&thread, thread.launch->params);
  thread.launch->block->end(thread);
}

/// Those who wait for the lanes of a warp do not wait for one that has ended.
void Block::end(Thread &thread) {
  thread.doing = Doing::Ended;
  --liveCount;
  Warp &warp = warps[thread.warp];
  warp.live &= ~(1u << thread.lane);
  for (uint32_t rest = warp.waiting; rest; rest &= rest - 1)
    if (warp.waiting & rest & -rest) completeCollective(laneOf(thread.warp, __builtin_ctz(rest)));
}

/// Asks everybody once, or in warp-skew every warp as often as one of its lanes can go on. False if
/// nobody could.
bool Block::runTurn() {
  bool hasRun = false;
  if (launch.options.order == Order::WarpSkew) {
    for (uint32_t warp : launch.space.warpTurns.next())
      hasRun |= runWarpFar(warp);
    return hasRun;
  }
  for (uint32_t index : launch.space.threadTurns.next()) {
    Thread &thread = launch.space.threads[index];
    if (thread.doing != Doing::Ready) continue;
    if (launch.isStopped) return true;
    thread.fibre->resume();
    hasRun = true;
  }
  return hasRun;
}

bool Block::runWarpFar(uint32_t warp) {
  uint32_t begin = warp * WarpLanes, end = std::min(begin + WarpLanes, launch.blockThreads);
  bool hasRun = false;
  for (bool again = true; again;) {
    again = false;
    for (uint32_t index = begin; index < end; ++index) {
      Thread &thread = launch.space.threads[index];
      if (thread.doing != Doing::Ready) continue;
      if (launch.isStopped) return true;
      thread.fibre->resume();
      again = hasRun = true;
    }
  }
  return hasRun;
}

void Block::waitAtBarrier(Thread &thread, uint32_t site) {
  if (arrivedCount == 0) barrierSite = site;
  if (site != barrierSite)
    launch.findings.add(Fault::DivergentBarrier, site, [&] {
      return launch.inWords(thread) + " waits here while others of its block wait at " +
             launch.findings.siteText(barrierSite);
    });
  ++arrivedCount;
  thread.doing = Doing::AtBarrier;
  thread.site = site;
  thread.fibre->yield();
}

/// Lets all threads go on if all wait at the barrier.
bool Block::leaveBarrier() {
  if (arrivedCount == 0 || arrivedCount != liveCount) return false;
  if (liveCount != launch.blockThreads)
    launch.findings.add(Fault::DivergentBarrier, barrierSite, [&] {
      return std::to_string(liveCount) + " of the " + std::to_string(launch.blockThreads) +
             " threads of block " + std::to_string(launch.blockNumber) +
             " wait here, the others have ended";
    });
  arrivedCount = 0;
  for (uint32_t i = 0; i < launch.blockThreads; ++i) {
    Thread &thread = launch.space.threads[i];
    if (thread.doing == Doing::AtBarrier) thread.doing = Doing::Ready;
  }
  if (launch.checker) launch.checker->passBarrier();
  return true;
}

void Block::reportDeadlock() {
  const Thread *atBarrier = nullptr, *inCollective = nullptr;
  for (uint32_t i = launch.blockThreads; i-- > 0;) {
    const Thread &thread = launch.space.threads[i];
    if (thread.doing == Doing::AtBarrier) atBarrier = &thread;
    if (thread.doing == Doing::InCollective) inCollective = &thread;
  }
  // With everybody at the barrier it would have opened, so somebody waits for lanes of a warp.
  if (!inCollective) return;
  launch.findings.add(Fault::Deadlock, inCollective->site, [&] {
    std::string text = launch.inWords(*inCollective) + " waits here for other lanes of its warp";
    if (!atBarrier) return text + ", which wait elsewhere";
    return text + ", while thread " + std::to_string(atBarrier->index) + " waits at " +
           launch.findings.siteText(atBarrier->site);
  });
}

} // namespace dlm::emulator
