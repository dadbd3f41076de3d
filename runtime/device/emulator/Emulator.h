// Runs emulated device code: blocks of threads with barriers, shared memory and warp operations, in
// an order of one's choice, and checks what they do.
#pragma once

#include "runtime/abi/EmulatedKernel.h"
#include "runtime/device/AllowedRange.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm::emulator {

/// In which order threads run where the program does not say.
enum class Order {
  Sequential, // blocks and threads in rising order
  Reverse,
  Random,  // every turn another permutation, from the seed
  WarpSkew // one warp as far as it can go before any other
};

struct LaunchOptions {
  Order order = Order::Sequential;
  uint64_t seed = 1;
  /// What a checked launch may touch of global memory; null: all that is allocated.
  const std::vector<AllowedRange> *allowed = nullptr;
};

/// Kinds of faults, by the words that messages and tests use.
enum class Fault {
  Race,          // two threads, one writes, nothing orders them
  OutOfBounds,   // memory that is not allocated, or that the launch may not touch
  Uninitialised, // read before anything was written
  Misaligned,    // address not a multiple of the declared alignment
  DivergentBarrier,
  DivergentCollective,
  Deadlock,
  LaunchSize, // a block larger than the code declares, an empty grid
  Trap
};

/// `race`, `out-of-bounds`, ...
const char *faultName(Fault fault);

struct Finding {
  Fault fault;
  std::string function; // the kernel
  std::string message;  // where, which thread, what
  uint64_t count = 1;   // how often it was found
  uint32_t site = ~0u;  // in the image; ~0: no instruction
};

/// What one kernel did, over all its launches.
struct KernelCounts {
  uint64_t launches = 0;
  uint64_t threads = 0;
  // Of checked images: distinct bytes of global memory that a launch read and wrote, added up.
  uint64_t bytesRead = 0, bytesWritten = 0;
};

struct Report {
  bool isChecked = false;        // a launch of a checked image has run
  std::vector<Finding> findings; // each kind at each site once
  std::map<std::string, KernelCounts> kernels;
  bool isClean() const { return findings.empty(); }
};

/// The emulated device's memory: allocations at exactly their alignment of 256 bytes, gaps between
/// them, and for checked images what is known of every byte.
class Memory {
public:
  explicit Memory(uint64_t totalBytes);
  ~Memory();
  Memory(const Memory &) = delete;
  Memory &operator=(const Memory &) = delete;

  /// Filled with 0xFF (a NaN) and not initialised; null if there is no room.
  void *allocate(uint64_t sizeBytes);
  /// Fills with 0xFF. False if this was not allocated.
  bool release(void *memory);
  uint64_t freeBytes() const;
  /// True if the range lies within one allocation.
  bool contains(const void *address, uint64_t sizeBytes) const;
  /// A copy or a fill from outside has written the range.
  void markWritten(const void *address, uint64_t sizeBytes);
  /// As much is known of the range as of that which was copied there.
  void markCopied(const void *to, const void *from, uint64_t sizeBytes);
  /// Makes the range as it was when it was allocated. False if it does not lie in one allocation.
  bool forget(void *address, uint64_t sizeBytes);

  struct State;
  State &state() { return *own; }

private:
  State *own;
};

/// Runs `grid` blocks of `block` threads, to their end, and adds to the report. The image decides
/// whether accesses are checked. Returns false if the launch could not end (deadlock, trap, a size
/// that cannot be launched).
bool runLaunch(const DlmEmuImage &image, const DlmEmuFunction &function, uint32_t grid,
               uint32_t block, void *const *params, Memory &memory, const LaunchOptions &options,
               Report &report);

} // namespace dlm::emulator
