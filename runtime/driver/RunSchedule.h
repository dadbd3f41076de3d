// The recipe of a plan turned into whole numbers: how many steps, how many micro-batches a step,
// what comes due when. Units are converted here, once; a rounding is reported.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

/// Something that recurs: every so many samples or milliseconds; both 0 means never.
struct Interval {
  int64_t samples = 0;
  int64_t ms = 0;

  bool never() const { return samples == 0 && ms == 0; }
};

/// One of several updates of a step.
struct UpdateTimes {
  int64_t repeat = 1; // times a step
  int64_t every = 1;  // in each step whose number is a multiple
};

/// One time that a step makes an update, on the batch of this number.
struct StepPart {
  size_t update = 0;
  int64_t batch = 0;
};

struct RunSchedule {
  int64_t batch = 0;        // samples in a batch
  int64_t micro = 0;        // samples in a micro-batch
  int64_t microBatches = 0; // in a batch; micro * microBatches == batch
  int64_t batches = 1;      // that a step draws
  /// Of a step of several; empty where a step is one update.
  std::vector<UpdateTimes> updates = {};
  int64_t trainCount = 0; // samples in an epoch
  int64_t steps = 0;      // updates in the whole run; 0: durationMs decides
  int64_t durationMs = 0;
  int64_t sampleTokens = 0; // tokens of a sample of text, else 0
  int64_t skipLimit = 0;    // skipped updates in a row that are tolerated
  Interval evaluate;
  Interval checkpoint;
  Interval light; // of the checkpoints that hold parameters alone
  /// Samples of a split that an evaluation on the way looks at; 0: all.
  int64_t evaluateSamples = 0;
  /// Evaluations are compared; the checkpoint of the best stays.
  bool keepsBest = false;
  Interval patience; // how long the run goes on without a new best

  int64_t stepSamples() const { return batch * batches; }

  /// Epochs consumed after `attempt` steps, taken or not.
  double epoch(int64_t attempt) const {
    return double(attempt) * double(stepSamples()) / double(trainCount);
  }

  /// What the step of this number is made of, in order.
  void partsOf(int64_t step, std::vector<StepPart> &parts) const;
};

/// What the command line changes.
struct ScheduleOverrides {
  int64_t steps = 0;             // 0: `duration` says
  plan::QuantityT duration = {}; // without a unit: as the recipe says
  int64_t batch = 0;
  std::string batchOption = {}; // the name of the option that gives it
};

/// How often a run is saved if its program does not say.
constexpr int64_t CheckpointDefaultMs = 600000;

/// Resolves the recipe for `trainCount` samples. `note` gets a sentence if a number was rounded.
Expected<RunSchedule> makeSchedule(const plan::RecipeT &recipe, const ScheduleOverrides &overrides,
                                   int64_t trainCount, std::string &note);

} // namespace dlm
