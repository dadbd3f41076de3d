// Fills the calculator's structures; all sizes of a function are static.
#include "test/codegen/Occupancy.h"

#include <cuda_occupancy.h>

namespace test {

static constexpr unsigned WarpThreads = 32, ThreadsMax = 2048, Registers = 65536, Reserved = 1024;

const Chip Chips[3] = {{"A100", "sm_80", 8, 0, 108, 164 << 10, 163 << 10},
                       {"H100/H200", "sm_90", 9, 0, 132, 228 << 10, 227 << 10},
                       {"B200", "sm_100", 10, 0, 148, 228 << 10, 227 << 10}};

unsigned getOccupancy(const Chip &chip, const dlm::DeviceResources &resources,
                      unsigned blockThreads) {
  cudaOccDeviceProp device;
  device.computeMajor = chip.major;
  device.computeMinor = chip.minor;
  device.maxThreadsPerBlock = 1024;
  device.maxThreadsPerMultiprocessor = ThreadsMax;
  device.regsPerBlock = device.regsPerMultiprocessor = Registers;
  device.warpSize = WarpThreads;
  device.sharedMemPerBlock = 48 << 10;
  device.sharedMemPerMultiprocessor = chip.sharedBytes;
  device.sharedMemPerBlockOptin = chip.sharedBytesOfBlockMax;
  device.reservedSharedMemPerBlock = Reserved;
  device.numSms = chip.multiprocessors;
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = int(blockThreads);
  function.numRegs = int(resources.registers);
  function.sharedSizeBytes = resources.sharedBytes;
  function.numBlockBarriers = 1;
  cudaOccDeviceState state;
  cudaOccResult result;
  if (cudaOccMaxActiveBlocksPerMultiprocessor(&result, &device, &function, &state,
                                              int(blockThreads), 0) != CUDA_OCC_SUCCESS)
    return 0;
  return unsigned(result.activeBlocksPerMultiprocessor) * blockThreads * 100 / ThreadsMax;
}

} // namespace test
