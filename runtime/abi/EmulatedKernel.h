// Device code that runs on the CPU: what an emulated image holds and what its functions ask of the
// emulator. The compiler writes such images (compiler/codegen/emulate), the emulated driver runs
// them (runtime/device/emulator). An image is a shared object that needs nothing; everything is
// reached through the thread that is passed in.
#pragma once

#include <cstdint>

extern "C" {

struct DlmEmuThread;

/// How the source lane of a shuffle is found, as in PTX's `shfl.sync`.
enum DlmEmuShuffle : uint32_t { DlmEmuIdx, DlmEmuUp, DlmEmuDown, DlmEmuXor };

/// What device code asks for. `site` is an index into the image's sites.
struct DlmEmuApi {
  /// Waits for all threads of the block.
  void (*barrier)(DlmEmuThread *thread, uint32_t site);
  /// Waits for the lanes of `mask`, and orders their memory accesses.
  void (*syncWarp)(DlmEmuThread *thread, uint32_t mask, uint32_t site);
  /// The 32 bits of the source lane; bit 32 tells whether there was one. `clamp` is PTX's
  /// operand c.
  uint64_t (*shuffle)(DlmEmuThread *thread, DlmEmuShuffle mode, uint32_t mask, uint32_t value,
                      uint32_t lane, uint32_t clamp, uint32_t site);
  /// Bit i of the result: lane i is in `mask` and its predicate is not 0.
  uint32_t (*ballot)(DlmEmuThread *thread, uint32_t mask, uint32_t predicate, uint32_t site);
  /// Stands before every load, store and atomic of a checked image.
  void (*access)(DlmEmuThread *thread, const void *address, uint32_t sizeBytes, uint32_t site);
  /// The code cannot go on (`trap`, `unreachable`). Does not return.
  void (*trap)(DlmEmuThread *thread, uint32_t site);
};

/// One thread of a launch; the emulator owns it and keeps more behind it.
struct DlmEmuThread {
  uint32_t tid[3], ntid[3], ctaid[3], nctaid[3]; // x, y, z
  uint32_t lane;                                 // 0 .. 31
  uint32_t warp;                                 // within the block
  uint8_t *shared; // the block's shared memory: an odd multiple of the largest alignment in it
  const DlmEmuApi *api;
};

enum DlmEmuSiteKind : uint8_t {
  DlmEmuLoad,
  DlmEmuStore,
  DlmEmuAtomic,
  DlmEmuBarrier,
  DlmEmuSyncWarp,
  DlmEmuCollective, // shuffle, ballot
  DlmEmuTrap
};

/// An instruction that the emulator hears of.
struct DlmEmuSite {
  DlmEmuSiteKind kind;
  uint8_t space;      // of the address: 0 unknown, 1 global, 3 shared
  uint32_t alignment; // that the instruction declares, in bytes
  const char *text;   // the instruction, for messages
};

/// A variable in shared memory. The emulator may leave gaps between variables, but these offsets
/// are those the code uses.
struct DlmEmuShared {
  const char *name;
  uint32_t offset, sizeBytes, alignment;
};

struct DlmEmuFunction {
  const char *name;
  /// Runs one thread. `params` points to the parameters' values, as in cuLaunchKernel.
  void (*run)(DlmEmuThread *thread, void *const *params);
  uint32_t paramCount;
  const uint32_t *paramBytes;
  uint32_t sharedBytes; // of all variables and the gaps between them
  uint32_t sharedCount;
  const DlmEmuShared *shared;
  uint32_t threadsMax;   // of a block, as the code declares; 0: not declared
  uint8_t isCooperative; // uses barriers or collectives: threads must be able to wait
};

struct DlmEmuImage {
  uint32_t abi; // DlmEmuAbiVersion
  uint8_t isChecked;
  uint32_t functionCount;
  const DlmEmuFunction *functions;
  uint32_t siteCount;
  const DlmEmuSite *sites;
};
}

namespace dlm {

constexpr uint32_t DlmEmuAbiVersion = 1;

/// The symbol of the `DlmEmuImage` in an emulated image.
constexpr char DlmEmuImageSymbol[] = "dlm_emulated_image";

} // namespace dlm
