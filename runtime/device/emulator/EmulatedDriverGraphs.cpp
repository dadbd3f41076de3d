// Captures and graphs. A capture keeps what the calls ordered and nothing more, and a launch runs
// the actions in any order that this allows: an edge that was forgotten shows, although the calls
// came in the right sequence.
#include "runtime/device/emulator/EmulatedDriverState.h"

#include <algorithm>

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

CUresult emulatedStreamBeginCapture(CUstream stream, int mode) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!state.streams.has(stream)) return ErrorInvalidHandle;
  if (mode < StreamCaptureModeGlobal || mode > 2) return ErrorInvalidValue;
  if (stream->capture) return ErrorIllegalState;
  stream->capture = std::make_shared<Capture>(Capture{stream, {}});
  stream->lastCaptured.clear();
  state.captures.push_back(stream->capture);
  return Success;
}

/// True if everything that was captured comes before `last`, or is in it.
bool isJoined(const Capture &capture, Actions last) {
  std::unordered_map<Action *, bool> seen;
  while (!last.empty()) {
    std::shared_ptr<Action> action = std::move(last.back());
    last.pop_back();
    if (!seen.emplace(action.get(), true).second) continue;
    last.insert(last.end(), action->before.begin(), action->before.end());
  }
  return seen.size() == capture.actions.size();
}

CUresult emulatedStreamEndCapture(CUstream stream, CUgraph *graph) {
  if (!graph) return ErrorInvalidValue;
  *graph = nullptr;
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!state.streams.has(stream)) return ErrorInvalidHandle;
  std::shared_ptr<Capture> capture = stream->capture;
  if (!capture) return ErrorIllegalState;
  if (capture->origin != stream) {
    spoil(*capture);
    return ErrorStreamCaptureUnmatched;
  }
  bool joined = isJoined(*capture, stream->lastCaptured);
  leaveCapture(capture);
  if (capture->isInvalid) return ErrorStreamCaptureInvalidated;
  if (!joined) return ErrorStreamCaptureUnjoined;
  *graph = state.graphs.add({std::move(capture->actions)});
  return Success;
}

CUresult emulatedGraphInstantiate(CUgraphExec *executable, CUgraph graph,
                                  unsigned long long flags) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!executable || flags != 0) return ErrorInvalidValue;
  if (!state.graphs.has(graph)) return ErrorInvalidHandle;
  *executable = state.executables.add({graph->actions, nullptr});
  return Success;
}

/// Copies the actions. Those that come after none of them come after `first`.
Actions copyActions(const Actions &patterns, const Actions &first) {
  std::unordered_map<Action *, std::shared_ptr<Action>> copies;
  Actions all;
  for (const std::shared_ptr<Action> &pattern : patterns) {
    Actions before;
    for (const std::shared_ptr<Action> &earlier : pattern->before)
      before.push_back(copies.at(earlier.get()));
    if (before.empty()) before = first;
    all.push_back(std::make_shared<Action>(pattern->work, std::move(before), pattern->lane));
    copies.emplace(pattern.get(), all.back());
  }
  return all;
}

CUresult emulatedGraphLaunch(CUgraphExec executable, CUstream stream) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!state.executables.has(executable) || !state.streams.has(stream)) return ErrorInvalidHandle;
  if (stream->capture) {
    spoil(*stream->capture);
    return ErrorStreamCaptureUnsupported;
  }
  Actions first;
  addPending(first, stream->last);
  if (executable->last) addPending(first, {executable->last}); // one launch after the other
  Actions copies = copyActions(executable->actions, first);
  stream->last = copies.empty() ? std::move(first) : std::move(copies);
  CUresult result = enqueue(stream, nullptr);
  executable->last = stream->last.front();
  return result;
}

CUresult emulatedGraphDestroy(CUgraph graph) {
  return emulated().graphs.remove(graph) ? ready() : ErrorInvalidHandle;
}

CUresult emulatedGraphExecDestroy(CUgraphExec executable) {
  return emulated().executables.remove(executable) ? ready() : ErrorInvalidHandle;
}

} // namespace

void spoil(Capture &capture) { capture.isInvalid = true; }

void leaveCapture(const std::shared_ptr<Capture> &capture) {
  State &state = emulated();
  for (auto &[handle, stream] : state.streams) {
    if (stream->capture != capture) continue;
    stream->capture = nullptr;
    stream->lastCaptured.clear();
  }
  state.captures.erase(std::remove(state.captures.begin(), state.captures.end(), capture),
                       state.captures.end());
}

void fillGraphs(DriverTable &table) {
  table.streamBeginCapture = emulatedStreamBeginCapture;
  table.streamEndCapture = emulatedStreamEndCapture;
  table.graphInstantiate = emulatedGraphInstantiate;
  table.graphLaunch = emulatedGraphLaunch;
  table.graphDestroy = emulatedGraphDestroy;
  table.graphExecDestroy = emulatedGraphExecDestroy;
}

} // namespace dlm::emulator
