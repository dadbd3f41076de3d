// A CUDA driver that has no GPU: the functions of the driver's table over main memory, lazy streams
// and the emulator's threads.
#pragma once

#include "runtime/device/cuda/MemoryWatch.h"
#include "runtime/device/emulator/Emulator.h"

namespace dlm::emulator {

struct DriverOptions {
  LaunchOptions launch;
  /// Memory of the device; allocating more is CUDA_ERROR_OUT_OF_MEMORY.
  uint64_t totalBytes = uint64_t(4) << 30;
  /// Streams do nothing until somebody waits for them, and then only what is needed, in an order
  /// that depends on the seed: a forgotten wait shows. False: at once.
  bool lazy = true;
  int major = 8, minor = 0;
};

/// Starts the one emulated driver of this process and gives its table, initialised. A second call
/// replaces the options and forgets reports; all objects of the first must be gone.
const cuda::DriverTable *openEmulatedDriver(const DriverOptions &options);

/// What the opened emulated driver wants to be told, for its checks. Memory that is forgotten is
/// filled with NaN in every run; what launches may touch matters to checked images.
cuda::MemoryWatch &memoryWatch();

/// What the emulator has found and counted since it was opened.
const Report &emulatorReport();

} // namespace dlm::emulator
