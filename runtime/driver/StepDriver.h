// The step driver: the only part that knows that a step is k micro-batches and an update, and when
// to evaluate, save and end. A step of several updates is such a sequence for each of them, and
// then the update that ends it. It is a pure state machine: it owns no thread, file or clock. The
// caller asks `next`, does what it says and reports back with the matching `...Done`.
//
// Steps in flight. A device works while the host goes on, so what an update came to is known later
// than it was started: `updateStarted` says that it is on its way, `updateDone` what became of it,
// in the order of the starts. Up to `depth` updates may be in flight. `next` goes on to the next
// step only if it would do so whatever becomes of those in flight; else it first asks to await
// them. So every depth makes the same decisions at the same positions.
//
// Two counters: `attempt` counts the batches consumed and drives data and randomness; `step` counts
// the updates applied and drives the schedule. An update whose gradient is not finite is skipped:
// `attempt` goes on, `step` does not.
#pragma once

#include "runtime/driver/RunSchedule.h"

namespace dlm {

enum class Action {
  Grad,          // fill the batch buffers with the next micro-batch and run `grad`
  PartUpdate,    // run the update of the part under way, which is not the end of the step
  Update,        // run `update`
  Await,         // learn what became of the oldest update in flight
  Evaluate,      // evaluate during the run
  Save,          // write a checkpoint
  SaveLight,     // write a checkpoint of the parameters alone
  AwaitSave,     // learn what became of the save under way
  SaveLast,      // write the checkpoint the run leaves behind
  EvaluateFinal, // evaluate everything, the run is complete
  Finish,        // nothing more to do; see `outcome`
};

enum class Outcome {
  Complete,    // reached its duration
  Stopped,     // was asked to stop
  TooManySkips // more skipped updates in a row than the recipe tolerates
};

struct Position {
  int64_t attempt = 0;
  int64_t step = 0;
};

class StepDriver {
public:
  /// Starts at `start`: zero, or where a checkpoint was written. `nowMs` is any clock that does
  /// not go back; all later times are of the same clock. `depth` is how many updates may be in
  /// flight: 1 where an update has ended when it has been run.
  StepDriver(const RunSchedule &schedule, Position start, int64_t nowMs, int depth = 1);

  /// Where the run goes on from what it has compared: the step of the best evaluation and that of
  /// the last one. Before the first `next`; without it, it has compared nothing, and a run that is
  /// at its end already compares what it ended with.
  void goOnFrom(int64_t bestStep, int64_t evaluatedStep);

  /// What to do now. `stop` asks to end the run after the current step; one whose micro-batches are
  /// not all computed is left: nothing of it is part of the state.
  Action next(int64_t nowMs, bool stop);

  void gradDone();
  void partUpdateDone();
  void updateStarted();
  /// What became of the oldest update in flight. `applied`: it counted as a step.
  void updateDone(bool applied, int64_t nowMs);
  /// `isBest`, where the run compares its evaluations: it is the best so far.
  void evaluateDone(bool isBest = false, int64_t nowMs = 0);
  /// A save of the current position is under way; `saveDone` tells how it ended.
  void saveStarted();
  /// A failed save is tried again after `RetryMs`, or earlier when the next one is due. Without
  /// `saveStarted` it is a save of the current position.
  void saveDone(bool succeeded, int64_t nowMs);
  /// The save that was due is left out, because the one before it has not ended.
  void saveDropped() { saveDue = lightDue = false; }
  /// Light checkpoints are on top: whether one succeeds decides nothing.
  void lightSaveDone() { lightDue = false; }

  /// After the updates whose outcome is known.
  const Position &position() const { return place; }
  /// Updates skipped in a row, up to there.
  int64_t skippedInARow() const { return skips; }
  /// Micro-batches of the step under way that are computed, or on their way.
  int64_t partsDone() const { return int64_t(partNumber) * run.microBatches + microDone; }
  /// How many it has.
  int64_t partsOfStep() const { return int64_t(parts.size()) * run.microBatches; }
  /// The part of the step that the next action is of.
  const StepPart &part() const { return parts[partNumber]; }
  /// Whether an update of the step has been made: now it cannot be left.
  bool isChanged() const { return partNumber > 0; }
  /// Global number of the first sample of the next micro-batch.
  int64_t nextSample() const {
    int64_t batch = partNumber < parts.size() ? part().batch : 0;
    batch += (place.attempt + inFlight) * run.batches;
    return batch * run.batch + microDone * run.micro;
  }
  Outcome outcome() const { return end; }
  /// Whether the run ends because there was no new best for too long.
  bool isOutOfPatience() const;
  /// Whether nothing is left to do at the position that it starts from.
  bool isOver(int64_t nowMs) const { return reachedEnd(place.step, nowMs) || isOutOfPatience(); }
  /// Whether the last save of the run failed: what was trained is not on disk.
  bool lastSaveFailed() const { return saveFailed; }

  static constexpr int64_t RetryMs = 30000;

private:
  /// A recurring event: counts whole intervals passed.
  struct Timer {
    Interval interval;
    int64_t passed = 0;
    int64_t dueMs = 0;

    void start(const Interval &every, int64_t samples, int64_t nowMs);
    bool due(int64_t samples, int64_t nowMs);
    /// Whether `due` would be true.
    bool wouldBeDue(int64_t samples, int64_t nowMs) const;
  };

  bool reachedEnd(int64_t step, int64_t nowMs) const;
  bool goesOnAnyway(int64_t nowMs, bool stop) const;
  Action begin();
  Action within() const;

  RunSchedule run;
  Position place;
  int64_t startMs;
  int64_t depth;
  std::vector<StepPart> parts; // of the step under way, or of the first one
  size_t partNumber = 0;
  int64_t microDone = 0; // of that part
  int64_t inFlight = 0;  // updates started whose outcome is not known
  int64_t skips = 0;
  int64_t savedAttempt;
  int64_t retryMs = -1;       // when to repeat a failed save; -1: none failed
  int64_t savingAttempt = -1; // of the save under way; -1: none
  Timer evaluateTimer, saveTimer, lightTimer;
  bool evaluateDue = false, saveDue = false, lightDue = false;
  bool lastSaveTried = false, saveFailed = false;
  bool evaluatingFinal = false, finalEvaluated = false;
  int64_t bestStep = 0, evaluatedStep = 0; // of evaluations that are compared
  int64_t bestMs, evaluatedMs;             // the same in time, of this process
  int64_t evaluatedAttempt = -1;
  Outcome end = Outcome::Complete;
};

} // namespace dlm
