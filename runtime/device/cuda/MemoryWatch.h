// What a checker of device memory wants to know and no call of the driver says. A GPU has no use
// for it; the emulated driver has one (emulator/EmulatedDriver.h), and who opens an executor passes
// it on.
#pragma once

#include "runtime/device/AllowedRange.h"
#include "runtime/device/cuda/DriverTable.h"

#include <vector>

namespace dlm::cuda {

class MemoryWatch {
public:
  virtual ~MemoryWatch() = default;
  /// From this point of the stream's work on, the range is like memory that nobody has written.
  virtual CUresult forget(CUstream stream, CUdeviceptr memory, uint64_t sizeBytes) = 0;
  /// The launch that is called next may touch these ranges and no other memory of the device.
  virtual void allow(std::vector<AllowedRange> ranges) = 0;
};

} // namespace dlm::cuda
