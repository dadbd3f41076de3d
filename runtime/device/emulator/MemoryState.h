// The inside of `Memory`, for the checker.
#pragma once

#include "runtime/device/emulator/LaunchSpace.h"
#include "runtime/device/emulator/Shadow.h"

namespace dlm::emulator {

struct Allocation {
  uint64_t sizeBytes;
  uint32_t number; // in order of allocation, from 1: a name for messages
};

struct Memory::State {
  explicit State(uint64_t totalBytes);
  ~State();

  /// The allocation that holds the whole range, or null.
  const std::pair<const uint64_t, Allocation> *find(const void *address, uint64_t sizeBytes) const;
  uint64_t offsetOf(const void *address) const {
    return static_cast<uint64_t>(static_cast<const uint8_t *>(address) - begin);
  }
  /// Reserves cells for all of memory. False if the machine has no room for them.
  bool mapCells();
  /// Sets or clears the bits of a range.
  void mark(uint64_t offset, uint64_t sizeBytes, bool isWritten);
  /// Forgets all stamps, so that phases can start again.
  void forgetStamps();

  uint8_t *begin = nullptr; // a multiple of 4096; everything below is an offset from here
  uint64_t rangeBytes = 0;  // of addresses: more than there is memory, for the gaps
  uint64_t totalBytes, usedBytes = 0;
  std::map<uint64_t, Allocation> allocations; // by offset
  uint32_t allocationCount = 0;

  uint8_t *written = nullptr; // a bit for each byte of the range
  Cell *cells = nullptr;      // one for each 4 bytes; mapped by the first checked launch
  bool ranUnchecked = false;  // then nobody knows what is initialised
  uint32_t phase = 1;         // see Shadow.h
  std::vector<Extension> extensions;
  LaunchSpace space;
};

} // namespace dlm::emulator
