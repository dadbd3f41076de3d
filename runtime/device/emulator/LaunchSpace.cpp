// Shared memory lies at an odd multiple of the largest alignment that its variables declare: what
// relies on more shows, as it would where another kernel's variables come first. Around it lies
// room that belongs to nobody, so that an access a little too far is reported and does not fault.
#include "runtime/device/emulator/LaunchSpace.h"

#include <cstring>
#include <sys/mman.h>

namespace dlm::emulator {

namespace {

constexpr uint64_t RoomBytes = uint64_t(64) << 10;

} // namespace

LaunchSpace::~LaunchSpace() {
  if (mapped) munmap(mapped, mappedBytes);
}

bool LaunchSpace::prepare(uint32_t threadCount, uint32_t fibreCount, uint32_t bytes,
                          uint32_t alignment) {
  if (threads.size() < threadCount) threads.resize(threadCount);
  while (fibres.size() < fibreCount) {
    auto fibre = Fibre::make();
    if (!fibre) return false;
    fibres.push_back(std::move(fibre));
  }
  uint64_t needed = 2 * RoomBytes + bytes + 2 * uint64_t(alignment);
  if (needed > mappedBytes) {
    if (mapped) munmap(mapped, mappedBytes);
    mappedBytes = (needed + 4095) / 4096 * 4096;
    void *memory = mmap(nullptr, mappedBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    mapped = memory == MAP_FAILED ? nullptr : static_cast<uint8_t *>(memory);
    if (!mapped) mappedBytes = 0;
    if (!mapped) return false;
    std::memset(mapped, PoisonByte, mappedBytes);
  }
  auto first = reinterpret_cast<uintptr_t>(mapped) + RoomBytes;
  uintptr_t odd = ((first + alignment - 1) / alignment | 1) * alignment;
  shared = mapped + (odd - reinterpret_cast<uintptr_t>(mapped));
  sharedBytes = bytes;
  return true;
}

void LaunchSpace::poisonShared() {
  if (sharedBytes) std::memset(shared, PoisonByte, sharedBytes);
}

bool LaunchSpace::isNearShared(const void *address) const {
  auto *at = static_cast<const uint8_t *>(address);
  // The last 64 bytes are no good for an access that begins there.
  return at >= mapped && at < mapped + mappedBytes - 64;
}

} // namespace dlm::emulator
