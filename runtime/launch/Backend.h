// Where a program runs: the seam between the commands and the processor, a GPU or the emulator.
#pragma once

#include "runtime/device/cuda/CudaDevice.h"
#include "runtime/executor/Engine.h"
#include "runtime/executor/KernelLibrary.h"
#include "runtime/launch/CommandLine.h"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// How many threads of the processor run programs.
struct ThreadChoice {
  unsigned count = 1;
  bool isMost = false; // fewer, where the work is too little to share
};

class Backend {
public:
  virtual ~Backend() = default;

  /// An engine for the plan; called once. Whatever the engine needs outlives it in the backend.
  virtual Expected<std::unique_ptr<Engine>> open(const plan::Plan &plan, ThreadChoice threads) = 0;

  /// Code for the processor; null if the program has none.
  virtual const KernelLibrary *kernels() const = 0;

  /// After the command, with the engine gone: what is left to say. A failure is one of the command.
  virtual Status finish(const plan::Plan &plan, std::FILE *err) { return Status::ok(); }
};

/// The processor, with these kernels.
std::unique_ptr<Backend> makeCpuBackend(const KernelLibrary &kernels);

/// The GPU or the emulator, as the command line says; without a word of it the emulator if the
/// program carries code for it. `kernels`: for what the processor does beside it, if there is any.
/// `images` and `kernels` must outlive the backend. `driverPath`: see `openMachineDriver`.
std::unique_ptr<Backend> makeDeviceBackend(const std::vector<cuda::DeviceImage> &images,
                                           const KernelLibrary *kernels, const CommandLine &line,
                                           const std::string &driverPath);

/// What the emulator has counted and what the plan says, for `--emulator-report`. `runCounts`: how
/// often each program was run.
std::string emulatorReportJson(const plan::Plan &plan, const std::vector<uint64_t> &runCounts);

} // namespace dlm
