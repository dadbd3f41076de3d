// The decisions of a run, in one place. At the boundary between two steps the order is: give up,
// end, save, evaluate, go on. Saving stands before evaluating, so that a fault in the evaluation
// costs no training; but where evaluations are compared, evaluating stands before saving, so that a
// checkpoint says all that was compared up to it.
#include "runtime/driver/StepDriver.h"

namespace dlm {

void StepDriver::Timer::start(const Interval &every, int64_t samples, int64_t nowMs) {
  interval = every;
  passed = every.samples ? samples / every.samples : 0;
  dueMs = nowMs + every.ms;
}

bool StepDriver::Timer::wouldBeDue(int64_t samples, int64_t nowMs) const {
  if (interval.samples) return samples / interval.samples > passed;
  return interval.ms != 0 && nowMs >= dueMs;
}

bool StepDriver::Timer::due(int64_t samples, int64_t nowMs) {
  bool isDue = wouldBeDue(samples, nowMs);
  if (interval.samples)
    passed = samples / interval.samples;
  else if (isDue)
    dueMs = nowMs + interval.ms;
  return isDue;
}

StepDriver::StepDriver(const RunSchedule &schedule, Position start, int64_t nowMs, int depth)
    : run(schedule), place(start), startMs(nowMs), depth(depth), savedAttempt(start.attempt),
      bestMs(nowMs), evaluatedMs(nowMs) {
  DLM_ASSERT(depth > 0, "no update could ever start");
  DLM_ASSERT(run.micro > 0 && run.micro * run.microBatches == run.batch, "a split that is not one");
  DLM_ASSERT(run.steps > 0 || run.durationMs > 0, "a run without an end");
  // Which updates a step makes is a matter of its number, which is known after the one before.
  for (const UpdateTimes &update : run.updates)
    if (update.every > 1) this->depth = 1;
  run.partsOf(place.step, parts);
  evaluateTimer.start(run.evaluate, place.step * run.stepSamples(), nowMs);
  saveTimer.start(run.checkpoint, place.step * run.stepSamples(), nowMs);
  lightTimer.start(run.light, place.step * run.stepSamples(), nowMs);
}

bool StepDriver::reachedEnd(int64_t step, int64_t nowMs) const {
  return run.steps ? step >= run.steps : nowMs - startMs >= run.durationMs;
}

void StepDriver::goOnFrom(int64_t best, int64_t evaluated) {
  bestStep = best;
  evaluatedStep = evaluated;
  if (evaluated == place.step) evaluatedAttempt = place.attempt;
  // A run that ended before the evaluation that was due here makes it now.
  int64_t every = run.evaluate.samples, samples = place.step * run.stepSamples();
  if (run.keepsBest && every && place.step > 0 && evaluated < place.step)
    evaluateDue = samples / every > (samples - run.stepSamples()) / every;
}

/// A patience in epochs need not be whole steps: what is less than a step short of it is it.
bool StepDriver::isOutOfPatience() const {
  if (run.patience.never() || evaluatedStep <= bestStep) return false;
  if (run.patience.samples)
    return (evaluatedStep - bestStep + 1) * run.stepSamples() > run.patience.samples;
  return evaluatedMs - bestMs >= run.patience.ms;
}

/// Whether the next step comes now, whatever becomes of the updates in flight. Two outcomes bound
/// all others: if every one is applied the step is largest, and with it all that comes due by
/// counting; if every one is skipped the skips in a row are most.
bool StepDriver::goesOnAnyway(int64_t nowMs, bool stop) const {
  int64_t samplesMost = (place.step + inFlight) * run.stepSamples();
  bool mayEnd =
      stop || skips + inFlight > run.skipLimit || reachedEnd(place.step + inFlight, nowMs);
  bool mayBeDue = saveDue || lightDue || evaluateDue || (retryMs >= 0 && nowMs >= retryMs) ||
                  saveTimer.wouldBeDue(samplesMost, nowMs) ||
                  lightTimer.wouldBeDue(samplesMost, nowMs) ||
                  evaluateTimer.wouldBeDue(samplesMost, nowMs);
  return !mayEnd && !mayBeDue;
}

Action StepDriver::within() const {
  if (partNumber == parts.size()) return Action::Update;
  if (microDone < run.microBatches) return Action::Grad;
  return run.updates.empty() ? Action::Update : Action::PartUpdate;
}

/// A step begins. It may make none of several updates.
Action StepDriver::begin() {
  run.partsOf(place.step + inFlight, parts);
  return within();
}

Action StepDriver::next(int64_t nowMs, bool stop) {
  if (stop && !isChanged() && microDone < run.microBatches) microDone = 0;
  if (isChanged() || microDone > 0) return within();
  if (inFlight > 0) return inFlight < depth && goesOnAnyway(nowMs, stop) ? begin() : Action::Await;
  if (skips > run.skipLimit) {
    end = Outcome::TooManySkips;
    return Action::Finish;
  }
  bool isComplete = isOver(nowMs);
  // What is compared is so before it is saved: the checkpoint says what was best, and a run that
  // goes on from it compares the same.
  bool isCompared = evaluatedAttempt == place.attempt || place.step == 0;
  if (run.keepsBest && !stop && (evaluateDue || (isComplete && !isCompared)))
    return Action::Evaluate;
  if (isComplete || stop) {
    if (savingAttempt >= 0) return Action::AwaitSave;
    if (savedAttempt != place.attempt && !lastSaveTried) return Action::SaveLast;
    end = isComplete ? Outcome::Complete : Outcome::Stopped;
    if (end == Outcome::Complete && !finalEvaluated && !stop) {
      evaluatingFinal = true;
      return Action::EvaluateFinal;
    }
    return Action::Finish;
  }
  if (saveDue || (retryMs >= 0 && nowMs >= retryMs)) return Action::Save;
  if (lightDue) return Action::SaveLight;
  if (evaluateDue) return Action::Evaluate;
  return begin();
}

void StepDriver::gradDone() {
  DLM_ASSERT(microDone < run.microBatches, "more micro-batches than a step has");
  ++microDone;
}

void StepDriver::partUpdateDone() {
  DLM_ASSERT(microDone == run.microBatches, "an update before its last micro-batch");
  ++partNumber;
  microDone = 0;
}

void StepDriver::updateStarted() {
  DLM_ASSERT(run.updates.empty() ? microDone == run.microBatches : partNumber == parts.size(),
             "an update before its last micro-batch");
  DLM_ASSERT(inFlight < depth, "more updates in flight than agreed");
  microDone = 0;
  partNumber = 0;
  ++inFlight;
}

void StepDriver::updateDone(bool applied, int64_t nowMs) {
  DLM_ASSERT(inFlight > 0, "the end of an update that was not started");
  --inFlight;
  lastSaveTried = false;
  ++place.attempt;
  skips = applied ? 0 : skips + 1;
  if (!applied) return;
  ++place.step;
  evaluateDue = evaluateTimer.due(place.step * run.stepSamples(), nowMs) || evaluateDue;
  saveDue = saveTimer.due(place.step * run.stepSamples(), nowMs) || saveDue;
  lightDue = lightTimer.due(place.step * run.stepSamples(), nowMs) || lightDue;
}

void StepDriver::evaluateDone(bool isBest, int64_t nowMs) {
  evaluateDue = false;
  finalEvaluated = evaluatingFinal;
  if (evaluatingFinal || !run.keepsBest) return;
  evaluatedStep = place.step;
  evaluatedAttempt = place.attempt;
  evaluatedMs = nowMs;
  if (!isBest) return;
  bestStep = place.step;
  bestMs = nowMs;
  if (savedAttempt != place.attempt) saveDue = true;
}

void StepDriver::saveStarted() {
  DLM_ASSERT(savingAttempt < 0, "a save while one is under way");
  saveDue = lightDue = false; // what a light one would hold is in this one
  lastSaveTried = true;
  retryMs = -1;
  savingAttempt = savedAttempt = place.attempt;
}

void StepDriver::saveDone(bool succeeded, int64_t nowMs) {
  if (savingAttempt < 0) saveStarted();
  saveFailed = !succeeded;
  if (!succeeded) {
    retryMs = nowMs + RetryMs;
    if (savedAttempt == savingAttempt) savedAttempt = -1;
  }
  savingAttempt = -1;
}

} // namespace dlm
