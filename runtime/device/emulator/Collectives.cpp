// Warp collectives: each lane deposits what it brings and waits; the last one computes for all.
#include "runtime/device/emulator/Block.h"

namespace dlm::emulator {

namespace {

constexpr uint32_t Nothing = 0xFFFFFFFF; // what a lane reads that is not there: undefined in PTX

} // namespace

void Block::joinCollective(Thread &thread) {
  uint32_t lane = 1u << thread.lane;
  if (!(thread.mask & lane)) {
    launch.findings.add(Fault::DivergentCollective, thread.site, [&] {
      return launch.inWords(thread) + " is not among the lanes that it names";
    });
    thread.mask |= lane;
  }
  Warp &warp = warps[thread.warp];
  if (warp.waiting == 0) warp.named = thread.mask;
  if (warp.named != thread.mask) {
    reportOverlap(thread);
    warp.named = 0;
  }
  thread.doing = Doing::InCollective;
  warp.waiting |= lane;
  if (!completeCollective(thread)) thread.fibre->yield();
}

/// Two waiting lanes that name each other must name the same lanes, or both wait for ever. Where
/// only one names the other, the other may come later.
void Block::reportOverlap(const Thread &thread) {
  for (uint32_t rest = warps[thread.warp].waiting; rest; rest &= rest - 1) {
    const Thread &other = laneOf(thread.warp, __builtin_ctz(rest));
    bool areTied = (thread.mask >> other.lane & 1) && (other.mask >> thread.lane & 1);
    if (areTied && other.mask != thread.mask)
      launch.findings.add(Fault::DivergentCollective, thread.site, [&] {
        return launch.inWords(thread) + " and thread " + std::to_string(other.index) + ", at " +
               launch.findings.siteText(other.site) + ", name different lanes";
      });
  }
}

/// Ends the collective that the thread waits in, if all its lanes have come or ended.
bool Block::completeCollective(Thread &thread) {
  Warp &warp = warps[thread.warp];
  uint32_t lanes = thread.mask & warp.live;
  if (lanes & ~warp.waiting) return false;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    const Thread &other = laneOf(thread.warp, __builtin_ctz(rest));
    if (other.mask != thread.mask) return false;
    if (other.site != thread.site)
      launch.findings.add(Fault::DivergentCollective, thread.site, [&] {
        return launch.inWords(thread) + " is here while thread " + std::to_string(other.index) +
               " of its warp is at " + launch.findings.siteText(other.site);
      });
  }
  compute(thread.warp, lanes);
  warp.waiting &= ~lanes;
  return true;
}

void Block::compute(uint32_t warp, uint32_t lanes) {
  uint32_t votes = 0;
  bool isSync = false;
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    uint32_t lane = __builtin_ctz(rest);
    if (laneOf(warp, lane).value) votes |= 1u << lane;
  }
  for (uint32_t rest = lanes; rest; rest &= rest - 1) {
    Thread &thread = laneOf(warp, __builtin_ctz(rest));
    if (thread.collective == Collective::Shuffle) thread.result = shuffle(thread, lanes);
    if (thread.collective == Collective::Ballot) thread.result = votes;
    isSync |= thread.collective == Collective::SyncWarp;
    thread.doing = Doing::Ready;
  }
  if (isSync && launch.checker) launch.checker->passSyncWarp(warp, lanes);
}

/// The source lane as PTX finds it: `clamp` holds the last lane and, from bit 8, the segment.
uint64_t Block::shuffle(const Thread &thread, uint32_t lanes) {
  int lane = int(thread.lane), by = int(thread.source & 31);
  int clamp = int(thread.clamp & 31), segment = int(thread.clamp >> 8 & 31);
  int first = lane & segment, last = first | (clamp & ~segment);
  int source = lane;
  switch (thread.shuffleMode) {
  case DlmEmuIdx:
    source = first | (by & ~segment);
    break;
  case DlmEmuUp:
    source = lane - by;
    break;
  case DlmEmuDown:
    source = lane + by;
    break;
  case DlmEmuXor:
    source = lane ^ by;
    break;
  }
  bool isThere = thread.shuffleMode == DlmEmuUp ? source >= last : source <= last;
  if (!isThere) source = lane;
  uint32_t value = lanes >> source & 1 ? laneOf(thread.warp, uint32_t(source)).value : Nothing;
  return uint64_t(isThere) << 32 | value;
}

} // namespace dlm::emulator
