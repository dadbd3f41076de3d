// Where arenas live. The interface is as small as today's only device needs; queues and events come
// with the first device that has them (the plan already names them).
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>

namespace dlm {

class Device {
public:
  virtual ~Device() = default;

  /// For messages: `cpu`.
  virtual const char *name() const = 0;

  /// Memory of at least `sizeBytes` bytes, zeroed, aligned to `alignment` (a power of two).
  virtual Expected<void *> allocate(uint64_t sizeBytes, uint64_t alignment) = 0;

  /// Gives back what `allocate` returned for that size.
  virtual void release(void *memory, uint64_t sizeBytes) = 0;
};

/// Owns a range of a device's memory.
class Arena {
public:
  Arena() = default;
  Arena(Arena &&other) noexcept { *this = std::move(other); }
  Arena &operator=(Arena &&other) noexcept {
    std::swap(device, other.device);
    std::swap(memory, other.memory);
    std::swap(size, other.size);
    return *this;
  }
  ~Arena() {
    if (memory) device->release(memory, size);
  }

  /// Allocates; the device must outlive the arena. An arena of no bytes has no memory.
  static Expected<Arena> make(Device &device, uint64_t sizeBytes, uint64_t alignment);

  uint8_t *data() const { return static_cast<uint8_t *>(memory); }
  uint64_t sizeBytes() const { return size; }

private:
  Device *device = nullptr;
  void *memory = nullptr;
  uint64_t size = 0;
};

/// Main memory: arenas of 2 MiB and more are aligned to 2 MiB and ask for huge pages.
std::unique_ptr<Device> makeCpuDevice();

} // namespace dlm
