// Conversion of quantities. A duration in epochs or samples is rounded up to whole steps, so that
// no sample is missed; an interval keeps its exact number of samples and comes due at the first
// step that reaches it.
#include "runtime/driver/RunSchedule.h"

#include "runtime/driver/Durations.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

namespace dlm {

namespace {

constexpr double CountMax = 9e15; // exact in a double, and far from the limits of int64_t

std::string numberText(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.10g", value);
  return text;
}

/// The quantity as a number of samples; no times.
double samplesOf(const plan::QuantityT &quantity, const RunSchedule &run) {
  switch (quantity.unit) {
  case plan::Unit::Steps:
    return quantity.value * double(run.stepSamples());
  case plan::Unit::Epochs:
    return quantity.value * double(run.trainCount);
  case plan::Unit::Tokens:
    return run.sampleTokens ? std::ceil(quantity.value / double(run.sampleTokens)) : 0;
  default:
    return quantity.value;
  }
}

Expected<Interval> makeInterval(const char *what, const plan::QuantityT &quantity,
                                const RunSchedule &run) {
  Interval interval;
  if (quantity.unit == plan::Unit::None) return interval;
  bool isTime = quantity.unit == plan::Unit::Milliseconds;
  double value = isTime ? quantity.value : samplesOf(quantity, run);
  if (!(value > 0) || value > CountMax)
    return invalidArgument(std::string(what) + " every " + quantityText(&quantity) +
                           " is not possible");
  (isTime ? interval.ms : interval.samples) = std::max<int64_t>(1, std::llround(value));
  return interval;
}

/// The tokens of a sample of text; 0 if the samples are something else.
int64_t sampleTokens(const plan::RecipeT &recipe) {
  if (!recipe.data || (recipe.data->kind != "text" && recipe.data->kind != "tokens")) return 0;
  for (const auto &field : recipe.data->fields)
    if (field->dtype == plan::DType::I32 && field->shape.size() == 1) return field->shape[0];
  return 0;
}

Status setDuration(RunSchedule &run, const plan::QuantityT &quantity, std::string &note) {
  double value = quantity.value;
  std::string text = quantityText(&quantity);
  if (quantity.unit == plan::Unit::None)
    return invalidArgument(
        "the program does not say how long it trains; give --duration, such as \"500 steps\"");
  if (!(value > 0) || value > CountMax)
    return invalidArgument("a duration of " + text + " is not possible");
  if (quantity.unit == plan::Unit::Tokens && run.sampleTokens == 0)
    return invalidArgument("a duration in tokens is of programs that read text; this one's data " +
                           std::string("has samples: give steps, epochs or samples"));
  if (quantity.unit == plan::Unit::Milliseconds) {
    run.durationMs = std::max<int64_t>(1, std::llround(value));
    return Status::ok();
  }
  // A value such as 0.1 epochs is not exact in binary; what is within a millionth of a step is.
  double exact = samplesOf(quantity, run) / double(run.stepSamples());
  double nearest = std::round(exact);
  double steps = std::abs(exact - nearest) < 1e-6 ? nearest : std::ceil(exact);
  if (steps > CountMax) return invalidArgument("a duration of " + text + " is not possible");
  run.steps = std::max<int64_t>(1, int64_t(steps));
  if (steps != nearest || std::abs(exact - nearest) >= 1e-6)
    note = text + (value == 1 ? " is " : " are ") + numberText(exact) + " steps, rounded up to " +
           std::to_string(run.steps);
  return Status::ok();
}

/// The batch is a flag, and the size of what is computed at once is fixed.
Status unevenBatch(const RunSchedule &run, const std::string &option) {
  std::string name = option.empty() ? "NAME" : option;
  std::string batch = std::to_string(run.batch), micro = std::to_string(run.micro);
  return invalidArgument("a batch of " + batch + " samples is not a multiple of the " + micro +
                         " samples that the program was compiled to compute at once; compile it "
                         "for this batch (`dlmc -D " +
                         name + "=" + batch +
                         "`), or with `micro = " + std::to_string(std::gcd(run.batch, run.micro)) +
                         "` in its train block, which divides both");
}

/// Positions in the sequence of samples are whole numbers of 64 bits.
Status checkCount(const RunSchedule &run) {
  double samples = double(run.stepSamples()) * double(std::max<int64_t>(run.steps, 1));
  if (samples <= CountMax) return Status::ok();
  return invalidArgument(numberText(double(run.steps)) + " steps of " +
                         std::to_string(run.stepSamples()) + " samples are not possible");
}

std::string textOfLargeBatch(const RunSchedule &run) {
  std::string batch = "a batch of " + std::to_string(run.batch) + " samples ";
  std::string samples = "the " + std::to_string(run.trainCount) + " training samples";
  if (run.batch < 2 * run.trainCount) return batch + "shows some of " + samples + " more than once";
  char times[32];
  double ratio = double(run.batch) / double(run.trainCount);
  std::snprintf(times, sizeof times, ratio < 100 ? "%.3g" : "%.0f", ratio);
  return batch + "goes " + times + " times through " + samples + ": a step computes " +
         std::to_string(run.microBatches) + " parts of " + std::to_string(run.micro);
}

/// What `evaluate` says beside its interval.
Status setEvaluation(RunSchedule &run, const plan::RecipeT &recipe) {
  if (double(recipe.evaluate_batches) * double(run.batch) > CountMax)
    return invalidArgument("an evaluation of " + std::to_string(recipe.evaluate_batches) +
                           " batches is not possible");
  run.evaluateSamples = int64_t(recipe.evaluate_batches) * run.batch;
  run.keepsBest = !recipe.keep_best.empty();
  if (!run.keepsBest || !recipe.patience) return Status::ok();
  Expected<Interval> patience = makeInterval("giving up without a new best", *recipe.patience, run);
  if (!patience) return patience.status();
  run.patience = *patience;
  return Status::ok();
}

} // namespace

void RunSchedule::partsOf(int64_t step, std::vector<StepPart> &parts) const {
  parts.clear();
  if (updates.empty()) parts.push_back({});
  for (size_t i = 0; i < updates.size(); ++i)
    for (int64_t r = 0; r < updates[i].repeat && step % updates[i].every == 0; ++r)
      parts.push_back({i, r});
}

Expected<RunSchedule> makeSchedule(const plan::RecipeT &recipe, const ScheduleOverrides &overrides,
                                   int64_t trainCount, std::string &note) {
  RunSchedule run;
  run.trainCount = trainCount;
  run.batch = overrides.batch ? overrides.batch : int64_t(recipe.batch);
  run.micro = recipe.micro;
  run.skipLimit = recipe.skip_limit;
  for (const auto &update : recipe.updates) {
    run.updates.push_back({int64_t(update->repeat), int64_t(update->every)});
    run.batches = std::max(run.batches, run.updates.back().repeat);
  }
  note.clear();
  if (trainCount < 1) return invalidArgument("there are no training samples");
  if (run.micro < 1 || run.batch < 1)
    return invalidArgument("a batch of " + std::to_string(run.batch) + " samples in parts of " +
                           std::to_string(run.micro) + " is not possible");
  if (run.batch % run.micro != 0) return unevenBatch(run, overrides.batchOption);
  run.microBatches = run.batch / run.micro;
  if (recipe.data && recipe.data->order == "streams") {
    // Each row of a batch walks through its part of the samples; what no row reaches is left out.
    run.trainCount = trainCount / run.batch * run.batch;
    if (run.trainCount == 0)
      return invalidArgument("the rows of a batch continue those of the one before, and " +
                             std::to_string(trainCount) + " training samples are not enough for " +
                             std::to_string(run.batch) + " rows");
  }
  if (recipe.coupled && run.microBatches > 1)
    return invalidArgument(
        "samples of a batch influence each other in this program, so a batch of " +
        std::to_string(run.batch) + " cannot be split into parts of " + std::to_string(run.micro));
  static const plan::QuantityT none;
  auto given = [](const auto &quantity) { return quantity ? *quantity : none; };
  run.sampleTokens = sampleTokens(recipe);
  bool isGiven = overrides.duration.unit != plan::Unit::None;
  if (overrides.steps)
    run.steps = overrides.steps;
  else
    DLM_TRY(setDuration(run, isGiven ? overrides.duration : given(recipe.duration), note));
  DLM_TRY(checkCount(run));
  if (overrides.batch > trainCount) note += (note.empty() ? "" : "; ") + textOfLargeBatch(run);
  Expected<Interval> evaluate = makeInterval("evaluating", given(recipe.evaluate_every), run);
  if (!evaluate) return evaluate.status();
  Expected<Interval> checkpoint = makeInterval("saving", given(recipe.checkpoint_every), run);
  if (!checkpoint) return checkpoint.status();
  Expected<Interval> light = makeInterval("saving parameters", given(recipe.checkpoint_light), run);
  if (!light) return light.status();
  DLM_TRY(setEvaluation(run, recipe));
  run.light = *light;
  run.evaluate = *evaluate;
  run.checkpoint = *checkpoint;
  if (run.checkpoint.never()) run.checkpoint.ms = CheckpointDefaultMs;
  return run;
}

} // namespace dlm
