// The saves of a run: a snapshot of its state, which the saver's thread writes while training goes
// on, and what became of it.
#include "runtime/launch/TrainRun.h"

namespace dlm {

/// Takes a snapshot; the saver's thread writes it while training goes on.
void TrainRun::save(Action kind) {
  bool isLight = kind == Action::SaveLight, isLast = kind == Action::SaveLast;
  if (!settleSave()) {
    if (isLast) return giveUpSave();
    driver->saveDropped();
    if (!isLight)
      sink->note("warning: the save after step " + std::to_string(driver->position().step) +
                 " is left out: `" + saver->nameUnderWay() + "` is still being written; " +
                 lastCheckpoint() + ", training goes on");
    return;
  }
  Manifest now;
  now.step = driver->position().step;
  now.attempt = driver->position().attempt;
  now.epoch = schedule.epoch(now.attempt);
  if (anyStep) {
    MeasuredSplit &train = measured[splitName(Split::Train)];
    train.step = now.step;
    for (const NamedValue &value : session->reportedValues())
      train.values[value.name] = value.value;
  }
  now.metrics = measured;
  now.best = bestMark();
  isLight ? driver->lightSaveDone() : driver->saveStarted();
  Status status = session->pull();
  if (status.isOk()) status = saver->start(now, isLight);
  if (!status.isOk()) {
    SaveResult failed;
    failed.status = status;
    failed.isLight = isLight;
    saveEnded(failed);
  }
  if (isLast && !settleSave()) giveUpSave();
}

/// What a checkpoint says of the evaluations that were compared.
std::optional<BestMark> TrainRun::bestMark() const {
  if (!schedule.keepsBest) return std::nullopt;
  return BestMark{best.metric, best.isLargest, best.value, best.step, comparedStep};
}

/// Learns how the save under way ended, if it has; then writes what was measured in between.
void TrainRun::collectSave() {
  if (std::optional<SaveResult> result = saver->take()) saveEnded(*result);
  if (amendStep < 0 || !saver->isFree()) return;
  Manifest now;
  now.step = amendStep;
  now.metrics = measured;
  now.best = bestMark();
  saver->amend(now);
  amendStep = -1;
}

/// Waits until nothing is left to write; false if that takes too long.
bool TrainRun::settleSave() {
  do {
    if (!saver->waitUntilFree()) return false;
    collectSave();
  } while (!saver->isFree());
  collectSave();
  return true;
}

void TrainRun::saveEnded(const SaveResult &result) {
  for (const std::string &note : result.notes)
    sink->note("warning: " + note);
  std::string text = result.status.message() + "; ";
  if (result.isAmendment || result.isLight) {
    if (!result.status.isOk())
      sink->note(
          "warning: " + std::string(result.isLight ? "the light checkpoint" : "what was measured") +
          " could not be written: " + text + "training goes on");
    return;
  }
  saveFailure = result.status;
  driver->saveDone(saveFailure.isOk(), nowMs());
  if (saveFailure.isOk())
    sink->saved(result.step, saver->lastLocation());
  else if (!isEnding)
    sink->note("warning: checkpoint write failed: " + text + lastCheckpoint() +
               "; trying again in " + std::to_string(StepDriver::RetryMs / 1000) +
               " s, training goes on");
}

/// The save under way has hung beyond its deadline, and the run ends.
void TrainRun::giveUpSave() {
  saveFailure =
      Status::error(Code::Io, "`" + saver->nameUnderWay() + "` is still being written after " +
                                  std::to_string(saver->deadlineMs() / 1000) + " s");
  driver->saveDone(false, nowMs());
}

std::string TrainRun::lastCheckpoint() const {
  std::string place = saver->lastLocation();
  return place.empty() ? "there is no checkpoint yet" : "keeping `" + place + "`";
}

} // namespace dlm
