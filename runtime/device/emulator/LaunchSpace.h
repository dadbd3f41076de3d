// What launches need and keep for the next one: fibres, threads and the shared memory of a block.
// After the first launch of the largest block nothing is allocated any more.
#pragma once

#include "runtime/device/emulator/Emulator.h"
#include "runtime/device/emulator/Fibre.h"
#include "runtime/device/emulator/Shadow.h"
#include "runtime/device/emulator/Turns.h"

#include <memory>

namespace dlm::emulator {

struct Launch;

constexpr uint32_t WarpLanes = 32;
constexpr uint32_t BlockThreadsMax = 1024;
constexpr uint32_t SharedBytesMax = 48 << 10; // what a block may declare without asking
constexpr uint8_t PoisonByte = 0xFF;          // a NaN in every floating-point format

/// What a thread of a block does now.
enum class Doing : uint8_t { Ready, AtBarrier, InCollective, Ended };

enum class Collective : uint8_t { SyncWarp, Shuffle, Ballot };

/// A device thread: what its code sees, and what the emulator keeps behind it.
struct Thread : DlmEmuThread {
  Launch *launch;
  Fibre *fibre;
  uint32_t index; // within the block
  Doing doing;
  uint32_t site; // where it waits
  // What it has brought to a collective, and what it takes away.
  Collective collective;
  DlmEmuShuffle shuffleMode;
  uint32_t mask, value, source, clamp;
  uint64_t result;
};

class LaunchSpace {
public:
  LaunchSpace() = default;
  ~LaunchSpace();
  LaunchSpace(const LaunchSpace &) = delete;
  LaunchSpace &operator=(const LaunchSpace &) = delete;

  /// Makes room. False if the machine has no memory for it.
  bool prepare(uint32_t threadCount, uint32_t fibreCount, uint32_t sharedBytes,
               uint32_t sharedAlignment);
  /// Fills shared memory with poison, for the next block.
  void poisonShared();
  void forgetKnown() { known.assign(known.size(), 0); }
  /// True if an access there does not fault: shared memory or the room around it.
  bool isNearShared(const void *address) const;

  std::vector<Thread> threads;
  std::vector<std::unique_ptr<Fibre>> fibres;
  uint8_t *shared = nullptr;
  uint32_t sharedBytes = 0;

  Turns blockTurns, threadTurns, warpTurns;

  // For checked launches: shadows of shared memory, and for each pair of lanes of each warp the
  // phase before which all of the second is ordered before what the first does now.
  std::vector<Cell> sharedCells;
  std::vector<uint8_t> sharedWritten;
  std::vector<uint16_t> sharedOwner; // for each byte the number of its variable, from 1; 0: a gap
  std::vector<uint32_t> known;

private:
  uint8_t *mapped = nullptr;
  uint64_t mappedBytes = 0;
};

} // namespace dlm::emulator
