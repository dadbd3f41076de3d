// A device over the emulated driver with the hand-written sample code, for the tests.
#pragma once

#include "runtime/base/FileBytes.h"
#include "runtime/device/cuda/CudaDevice.h"
#include "runtime/device/emulator/EmulatedDriver.h"

#include <gtest/gtest.h>

namespace dlm {

inline std::vector<uint8_t> sampleImage(bool isChecked = false) {
  return readFileBytes(isChecked ? DLM_SAMPLE_CHECKED_IMAGE : DLM_SAMPLE_IMAGE).take();
}

inline cuda::DeviceImage imageOf(const std::string &name, const std::vector<uint8_t> &bytes) {
  return {name, bytes.data(), bytes.size()};
}

struct EmulatedDevice {
  explicit EmulatedDevice(emulator::DriverOptions options = {}, bool isChecked = false)
      : table(*emulator::openEmulatedDriver(options)),
        device(cuda::CudaDevice::open(table).take()) {
    std::vector<uint8_t> bytes = sampleImage(isChecked);
    Status loaded = device->load({imageOf("emulator", bytes)});
    EXPECT_TRUE(loaded.isOk()) << loaded.message();
    add = device->findFunction("add_value").take();
    trap = device->findFunction("trap").take();
  }

  /// to[i] = from[i] + value in blocks of 64
  Status addValue(cuda::Stream &stream, cuda::CUdeviceptr to, cuda::CUdeviceptr from, float value,
                  uint64_t count) const {
    void *parameters[] = {&to, &from, &value, &count};
    return stream.launch(add, "add_value", uint32_t((count + 63) / 64), 64, parameters);
  }

  cuda::DriverTable table; // its own: a test may replace functions
  std::unique_ptr<cuda::CudaDevice> device;
  cuda::CUfunction add, trap;
};

} // namespace dlm

/// Fails the test with the message unless a `Status` is ok.
#define EXPECT_OK(expression)                                                                      \
  do {                                                                                             \
    ::dlm::Status dlmStatus = (expression);                                                        \
    EXPECT_TRUE(dlmStatus.isOk()) << #expression << ": " << dlmStatus.message();                   \
  } while (false)
