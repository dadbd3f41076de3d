// One GPU, real or emulated, over the driver's table. Thin: an object here owns one object of the
// driver, and a failure becomes a `Status` that says what was asked of which device.
#pragma once

#include "runtime/device/cuda/MemoryWatch.h"

#include <memory>
#include <vector>

namespace dlm::cuda {

/// Device code in one form: `sm_80`, `sm_90`, ..., `ptx`, `emulator`.
struct DeviceImage {
  std::string name;
  const uint8_t *data = nullptr;
  size_t sizeBytes = 0;
};

struct DeviceTraits {
  std::string name;
  int major = 0, minor = 0; // compute capability
  int multiprocessors = 0;
  uint64_t totalBytes = 0;
  int driverVersion = 0; // 13000 is CUDA 13.0
};

/// Megabytes of 10^6, rounded up, with commas: "1,235 MB"; small sizes in bytes.
std::string sizeText(uint64_t sizeBytes);

class CudaDevice;

/// What memory holds when it is new.
enum class Contents { Zeros, Undefined };

/// Owns a range of device memory.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory &&other) noexcept { *this = std::move(other); }
  DeviceMemory &operator=(DeviceMemory &&other) noexcept;
  ~DeviceMemory();

  CUdeviceptr address() const { return memory; }
  uint64_t sizeBytes() const { return size; }

private:
  friend class CudaDevice;
  const CudaDevice *device = nullptr;
  CUdeviceptr memory = 0;
  uint64_t size = 0;
};

/// Owns a range of host memory that the device can copy from and to while the host goes on; zeroed.
class PinnedMemory {
public:
  PinnedMemory() = default;
  PinnedMemory(PinnedMemory &&other) noexcept { *this = std::move(other); }
  PinnedMemory &operator=(PinnedMemory &&other) noexcept;
  ~PinnedMemory();

  uint8_t *data() const { return memory; }
  uint64_t sizeBytes() const { return size; }

private:
  friend class CudaDevice;
  const CudaDevice *device = nullptr;
  uint8_t *memory = nullptr;
  uint64_t size = 0;
};

/// A point in a stream's work.
class Event {
public:
  Event(const CudaDevice &device, CUevent event) : device(device), event(event) {}
  ~Event();
  Event(const Event &) = delete;
  Event &operator=(const Event &) = delete;
  /// Blocks the host until what was recorded has happened; at once if nothing was.
  Status synchronize() const;
  Expected<bool> hasHappened() const;
  /// Milliseconds from `start` to this; both must have happened.
  Expected<float> msSince(const Event &start) const;

private:
  friend class Stream;
  const CudaDevice &device;
  CUevent event;
};

/// A captured sequence of work, launched as a whole.
class Graph {
public:
  Graph(const CudaDevice &device, CUgraph graph, CUgraphExec executable)
      : device(device), graph(graph), executable(executable) {}
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;

private:
  friend class Stream;
  const CudaDevice &device;
  CUgraph graph;
  CUgraphExec executable;
};

/// Work in order. All calls return at once but for `synchronize`.
class Stream {
public:
  Stream(const CudaDevice &device, CUstream stream) : device(device), stream(stream) {}
  ~Stream();
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;

  Status copyToDevice(CUdeviceptr to, const void *from, uint64_t sizeBytes);
  Status copyToHost(void *to, CUdeviceptr from, uint64_t sizeBytes);
  Status copy(CUdeviceptr to, CUdeviceptr from, uint64_t sizeBytes);
  /// Repeats a 32-bit word, little-endian, over any number of bytes.
  Status fill(CUdeviceptr to, uint32_t pattern, uint64_t sizeBytes);
  /// Launches `grid` blocks of `block` threads; `parameters` point to the values.
  Status launch(CUfunction function, const std::string &name, uint32_t grid, uint32_t block,
                void **parameters);
  Status launch(const Graph &graph);
  Status record(const Event &event);
  /// What follows in this stream waits for what was recorded.
  Status waitFor(const Event &event);
  /// What is in the range is of no use from this point on.
  Status forget(MemoryWatch &watch, CUdeviceptr memory, uint64_t sizeBytes);
  Status synchronize();
  /// Until `endCapture` the calls above describe a graph instead of being carried out.
  Status beginCapture();
  Expected<std::unique_ptr<Graph>> endCapture();

private:
  const CudaDevice &device;
  CUstream stream;
};

class CudaDevice {
public:
  /// Opens a device of the driver, which must be initialised.
  static Expected<std::unique_ptr<CudaDevice>> open(const DriverTable &driver, int ordinal = 0);
  ~CudaDevice();
  CudaDevice(const CudaDevice &) = delete;
  CudaDevice &operator=(const CudaDevice &) = delete;

  const DeviceTraits &traits() const { return theTraits; }
  const DriverTable &driver() const { return table; }

  /// Loads the first image that fits: a cubin of this architecture (same major, minor not newer),
  /// else PTX, else whatever the driver takes. May be called once.
  Status load(const std::vector<DeviceImage> &images);
  /// The name of the image that was loaded.
  const std::string &loadedImage() const { return imageName; }
  Expected<CUfunction> findFunction(const std::string &name) const;

  /// `what` names the memory in the message: "planned 1,234 MB for parameters, free 1,000 MB ...".
  Expected<DeviceMemory> allocate(uint64_t sizeBytes, const std::string &what,
                                  Contents contents = Contents::Zeros) const;
  Expected<PinnedMemory> allocatePinned(uint64_t sizeBytes, const std::string &what) const;
  Expected<uint64_t> freeBytes() const;
  Expected<std::unique_ptr<Stream>> makeStream() const;
  Expected<std::unique_ptr<Event>> makeEvent() const;
  /// Waits for everything.
  Status synchronize() const;
  /// Makes the calling thread one that may use this device; the thread of `open` is one.
  Status makeCurrent() const;

  /// `device 0 (NVIDIA H200)`.
  std::string label() const;
  /// Ok, or what the driver said about `what`.
  Status check(CUresult result, const std::string &what) const;
  Status check(CUresult result, const char *what) const {
    return result == Success ? Status::ok() : check(result, std::string(what));
  }

private:
  explicit CudaDevice(const DriverTable &driver, int ordinal) : table(driver), ordinal(ordinal) {}
  Status readTraits();
  struct Refusals {
    std::string text;
    bool isDamaged = true; // each of them because the image is no image
  };
  Status tryImage(const DeviceImage &image, Refusals &refusals);
  Status zero(CUdeviceptr memory, uint64_t sizeBytes, const std::string &what) const;
  Status outOfMemory(uint64_t sizeBytes, const std::string &what) const;

  const DriverTable &table;
  int ordinal;
  DeviceTraits theTraits;
  CUdevice handle = 0;
  CUcontext context = nullptr;
  CUmodule module = nullptr;
  std::string imageName;
};

} // namespace dlm::cuda
