// What the emulated driver is told beside the driver's calls.
#include "runtime/device/emulator/EmulatedDriverState.h"

namespace dlm::emulator {

namespace {

class Watch final : public cuda::MemoryWatch {
public:
  cuda::CUresult forget(cuda::CUstream stream, cuda::CUdeviceptr memory,
                        uint64_t sizeBytes) override {
    if (cuda::CUresult result = ready()) return result;
    auto *begin = reinterpret_cast<uint8_t *>(uintptr_t(memory));
    if (sizeBytes == 0) return cuda::Success;
    if (!emulated().memory.contains(begin, sizeBytes)) return cuda::ErrorInvalidValue;
    return enqueue(stream, [=] {
      return emulated().memory.forget(begin, sizeBytes) ? cuda::Success : cuda::ErrorIllegalAddress;
    });
  }

  void allow(std::vector<AllowedRange> ranges) override {
    emulated().allowed = std::make_shared<const std::vector<AllowedRange>>(std::move(ranges));
  }
};

} // namespace

cuda::MemoryWatch &memoryWatch() {
  static Watch watch;
  return watch;
}

} // namespace dlm::emulator
