// A stand-in for the library of the CUDA driver, so that a machine without a GPU can run what is
// meant for one, from opening the driver on: the emulated driver behind the names of the real one.
// In the place of a cubin it loads the emulated image that $DLM_STAND_IN_IMAGE names. With
// $DLM_STAND_IN_FAULT it is a broken device: launches lack their last block.
#include "runtime/base/FileBytes.h"
#include "runtime/device/emulator/EmulatedDriver.h"

#include <cstdlib>
#include <cstring>
#include <elf.h>

using namespace dlm;
using namespace dlm::cuda;

// Each function jumps to where its slot points.
#define DLM_STAND_IN(name, symbol, parameters)                                                     \
  extern "C" {                                                                                     \
  __attribute__((used, visibility("hidden"))) CUresult(*slot_##symbol) parameters = nullptr;       \
  }                                                                                                \
  asm(".text\n.globl " #symbol "\n.type " #symbol ", @function\n" #symbol                          \
      ":\n  jmp *slot_" #symbol "(%rip)\n.size " #symbol ", . - " #symbol);
DLM_CUDA_DRIVER(DLM_STAND_IN)
#undef DLM_STAND_IN

namespace {

const DriverTable *emulated = nullptr;

bool isCubin(const void *image) {
  constexpr uint16_t CudaMachine = 190;
  const auto *header = static_cast<const Elf64_Ehdr *>(image);
  return std::memcmp(image, ELFMAG, SELFMAG) == 0 && header->e_machine == CudaMachine;
}

CUresult loadModule(CUmodule *module, const void *image, unsigned optionCount, int *options,
                    void **optionValues) {
  const char *path = std::getenv("DLM_STAND_IN_IMAGE");
  if (!path || !isCubin(image)) return ErrorInvalidImage;
  Expected<std::vector<uint8_t>> bytes = readFileBytes(path);
  if (!bytes) return ErrorInvalidImage;
  return emulated->moduleLoadDataEx(module, bytes->data(), optionCount, options, optionValues);
}

CUresult launchTooFew(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                      unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                      CUstream stream, void **parameters, void **extra) {
  return emulated->launchKernel(function, gridX > 1 ? gridX - 1 : 1, gridY, gridZ, blockX, blockY,
                                blockZ, sharedBytes, stream, parameters, extra);
}

__attribute__((constructor)) void fillSlots() {
  emulator::DriverOptions options;
  options.launch.order = emulator::Order::WarpSkew;
  emulated = emulator::openEmulatedDriver(options);
#define DLM_STAND_IN(name, symbol, parameters) slot_##symbol = emulated->name;
  DLM_CUDA_DRIVER(DLM_STAND_IN)
#undef DLM_STAND_IN
  slot_cuModuleLoadDataEx = loadModule;
  if (std::getenv("DLM_STAND_IN_FAULT")) slot_cuLaunchKernel = launchTooFew;
}

} // namespace
