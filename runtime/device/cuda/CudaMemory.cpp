// Memory of a device and memory of the host that it can reach: allocated before the first step,
// zeroed unless nobody needs it, and with a message that helps when there is not enough.
#include "runtime/device/cuda/CudaDevice.h"

#include <cstring>
#include <utility>

namespace dlm::cuda {

std::string sizeText(uint64_t sizeBytes) {
  constexpr uint64_t Megabyte = 1000000;
  bool small = sizeBytes < Megabyte;
  std::string digits = std::to_string(small ? sizeBytes : (sizeBytes + Megabyte - 1) / Megabyte);
  for (size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, ",");
  return digits + (small ? " bytes" : " MB");
}

DeviceMemory &DeviceMemory::operator=(DeviceMemory &&other) noexcept {
  std::swap(device, other.device);
  std::swap(memory, other.memory);
  std::swap(size, other.size);
  return *this;
}

DeviceMemory::~DeviceMemory() {
  if (memory) device->driver().memFree(memory);
}

PinnedMemory &PinnedMemory::operator=(PinnedMemory &&other) noexcept {
  std::swap(device, other.device);
  std::swap(memory, other.memory);
  std::swap(size, other.size);
  return *this;
}

PinnedMemory::~PinnedMemory() {
  if (memory) device->driver().memFreeHost(memory);
}

Expected<uint64_t> CudaDevice::freeBytes() const {
  size_t available = 0, total = 0;
  DLM_TRY(check(table.memGetInfo(&available, &total), "reading the free memory"));
  return uint64_t(available);
}

Status CudaDevice::outOfMemory(uint64_t sizeBytes, const std::string &what) const {
  size_t available = 0, total = 0;
  bool isKnown = table.memGetInfo(&available, &total) == Success;
  std::string has = isKnown ? sizeText(available) + " of " + sizeText(total) + " are free"
                            : std::string("the device has less");
  return Status::error(Code::NoSpace,
                       label() + " has too little memory: planned " + sizeText(sizeBytes) +
                           " for " + what + ", " + has +
                           "; a smaller micro-batch or a smaller model needs less; `nvidia-smi` "
                           "shows other programs on the device");
}

/// Needs a stream of its own: this comes before any other work.
Status CudaDevice::zero(CUdeviceptr memory, uint64_t sizeBytes, const std::string &what) const {
  Expected<std::unique_ptr<Stream>> stream = makeStream();
  if (!stream) return stream.status();
  std::string doing = "zeroing " + what;
  DLM_TRY((*stream)->fill(memory, 0, sizeBytes).withContext(doing));
  return (*stream)->synchronize().withContext(doing);
}

Expected<DeviceMemory> CudaDevice::allocate(uint64_t sizeBytes, const std::string &what,
                                            Contents contents) const {
  DeviceMemory memory;
  if (sizeBytes == 0) return memory;
  CUresult result = table.memAlloc(&memory.memory, sizeBytes);
  if (result == ErrorOutOfMemory) return outOfMemory(sizeBytes, what);
  DLM_TRY(check(result, "allocating " + sizeText(sizeBytes) + " for " + what));
  memory.device = this;
  memory.size = sizeBytes;
  if (contents == Contents::Zeros) DLM_TRY(zero(memory.memory, sizeBytes, what));
  return memory;
}

Expected<PinnedMemory> CudaDevice::allocatePinned(uint64_t sizeBytes,
                                                  const std::string &what) const {
  PinnedMemory memory;
  if (sizeBytes == 0) return memory;
  void *address = nullptr;
  CUresult result = table.memHostAlloc(&address, sizeBytes, 0);
  if (result == ErrorOutOfMemory)
    return Status::error(Code::NoSpace, label() + ": the host has no " + sizeText(sizeBytes) +
                                            " of memory that stays in place, for " + what +
                                            "; a smaller batch needs less, `ulimit -l` may limit "
                                            "it");
  DLM_TRY(check(result, "allocating " + sizeText(sizeBytes) + " of host memory for " + what));
  memory.device = this;
  memory.memory = static_cast<uint8_t *>(address);
  memory.size = sizeBytes;
  std::memset(address, 0, sizeBytes);
  return memory;
}

} // namespace dlm::cuda
