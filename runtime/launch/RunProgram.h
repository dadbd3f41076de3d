// The command line of a compiled program, as a function: what the main of every executable calls,
// and what `dlmc run` calls in process with the same bytes.
#pragma once

#include "runtime/base/Clock.h"
#include "runtime/executor/KernelLibrary.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>

namespace dlm {

/// Bytes owned by the caller.
struct ByteRange {
  const uint8_t *data = nullptr;
  size_t size = 0;
};

/// What a command may touch of its surroundings; tests give it other ones.
struct Surroundings {
  std::FILE *out = stdout;
  std::FILE *err = stderr;
  bool isTerminal = false; // `out` is one: progress is drawn in place
  Clock *clock = nullptr;
};

/// Runs the command of `argv` on a plan and its kernels (the bytes of a shared object). Returns the
/// exit status: 0, 1 after an error (explained on standard error), or 128 plus the number of the
/// signal that stopped it.
int runProgram(ByteRange plan, ByteRange kernels, int argc, const char *const *argv);

/// The same with kernels that are already here, and other surroundings.
int runProgram(ByteRange plan, const KernelLibrary &kernels, int argc, const char *const *argv,
               const Surroundings &surroundings);

} // namespace dlm
