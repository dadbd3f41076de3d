// The command line of a compiled program, as a function: what the main of every executable calls,
// and what `dlmc run` calls in process with the same bytes.
#pragma once

#include "runtime/base/Clock.h"
#include "runtime/device/cuda/CudaDevice.h"
#include "runtime/executor/KernelLibrary.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

/// Bytes owned by the caller.
struct ByteRange {
  const uint8_t *data = nullptr;
  size_t size = 0;
};

/// What a compiled program consists of: a plan, and the code of its target.
struct ProgramBytes {
  ByteRange plan;
  ByteRange kernels = {};                     // for the processor: a shared object
  std::vector<cuda::DeviceImage> images = {}; // for a GPU: `sm_80`, `ptx`, `emulator`, ...
};

/// What a command may touch of its surroundings; tests give it other ones.
struct Surroundings {
  std::FILE *out = stdout;
  std::FILE *err = stderr;
  bool isTerminal = false; // `out` is one: progress is drawn in place
  bool isColored = false;  // and takes colors
  int columns = 0;         // of the terminal; 0: it is asked
  Clock *clock = nullptr;
  std::string cudaDriverPath = {}; // where to look for the driver; empty: where the system does
};

/// Those of this process.
Surroundings processSurroundings();

/// Runs the command of `argv` on a program. Returns the exit status: 0, 1 after an error (explained
/// on standard error) or findings of the emulator, or 128 plus the number of the signal that
/// stopped it.
int runProgram(const ProgramBytes &program, int argc, const char *const *argv,
               const Surroundings &surroundings = processSurroundings());

/// The same for the processor, with kernels that are already here.
int runProgram(ByteRange plan, const KernelLibrary &kernels, int argc, const char *const *argv,
               const Surroundings &surroundings);

} // namespace dlm
