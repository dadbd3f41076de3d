// Events. A record is an action of its own, and a stream that waits keeps that action, not the
// event: recording again later changes nothing for it.
#include "runtime/device/emulator/EmulatedDriverState.h"

namespace dlm::emulator {

using namespace cuda; // in no header: the driver's names are written as the driver writes them

namespace {

CUresult emulatedEventCreate(CUevent *event, unsigned flags) {
  if (CUresult result = ready()) return result;
  if (!event || flags > (EventBlockingSync | EventDisableTiming)) return ErrorInvalidValue;
  CUevent_st made{};
  made.hasTime = !(flags & EventDisableTiming);
  *event = emulated().events.add(std::move(made));
  return Success;
}

CUresult emulatedEventDestroy(CUevent event) {
  return emulated().events.remove(event) ? ready() : ErrorInvalidHandle;
}

CUresult emulatedEventRecord(CUevent event, CUstream stream) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!state.events.has(event) || !state.streams.has(stream)) return ErrorInvalidHandle;
  if (stream->capture) {
    if (stream->capture->isInvalid) return ErrorStreamCaptureInvalidated;
    event->action = nullptr;
    event->isCaptured = true;
    event->capture = stream->capture;
    event->lastCaptured = stream->lastCaptured;
    return Success;
  }
  CUresult result = enqueue(stream, nullptr);
  event->action = stream->last.front();
  event->isCaptured = false;
  event->lastCaptured.clear();
  return result;
}

/// The stream becomes part of the capture, if it is not yet.
CUresult waitInCapture(CUstream stream, CUevent event) {
  std::shared_ptr<Capture> capture = event->capture.lock();
  if (!capture) return ErrorInvalidValue; // that capture has ended
  if (capture->isInvalid) return ErrorStreamCaptureInvalidated;
  if (stream->capture && stream->capture != capture) {
    spoil(*stream->capture);
    spoil(*capture);
    return ErrorStreamCaptureMerge;
  }
  stream->capture = capture;
  addPending(stream->lastCaptured, event->lastCaptured);
  return Success;
}

CUresult emulatedStreamWaitEvent(CUstream stream, CUevent event, unsigned flags) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!state.events.has(event) || !state.streams.has(stream)) return ErrorInvalidHandle;
  if (flags != 0) return ErrorInvalidValue;
  if (event->isCaptured) return waitInCapture(stream, event);
  if (stream->capture) {
    spoil(*stream->capture);
    return ErrorStreamCaptureIsolation;
  }
  if (event->action) addPending(stream->last, {event->action});
  return Success;
}

/// Ok if the event may be waited for by the host.
CUresult readyForHost(CUevent event) {
  if (CUresult result = readyOutsideCapture()) return result;
  if (!emulated().events.has(event)) return ErrorInvalidHandle;
  return event->isCaptured ? ErrorCapturedEvent : Success;
}

CUresult emulatedEventSynchronize(CUevent event) {
  if (CUresult result = readyForHost(event)) return result;
  return event->action ? finish({event->action}) : Success;
}

CUresult emulatedEventQuery(CUevent event) {
  if (CUresult result = readyForHost(event)) return result;
  if (!event->action || event->action->isDone) return Success;
  advance({event->action});
  if (emulated().failure != Success) return emulated().failure;
  return event->action->isDone ? Success : ErrorNotReady;
}

CUresult emulatedEventElapsedTime(float *ms, CUevent start, CUevent end) {
  if (CUresult result = ready()) return result;
  State &state = emulated();
  if (!ms) return ErrorInvalidValue;
  for (CUevent event : {start, end})
    if (!state.events.has(event) || !event->hasTime || !event->action) return ErrorInvalidHandle;
  if (!start->action->isDone || !end->action->isDone) return ErrorNotReady;
  *ms = float(double(end->action->doneNs - start->action->doneNs) * 1e-6);
  return Success;
}

} // namespace

void fillEvents(DriverTable &table) {
  table.eventCreate = emulatedEventCreate;
  table.eventDestroy = emulatedEventDestroy;
  table.eventRecord = emulatedEventRecord;
  table.streamWaitEvent = emulatedStreamWaitEvent;
  table.eventSynchronize = emulatedEventSynchronize;
  table.eventQuery = emulatedEventQuery;
  table.eventElapsedTime = emulatedEventElapsedTime;
}

} // namespace dlm::emulator
