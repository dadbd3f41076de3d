// Streams, events and graphs: each call is one call of the driver, and a failure tells which.
#include "runtime/device/cuda/CudaDevice.h"

namespace dlm::cuda {

namespace {

/// Makes the text only where it is needed: these calls stand in the step.
Status checkBytes(const CudaDevice &device, CUresult result, const char *doing, uint64_t sizeBytes,
                  const char *where) {
  if (result == Success) return Status::ok();
  return device.check(result, std::string(doing) + std::to_string(sizeBytes) + " bytes" + where);
}

/// The word whose first byte is byte `first` of the repeated pattern.
uint32_t rotated(uint32_t pattern, unsigned first) {
  unsigned bits = first % 4 * 8;
  return bits == 0 ? pattern : pattern >> bits | pattern << (32 - bits);
}

} // namespace

Event::~Event() { device.driver().eventDestroy(event); }

Status Event::synchronize() const {
  return device.check(device.driver().eventSynchronize(event), "waiting for an event");
}

Expected<bool> Event::hasHappened() const {
  CUresult result = device.driver().eventQuery(event);
  if (result == ErrorNotReady) return false;
  DLM_TRY(device.check(result, "asking for an event"));
  return true;
}

Expected<float> Event::msSince(const Event &start) const {
  float ms = 0;
  DLM_TRY(device.check(device.driver().eventElapsedTime(&ms, start.event, event),
                       "reading the time between two events"));
  return ms;
}

Graph::~Graph() {
  device.driver().graphExecDestroy(executable);
  device.driver().graphDestroy(graph);
}

Stream::~Stream() { device.driver().streamDestroy(stream); }

Status Stream::copyToDevice(CUdeviceptr to, const void *from, uint64_t sizeBytes) {
  return checkBytes(device, device.driver().memcpyHtoDAsync(to, from, sizeBytes, stream),
                    "copying ", sizeBytes, " to the device");
}

Status Stream::copyToHost(void *to, CUdeviceptr from, uint64_t sizeBytes) {
  return checkBytes(device, device.driver().memcpyDtoHAsync(to, from, sizeBytes, stream),
                    "copying ", sizeBytes, " from the device");
}

Status Stream::copy(CUdeviceptr to, CUdeviceptr from, uint64_t sizeBytes) {
  return checkBytes(device, device.driver().memcpyDtoDAsync(to, from, sizeBytes, stream),
                    "copying ", sizeBytes, " within the device");
}

Status Stream::fill(CUdeviceptr to, uint32_t pattern, uint64_t sizeBytes) {
  const DriverTable &driver = device.driver();
  bool isOneByte = pattern == (pattern & 0xFF) * 0x01010101u;
  if (isOneByte)
    return checkBytes(device, driver.memsetD8Async(to, uint8_t(pattern), sizeBytes, stream),
                      "filling ", sizeBytes, " of the device");
  auto fillByte = [&](uint64_t offset) {
    return device.check(
        driver.memsetD8Async(to + offset, uint8_t(rotated(pattern, offset % 4)), 1, stream),
        "filling a byte of the device");
  };
  uint64_t offset = 0;
  for (; offset < sizeBytes && (to + offset) % 4 != 0; ++offset)
    DLM_TRY(fillByte(offset));
  if (uint64_t words = (sizeBytes - offset) / 4) {
    DLM_TRY(checkBytes(
        device, driver.memsetD32Async(to + offset, rotated(pattern, offset % 4), words, stream),
        "filling ", words * 4, " of the device"));
    offset += words * 4;
  }
  for (; offset < sizeBytes; ++offset)
    DLM_TRY(fillByte(offset));
  return Status::ok();
}

Status Stream::launch(CUfunction function, const std::string &name, uint32_t grid, uint32_t block,
                      void **parameters) {
  CUresult result = device.driver().launchKernel(function, grid, 1, 1, block, 1, 1, 0, stream,
                                                 parameters, nullptr);
  if (result == Success) return Status::ok(); // the text below is not for every launch
  return device.check(result, "launching `" + name + "` with " + std::to_string(grid) +
                                  " blocks of " + std::to_string(block) + " threads");
}

Status Stream::launch(const Graph &graph) {
  return device.check(device.driver().graphLaunch(graph.executable, stream), "launching a graph");
}

Status Stream::record(const Event &event) {
  return device.check(device.driver().eventRecord(event.event, stream), "recording an event");
}

Status Stream::waitFor(const Event &event) {
  return device.check(device.driver().streamWaitEvent(stream, event.event, 0),
                      "letting a stream wait for an event");
}

Status Stream::forget(MemoryWatch &watch, CUdeviceptr memory, uint64_t sizeBytes) {
  return checkBytes(device, watch.forget(stream, memory, sizeBytes), "forgetting ", sizeBytes,
                    " of the device");
}

Status Stream::synchronize() {
  return device.check(device.driver().streamSynchronize(stream), "waiting for a stream");
}

Status Stream::beginCapture() {
  return device.check(device.driver().streamBeginCapture(stream, StreamCaptureModeGlobal),
                      "beginning to capture a graph");
}

Expected<std::unique_ptr<Graph>> Stream::endCapture() {
  const DriverTable &driver = device.driver();
  CUgraph graph = nullptr;
  CUgraphExec executable = nullptr;
  DLM_TRY(device.check(driver.streamEndCapture(stream, &graph), "capturing a graph"));
  CUresult result = driver.graphInstantiate(&executable, graph, 0);
  if (result != Success) {
    driver.graphDestroy(graph);
    return device.check(result, "preparing a captured graph");
  }
  return std::make_unique<Graph>(device, graph, executable);
}

Expected<std::unique_ptr<Stream>> CudaDevice::makeStream() const {
  CUstream stream = nullptr;
  DLM_TRY(check(table.streamCreate(&stream, StreamNonBlocking), "making a stream"));
  return std::make_unique<Stream>(*this, stream);
}

Expected<std::unique_ptr<Event>> CudaDevice::makeEvent() const {
  CUevent event = nullptr;
  DLM_TRY(check(table.eventCreate(&event, EventBlockingSync), "making an event"));
  return std::make_unique<Event>(*this, event);
}

} // namespace dlm::cuda
