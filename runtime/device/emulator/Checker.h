// Judges every access of a checked launch: bounds, alignment, initialisation, races; and counts the
// distinct bytes of global memory that the launch touches.
#pragma once

#include "runtime/device/emulator/Findings.h"
#include "runtime/device/emulator/MemoryState.h"

namespace dlm::emulator {

class Checker {
public:
  /// `allowed`: see `LaunchOptions`.
  Checker(const DlmEmuImage &image, const DlmEmuFunction &function,
          const std::vector<AllowedRange> *allowed, Memory::State &state, Findings &findings);
  ~Checker();
  Checker(const Checker &) = delete;
  Checker &operator=(const Checker &) = delete;

  /// False if there is no memory for the shadow; then nothing else may be called.
  bool isReady() const { return state.cells != nullptr; }
  void beginBlock(uint32_t number);
  /// All threads of the block have passed a barrier.
  void passBarrier();
  /// These lanes have passed a `syncWarp` together.
  void passSyncWarp(uint32_t warp, uint32_t lanes);
  /// Judges an access. False if the processor would fault, so that it must not be made.
  bool access(const Thread &thread, const void *address, uint32_t sizeBytes, uint32_t site);

  uint64_t bytesRead = 0, bytesWritten = 0;

private:
  /// Memory with its shadow.
  struct Region {
    Cell *cells;
    uint8_t *written;
    std::vector<Extension> *extensions;
    bool isGlobal, knowsWritten;
  };
  struct Access {
    const Thread &thread;
    const uint8_t *address;
    uint32_t sizeBytes, site;
    DlmEmuSiteKind kind;
    Actor actor;
  };
  /// Where an instruction has last been found to be within bounds.
  struct Range {
    uint64_t offset = 0, sizeBytes = 0;
  };

  bool isInVariable(uint64_t offset, uint32_t sizeBytes) const;
  bool isAllowed(const Access &access);
  Range findRange(const Access &access) const;
  void touch(const Region &region, uint64_t offset, const Access &access);
  void touchWord(const Region &region, uint64_t word, uint32_t bytes, const Access &access);
  [[gnu::noinline]] void touchExtended(const Region &region, Cell &cell, uint32_t bytes,
                                       const Access &access);
  Extension &extend(const Region &region, Cell &cell);
  void count(Cell &cell, uint32_t bytes, DlmEmuSiteKind kind);

  bool reportMisaligned(const Access &access, uint32_t alignment);
  bool reportOutOfBounds(const Access &access);
  void reportUninitialised(const Access &access);
  void reportRace(const Access &access, const Cell &cell, Party party);

  std::string inWords(const Access &access) const;
  std::string placeText(const uint8_t *address) const;
  std::string boundsText(const Access &access) const;
  std::string threadText(uint32_t phase, uint32_t thread) const;
  std::string partyText(const Access &access, const Cell &cell, Party party) const;
  uint32_t blockAt(uint32_t phase) const;

  const DlmEmuImage &image;
  const DlmEmuFunction &function;
  const std::vector<AllowedRange> *allowed;
  Memory::State &state;
  LaunchSpace &space;
  Findings &findings;
  Now now;
  Region global, shared;
  std::vector<Extension> sharedExtensions;
  std::vector<Range> ranges; // one for each site
  struct Begun {
    uint32_t phase, number;
  };
  std::vector<Begun> blocks; // in the order in which they ran
};

} // namespace dlm::emulator
