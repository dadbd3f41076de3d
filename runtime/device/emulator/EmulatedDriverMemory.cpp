// Memory, copies and fills. An address of the device is one of main memory, so the checks a GPU's
// address translation would make are made here: when a call is made, and again when it is done.
#include "runtime/device/emulator/EmulatedDriverState.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

uint8_t *devicePointer(CUdeviceptr address) {
  return reinterpret_cast<uint8_t *>(uintptr_t(address));
}

bool isDeviceRange(CUdeviceptr address, uint64_t sizeBytes) {
  return address && emulated().memory.contains(devicePointer(address), sizeBytes);
}

enum class HostRange { Pageable, Pinned, Invalid };

HostRange classifyHost(const void *address, uint64_t sizeBytes) {
  State &state = emulated();
  auto *begin = static_cast<uint8_t *>(const_cast<void *>(address));
  if (!begin || state.memory.contains(begin, 1)) return HostRange::Invalid;
  auto next = state.pinned.upper_bound(begin);
  if (next != state.pinned.end() && begin + sizeBytes > next->first) return HostRange::Invalid;
  if (next == state.pinned.begin()) return HostRange::Pageable;
  auto [block, blockBytes] = *std::prev(next);
  if (begin >= block + blockBytes) return HostRange::Pageable;
  return begin + sizeBytes <= block + blockBytes ? HostRange::Pinned : HostRange::Invalid;
}

CUresult emulatedMemGetInfo(size_t *freeBytes, size_t *totalBytes) {
  if (CUresult result = ready()) return result;
  if (!freeBytes || !totalBytes) return ErrorInvalidValue;
  *freeBytes = emulated().memory.freeBytes();
  *totalBytes = emulated().options.totalBytes;
  return Success;
}

CUresult emulatedMemAlloc(CUdeviceptr *address, size_t sizeBytes) {
  if (CUresult result = readyOutsideCapture()) return result;
  if (!address || sizeBytes == 0) return ErrorInvalidValue;
  void *memory = emulated().memory.allocate(sizeBytes);
  *address = reinterpret_cast<uintptr_t>(memory);
  return memory ? Success : ErrorOutOfMemory;
}

/// Waits for everything, as the driver does. After a failure the memory is given back all the same.
CUresult emulatedMemFree(CUdeviceptr address) {
  CUresult result = readyOutsideCapture();
  if (result == Success) result = finishAll();
  if (result == ErrorStreamCaptureUnsupported) return result;
  if (!emulated().memory.release(devicePointer(address))) return ErrorInvalidValue;
  return result;
}

CUresult emulatedMemHostAlloc(void **address, size_t sizeBytes, unsigned flags) {
  constexpr size_t PageBytes = 4096;
  constexpr unsigned AllFlags = 7;
  if (CUresult result = readyOutsideCapture()) return result;
  if (!address || sizeBytes == 0 || flags > AllFlags) return ErrorInvalidValue;
  *address = nullptr;
  if (sizeBytes > (size_t(1) << 46)) return ErrorOutOfMemory;
  size_t mapped = (sizeBytes + PageBytes - 1) / PageBytes * PageBytes;
  void *memory = std::aligned_alloc(PageBytes, mapped);
  if (!memory) return ErrorOutOfMemory;
  std::memset(memory, 0xFF, mapped); // nobody may rely on zeros
  emulated().pinned.emplace(static_cast<uint8_t *>(memory), sizeBytes);
  *address = memory;
  return Success;
}

CUresult emulatedMemFreeHost(void *address) {
  CUresult result = readyOutsideCapture();
  if (result == Success) result = finishAll();
  if (result == ErrorStreamCaptureUnsupported) return result;
  if (emulated().pinned.erase(static_cast<uint8_t *>(address)) == 0) return ErrorInvalidValue;
  std::free(address);
  return result;
}

/// Pinned memory is read when the copy is done, pageable memory at once: that is what the driver
/// promises, so a staging buffer that is overwritten too early shows.
CUresult emulatedMemcpyHtoD(CUdeviceptr to, const void *from, size_t sizeBytes, CUstream stream) {
  if (CUresult result = ready()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  if (sizeBytes == 0) return Success;
  if (!isDeviceRange(to, sizeBytes)) return ErrorInvalidValue;
  HostRange host = classifyHost(from, sizeBytes);
  if (host == HostRange::Invalid) return ErrorInvalidValue;
  std::shared_ptr<std::vector<uint8_t>> snapshot;
  if (host == HostRange::Pageable) {
    if (CUresult result = readyOutsideCapture()) return result;
    auto *bytes = static_cast<const uint8_t *>(from);
    snapshot = std::make_shared<std::vector<uint8_t>>(bytes, bytes + sizeBytes);
  }
  return enqueue(stream, [=] {
    bool isValid = snapshot || classifyHost(from, sizeBytes) == HostRange::Pinned;
    if (!isValid || !isDeviceRange(to, sizeBytes)) return ErrorIllegalAddress;
    std::memcpy(devicePointer(to), snapshot ? snapshot->data() : from, sizeBytes);
    emulated().memory.markWritten(devicePointer(to), sizeBytes);
    return Success;
  });
}

/// To pageable memory the driver returns only when the copy is done.
CUresult emulatedMemcpyDtoH(void *to, CUdeviceptr from, size_t sizeBytes, CUstream stream) {
  if (CUresult result = ready()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  if (sizeBytes == 0) return Success;
  if (!isDeviceRange(from, sizeBytes)) return ErrorInvalidValue;
  HostRange host = classifyHost(to, sizeBytes);
  if (host == HostRange::Invalid) return ErrorInvalidValue;
  if (host == HostRange::Pageable)
    if (CUresult result = readyOutsideCapture()) return result;
  CUresult result = enqueue(stream, [=] {
    if (classifyHost(to, sizeBytes) != host || !isDeviceRange(from, sizeBytes))
      return ErrorIllegalAddress;
    std::memcpy(to, devicePointer(from), sizeBytes);
    return Success;
  });
  if (result != Success || host == HostRange::Pinned) return result;
  return finish(stream->last);
}

CUresult emulatedMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t sizeBytes, CUstream stream) {
  if (CUresult result = ready()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  if (sizeBytes == 0) return Success;
  if (!isDeviceRange(to, sizeBytes) || !isDeviceRange(from, sizeBytes)) return ErrorInvalidValue;
  bool overlap = to < from + sizeBytes && from < to + sizeBytes;
  if (overlap) return ErrorInvalidValue; // the result would be undefined
  return enqueue(stream, [=] {
    if (!isDeviceRange(to, sizeBytes) || !isDeviceRange(from, sizeBytes))
      return ErrorIllegalAddress;
    std::memcpy(devicePointer(to), devicePointer(from), sizeBytes);
    emulated().memory.markCopied(devicePointer(to), devicePointer(from), sizeBytes);
    return Success;
  });
}

template <class T> CUresult fillRange(CUdeviceptr to, T value, size_t count, CUstream stream) {
  if (CUresult result = ready()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  if (count == 0) return Success;
  if (count > SIZE_MAX / sizeof(T) || to % sizeof(T) != 0 || !isDeviceRange(to, count * sizeof(T)))
    return ErrorInvalidValue;
  return enqueue(stream, [=] {
    if (!isDeviceRange(to, count * sizeof(T))) return ErrorIllegalAddress;
    std::fill_n(reinterpret_cast<T *>(devicePointer(to)), count, value);
    emulated().memory.markWritten(devicePointer(to), count * sizeof(T));
    return Success;
  });
}

CUresult emulatedMemsetD8(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fillRange<uint8_t>(to, value, count, stream);
}

CUresult emulatedMemsetD32(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fillRange<uint32_t>(to, value, count, stream);
}

} // namespace

void fillMemory(DriverTable &table) {
  table.memGetInfo = emulatedMemGetInfo;
  table.memAlloc = emulatedMemAlloc;
  table.memFree = emulatedMemFree;
  table.memHostAlloc = emulatedMemHostAlloc;
  table.memFreeHost = emulatedMemFreeHost;
  table.memcpyHtoDAsync = emulatedMemcpyHtoD;
  table.memcpyDtoHAsync = emulatedMemcpyDtoH;
  table.memcpyDtoDAsync = emulatedMemcpyDtoD;
  table.memsetD8Async = emulatedMemsetD8;
  table.memsetD32Async = emulatedMemsetD32;
}

} // namespace dlm::emulator
