// What a checked launch knows of memory: who has written and read each word, and when.
//
// Time is one counter, the phase. It goes up when a block begins, when a block passes a barrier and
// when lanes of a warp pass `syncWarp`; blocks run one after another. A stamp therefore tells by
// comparison alone what lies between an access and now:
//   before the launch began                 another launch, ordered
//   before the block began                  another block, not ordered
//   before the block's last barrier         ordered
//   after it                                ordered only if both are lanes of one warp and a
//                                           `syncWarp` lies between (`Actor::known`)
// Of the reads since the last write one set is kept: the lanes of one warp, or "several warps", or
// "several blocks". That is enough, because a write is in conflict with several warps whoever
// writes. The one thing not exact: if lanes of one warp read a word between two `syncWarp`s with
// different masks that cover only some of them, a race with the later of the reads may be missed.
#pragma once

#include <cstdint>
#include <vector>

namespace dlm::emulator {

/// Phases at which things began.
struct Now {
  uint32_t phase = 0;
  uint32_t launch = 0, block = 0, epoch = 0; // epoch: after the block's last barrier
};

/// Who makes an access.
struct Actor {
  uint32_t thread, warp, lane;
  uint16_t site;
  const uint32_t *known; // for each lane of the warp: all before this phase is ordered before now
};

constexpr uint16_t UnknownSite = 0xFFFF;

/// A word of memory, or a byte of a word that is not used as a whole.
struct Cell {
  uint32_t writePhase; // while extended: the index of the extension
  uint32_t readPhase;  // of the latest read since the last write; 0: none
  uint32_t readLanes;
  uint32_t writer : 10, readWarp : 5, isReadByWarps : 1, isReadByBlocks : 1, isExtended : 1;
  uint32_t countedRead : 4, countedWritten : 4; // bytes counted in this launch
  uint16_t writeSite, readSite;
};

/// A word whose bytes differ, or that atomics have touched: both are rare.
struct Extension {
  Cell *cell;
  Cell bytes[4];
  Cell atomics[4]; // a set like that of the readers: atomics are not in conflict with each other
};

/// Whom an access is in conflict with.
enum class Party { Nobody, Writer, Readers, Atomics };

/// Whether the last write is not ordered before the actor's access.
inline bool conflictsWithWriter(const Cell &cell, const Now &now, const Actor &actor) {
  if (cell.writePhase < now.launch) return false;
  if (cell.writePhase < now.block) return true;
  if (cell.writePhase < now.epoch || cell.writer == actor.thread) return false;
  return cell.writer / 32 != actor.warp || actor.known[cell.writer % 32] <= cell.writePhase;
}

/// Whether a read since the last write is not ordered before the actor's access.
inline bool conflictsWithReaders(const Cell &cell, const Now &now, const Actor &actor) {
  if (cell.readPhase < now.launch) return false;
  if (cell.isReadByBlocks || cell.readPhase < now.block) return true;
  if (cell.readPhase < now.epoch) return false;
  if (cell.isReadByWarps || cell.readWarp != actor.warp) return true;
  for (uint32_t rest = cell.readLanes & ~(1u << actor.lane); rest; rest &= rest - 1)
    if (actor.known[__builtin_ctz(rest)] <= cell.readPhase) return true;
  return false;
}

inline void noteWrite(Cell &cell, const Now &now, const Actor &actor) {
  cell.writePhase = now.phase;
  cell.writer = actor.thread;
  cell.writeSite = actor.site;
  cell.readPhase = 0;
}

/// Adds the actor to the set of readers.
inline void noteRead(Cell &cell, const Now &now, const Actor &actor) {
  uint32_t lane = 1u << actor.lane;
  if (cell.readPhase >= now.epoch) {
    if (cell.isReadByWarps) return;
    if (cell.readWarp == actor.warp) {
      uint32_t unordered = 0;
      if (cell.readPhase == now.phase)
        unordered = cell.readLanes;
      else
        for (uint32_t rest = cell.readLanes & ~lane; rest; rest &= rest - 1)
          if (actor.known[__builtin_ctz(rest)] <= cell.readPhase) unordered |= rest & -rest;
      cell.readLanes = unordered | lane;
      if (unordered) return; // keeps the earlier phase: no report of what was ordered
      cell.readPhase = now.phase;
      cell.readSite = actor.site;
      return;
    }
    cell.isReadByWarps = 1;
  } else {
    cell.isReadByBlocks =
        cell.readPhase >= now.launch && (cell.isReadByBlocks || cell.readPhase < now.block);
    cell.isReadByWarps = 0;
  }
  cell.readPhase = now.phase;
  cell.readWarp = actor.warp;
  cell.readLanes = lane;
  cell.readSite = actor.site;
}

} // namespace dlm::emulator
