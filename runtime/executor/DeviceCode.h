// A program of a plan in the form a device is told it: a flat list of launches, copies and fills
// with all addresses known, loops unrolled. Made once when the plan is opened, then captured as a
// graph; told one by one only where the time of each is wanted.
//
// If somebody watches, memory without contents of use is forgotten in between: all that is
// transient when the program begins, each such buffer where it begins to live, scratch memory
// before each instruction that has some.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/device/cuda/CudaDevice.h"

#include <string>
#include <vector>

namespace dlm {

struct DeviceCommand {
  enum class Kind : uint8_t { Launch, Copy, Fill, Forget };

  Kind kind = Kind::Launch;
  uint32_t instruction = 0; // number within the program, loop bodies counted once
  uint32_t function = 0;    // Launch: id in the plan
  uint32_t grid = 0, block = 0;
  uint32_t firstParameter = 0;
  uint32_t firstRange = 0, rangeCount = 0; // Launch: what it may touch, if somebody watches
  cuda::CUdeviceptr to = 0, from = 0;      // Copy, Fill, Forget
  uint64_t sizeBytes = 0;
  uint32_t pattern = 0;
};

/// What decoding needs to know of its surroundings.
struct DeviceContext {
  const plan::Plan &plan;
  const std::vector<cuda::CUfunction> &functions;       // by id
  const std::vector<cuda::CUdeviceptr> &arenaAddresses; // by id
  cuda::CUdeviceptr scratch;
  cuda::MemoryWatch *watch; // may be null
};

class DeviceCode {
public:
  /// Decodes a program of a verified plan for a device.
  static Expected<DeviceCode> decode(const DeviceContext &context, const plan::Program &program);

  const std::vector<DeviceCommand> &commands() const { return list; }
  uint32_t instructionCount() const { return count; }

  /// Tells the stream one command, or all.
  Status enqueue(cuda::Stream &stream, const DeviceContext &context,
                 const DeviceCommand &command) const;
  Status enqueue(cuda::Stream &stream, const DeviceContext &context) const;

private:
  friend class DeviceDecoder;
  std::vector<DeviceCommand> list;
  std::vector<uint64_t> values;   // of all parameters
  std::vector<void *> parameters; // where each value stands
  std::vector<AllowedRange> ranges;
  uint32_t count = 0;
};

/// The scratch memory that the hungriest stage of a plan asks for.
uint64_t deviceScratchBytes(const plan::Plan &plan);

} // namespace dlm
