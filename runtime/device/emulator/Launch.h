// A launch while it runs: what all its blocks and threads share.
#pragma once

#include "runtime/device/emulator/Checker.h"

namespace dlm::emulator {

class Block;

struct Launch {
  const DlmEmuImage &image;
  const DlmEmuFunction &function;
  uint32_t grid, blockThreads;
  void *const *params;
  const LaunchOptions &options;
  LaunchSpace &space;
  Findings &findings;
  Checker *checker = nullptr; // of a checked image
  Block *block = nullptr;     // that runs now, if its threads can wait
  bool isStopped = false;     // it cannot go on
  uint32_t blockNumber = 0;   // of the running block

  /// Sets what a thread's code sees.
  void place(Thread &thread, uint32_t index);
  /// Gives the next block fresh shared memory.
  void beginBlock(uint32_t number);
  /// `thread 3 of block 7`.
  std::string inWords(const Thread &thread) const;
  /// Ends the launch where the thread stands. Does not return.
  [[noreturn]] void stop(Thread &thread);
};

/// What device code calls.
extern const DlmEmuApi EmulatorApi;

} // namespace dlm::emulator
