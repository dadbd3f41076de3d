// The emulated driver's beginning: its state, and the table put together.
#include "runtime/device/emulator/EmulatedDriver.h"

#include "runtime/device/emulator/EmulatedDriverState.h"

#include <cstdlib>

namespace dlm::emulator {

namespace {

std::unique_ptr<State> &theState() {
  // Never destroyed: objects with static lifetime may still give theirs back at the end.
  static auto *state = new std::unique_ptr<State>;
  return *state;
}

} // namespace

State::~State() {
  for (auto [address, sizeBytes] : pinned)
    std::free(address);
}

State &emulated() {
  DLM_ASSERT(theState(), "the emulated driver must be opened first");
  return *theState();
}

cuda::CUresult ready() {
  State &state = emulated();
  if (state.failure != cuda::Success) return state.failure;
  return state.user == std::this_thread::get_id() ? cuda::Success : cuda::ErrorInvalidContext;
}

cuda::CUresult readyOutsideCapture() {
  if (cuda::CUresult result = ready()) return result;
  State &state = emulated();
  for (const std::shared_ptr<Capture> &capture : state.captures)
    spoil(*capture);
  return state.captures.empty() ? cuda::Success : cuda::ErrorStreamCaptureUnsupported;
}

const cuda::DriverTable *openEmulatedDriver(const DriverOptions &options) {
  static cuda::DriverTable table;
  theState() = nullptr; // before the new one: both own memory
  theState() = std::make_unique<State>(options);
  table.origin = "emulated";
  fillDevice(table);
  fillMemory(table);
  fillModules(table);
  fillStreams(table);
  fillEvents(table);
  fillGraphs(table);
  return &table;
}

const Report &emulatorReport() {
  static const Report nothing;
  return theState() ? theState()->report : nothing;
}

} // namespace dlm::emulator
