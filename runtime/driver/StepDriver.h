// The step driver: the only part that knows that a step is k micro-batches and an update, and when
// to evaluate, save and end. It is a pure state machine: it owns no thread, file or clock. The
// caller asks `next`, does what it says and reports back with the matching `...Done`.
//
// Two counters: `attempt` counts the batches consumed and drives data and randomness; `step` counts
// the updates applied and drives the schedule. An update whose gradient is not finite is skipped:
// `attempt` goes on, `step` does not.
#pragma once

#include "runtime/driver/RunSchedule.h"

namespace dlm {

enum class Action {
  Grad,          // fill the batch buffers with the next micro-batch and run `grad`
  Update,        // run `update`
  Evaluate,      // evaluate during the run
  Save,          // write a checkpoint
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
  /// not go back; all later times are of the same clock.
  StepDriver(const RunSchedule &schedule, Position start, int64_t nowMs);

  /// What to do now. `stop` asks to end the run after the current step.
  Action next(int64_t nowMs, bool stop);

  void gradDone();
  /// `applied`: the update counted as a step.
  void updateDone(bool applied, int64_t nowMs);
  void evaluateDone();
  /// A failed save is tried again after `RetryMs`, or earlier when the next one is due.
  void saveDone(bool succeeded, int64_t nowMs);

  const Position &position() const { return place; }
  /// Updates skipped in a row, up to now.
  int64_t skippedInARow() const { return skips; }
  /// Global number of the first sample of the next micro-batch.
  int64_t nextSample() const { return place.attempt * run.batch + microDone * run.micro; }
  Outcome outcome() const { return end; }
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
  };

  bool reachedEnd(int64_t nowMs) const;

  RunSchedule run;
  Position place;
  int64_t startMs;
  int64_t microDone = 0;
  int64_t skips = 0;
  int64_t savedAttempt;
  int64_t retryMs = -1; // when to repeat a failed save; -1: none failed
  Timer evaluateTimer, saveTimer;
  bool evaluateDue = false, saveDue = false, lastSaveTried = false, saveFailed = false;
  bool evaluatingFinal = false, finalEvaluated = false;
  Outcome end = Outcome::Complete;
};

} // namespace dlm
