// A plan that is ready to run: its executor, its recipe, and the places in memory by which the
// outside talks to it. Which buffer means what is a matter of names (`state.step`, `report.loss`),
// and they are looked up here, once.
#pragma once

#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/data/Dataset.h"
#include "runtime/driver/StepDriver.h"
#include "runtime/executor/Executor.h"
#include "runtime/launch/CommandLine.h"
#include "runtime/metrics/MetricSink.h"

#include <atomic>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// Where a program reads a batch from: one address for each field of the dataset (null for a field
/// it does not read), and the weights of the samples, if it has them.
struct BatchTarget {
  std::vector<void *> fields;
  std::vector<size_t> fieldBytes; // of a whole batch
  float *weights = nullptr;
  int64_t rows = 0;
};

class Session {
public:
  /// Opens the plan with `threads` workers. Both arguments must outlive the session.
  static Expected<std::unique_ptr<Session>> open(const plan::Plan &plan,
                                                 const KernelLibrary &kernels, unsigned threads);

  const plan::RecipeT &recipe() const { return theRecipe; }
  Executor &executor() { return *run; }

  /// Sets seed and run-time options, then runs `init`: the state of step 0.
  Status initialise(uint64_t seed, const std::map<std::string, double> &options);

  void setSeed(uint64_t value) { *seed = int64_t(value); }

  /// Numbers that are trained.
  int64_t parameterCount() const;

  /// What a checkpoint holds, and where it lies.
  std::vector<StateBinding> state() const;

  /// The two counters, as the programs left them.
  Position position() const { return {*attempt, *step}; }

  /// Whether the last update was applied.
  bool updateApplied() const { return *ok != 0; }

  /// Where `grad` (or `eval`) takes its batch, for samples with these fields.
  Expected<BatchTarget> trainingTarget(const std::vector<FieldSpec> &fields) const;
  Expected<BatchTarget> evaluationTarget(const std::vector<FieldSpec> &fields) const;

  /// Tells the programs how many steps the run has, if they ask: a schedule may depend on it.
  void setRunLength(int64_t steps);

  void setBatchSize(int64_t samples) { *batchSize = float(samples); }
  void runGrad() { run->run(gradProgram); }
  void runUpdate() { run->run(updateProgram); }

  /// Fills and returns the values of the last update: loss, its terms, grad_norm. The list is
  /// allocated once.
  const std::vector<NamedValue> &reportedValues();

  bool canEvaluate() const { return evalProgram >= 0; }

  /// Runs the metrics over a whole dataset. `stop` is asked between batches; when it is set, the
  /// result is the failure `Interrupted`.
  Expected<std::vector<NamedValue>> evaluate(const Dataset &dataset, const std::atomic<int> &stop);

private:
  Session() = default;
  Status bindPrograms();
  Status bindScalars();
  Status checkState() const;
  Expected<BatchTarget> target(int program, const std::vector<FieldSpec> &fields) const;
  template <class T> Expected<T *> scalar(const std::string &name) const;

  const plan::Plan *plan = nullptr;
  plan::RecipeT theRecipe;
  std::unique_ptr<Executor> run;
  int initProgram = -1, prepareProgram = -1, gradProgram = -1, updateProgram = -1;
  int evalBeginProgram = -1, evalProgram = -1, evalEndProgram = -1;
  int64_t *attempt = nullptr, *step = nullptr, *seed = nullptr;
  int32_t *ok = nullptr;
  float *batchSize = nullptr, *gradNorm = nullptr, *evalCount = nullptr;
  float ignoredBatchSize = 0; // a program that does not ask for the batch size
  bool hasTotal = true;       // the first of the terms is the loss itself
  std::vector<const float *> termValues;
  std::vector<const float *> metricValues;
  std::vector<NamedValue> reported;
};

/// The options a plan declares.
std::vector<ProgramOption> programOptions(const plan::Plan &plan);

/// The data a recipe reads, with its path replaced if the user gave one.
Expected<DataSpec> dataSpecOf(const plan::RecipeT &recipe,
                              const std::map<std::string, std::string> &overrides);

/// The source hash of a plan, hexadecimal.
std::string sourceHashOf(const plan::Plan &plan);

} // namespace dlm
