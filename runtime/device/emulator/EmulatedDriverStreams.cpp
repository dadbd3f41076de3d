// Streams: each call appends an action; waiting runs them.
#include "runtime/device/emulator/EmulatedDriverState.h"

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

CUresult emulatedStreamCreate(CUstream *stream, unsigned flags) {
  if (CUresult result = ready()) return result;
  if (!stream || flags > StreamNonBlocking) return ErrorInvalidValue;
  State &state = emulated();
  *stream = state.streams.add({state.lanes++, {}, nullptr, {}});
  return Success;
}

/// The stream's work is still done, when everything is waited for.
CUresult emulatedStreamDestroy(CUstream stream) {
  State &state = emulated();
  if (!state.streams.has(stream)) return ErrorInvalidHandle;
  if (std::shared_ptr<Capture> capture = stream->capture) {
    spoil(*capture);
    if (capture->origin == stream) leaveCapture(capture);
  }
  addPending(state.abandoned, stream->last);
  state.streams.remove(stream);
  return ready();
}

CUresult emulatedStreamSynchronize(CUstream stream) {
  if (CUresult result = readyOutsideCapture()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  return finish(stream->last);
}

CUresult emulatedStreamQuery(CUstream stream) {
  if (CUresult result = readyOutsideCapture()) return result;
  if (!emulated().streams.has(stream)) return ErrorInvalidHandle;
  if (areDone(stream->last)) return Success;
  advance(stream->last);
  if (emulated().failure != Success) return emulated().failure;
  return areDone(stream->last) ? Success : ErrorNotReady;
}

CUresult emulatedCtxSynchronize() {
  if (CUresult result = readyOutsideCapture()) return result;
  return finishAll();
}

} // namespace

CUresult enqueue(CUstream stream, Work work) {
  State &state = emulated();
  if (!state.streams.has(stream)) return ErrorInvalidHandle;
  if (const std::shared_ptr<Capture> &capture = stream->capture) {
    if (capture->isInvalid) return ErrorStreamCaptureInvalidated;
    auto action =
        std::make_shared<Action>(std::move(work), std::move(stream->lastCaptured), stream->lane);
    capture->actions.push_back(action);
    stream->lastCaptured = {action};
    return Success;
  }
  auto action = std::make_shared<Action>(std::move(work), std::move(stream->last), stream->lane);
  stream->last = {action};
  return state.options.lazy ? Success : finish(stream->last);
}

void fillStreams(DriverTable &table) {
  table.streamCreate = emulatedStreamCreate;
  table.streamDestroy = emulatedStreamDestroy;
  table.streamSynchronize = emulatedStreamSynchronize;
  table.streamQuery = emulatedStreamQuery;
  table.ctxSynchronize = emulatedCtxSynchronize;
}

} // namespace dlm::emulator
