// A device that runs a program's code: the machine's GPU or the emulated one, with one stream.
#pragma once

#include "runtime/device/cuda/CudaDevice.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dlm::gpucheck {

/// One launch of a device function, as in the plan.
struct StageCall {
  std::string function;
  uint32_t block = 0, grid = 0;
  std::vector<int64_t> numbers;
};

class Machine {
public:
  static Expected<std::unique_ptr<Machine>> open(const cuda::DriverTable &driver,
                                                 const std::vector<cuda::DeviceImage> &images);

  cuda::CudaDevice &device() { return *theDevice; }
  cuda::Stream &stream() { return *theStream; }

  /// Loads a device function. Drivers may load one only when it is asked for, which is too late
  /// while a graph is captured.
  Expected<cuda::CUfunction> find(const std::string &function);

  /// Launches a stage on the stream.
  Status launch(const StageCall &stage, std::vector<cuda::CUdeviceptr> arguments,
                cuda::CUdeviceptr scratch);

  /// Milliseconds that the device takes for what `enqueue` puts on the stream.
  template <class F> Expected<double> measure(F enqueue) {
    DLM_TRY(theStream->record(*begin));
    DLM_TRY(enqueue());
    DLM_TRY(theStream->record(*end));
    DLM_TRY(theStream->synchronize());
    Expected<float> ms = end->msSince(*begin);
    if (!ms) return ms.status();
    return double(*ms);
  }

private:
  std::unique_ptr<cuda::CudaDevice> theDevice;
  std::unique_ptr<cuda::Stream> theStream;
  std::unique_ptr<cuda::Event> begin, end;
  std::map<std::string, cuda::CUfunction> functions;
};

} // namespace dlm::gpucheck
