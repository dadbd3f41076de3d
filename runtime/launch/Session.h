// A plan that is ready to run: its engine, its recipe, and the places in memory by which the
// outside talks to it. Which buffer means what is a matter of names (`state.step`, `report.loss`),
// and they are looked up here, once.
//
// On a device these places are the engine's mirror, and what they hold is as old as what was last
// brought there: by `takeUpdate` what an update says of itself, by `pull` everything.
#pragma once

#include "runtime/checkpoint/Checkpoints.h"
#include "runtime/data/Dataset.h"
#include "runtime/driver/StepDriver.h"
#include "runtime/executor/Engine.h"
#include "runtime/launch/CommandLine.h"
#include "runtime/metrics/MetricSink.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dlm {

/// Where a program reads a batch from: one address for each field of the dataset (null for a field
/// it does not read), and the weights of the samples, if it has them. `Session::stage` sets the
/// addresses for each batch.
struct BatchTarget {
  std::vector<void *> fields;
  std::vector<size_t> fieldBytes; // of a whole batch
  std::vector<int64_t> buffers;   // of the fields; -1: not read
  float *weights = nullptr;
  int64_t weightsBuffer = -1;
  int64_t rows = 0;
};

/// A result of a declared command, or of `predict`: a text or a tensor, which lies in the engine
/// or, if a call decides how large it is, in `bytes`.
struct CommandValue {
  std::string name;
  bool isTruth = false; // of type bool
  BufferView tensor = {};
  std::vector<uint8_t> bytes = {};
  std::optional<std::string> text = {};
};

class Session {
public:
  /// Takes an engine and binds its plan, which must outlive the session.
  static Expected<std::unique_ptr<Session>> open(std::unique_ptr<Engine> engine);

  const plan::RecipeT &recipe() const { return theRecipe; }
  Engine &engine() { return *run; }

  /// Sets seed and run-time options, then runs `init`: the state of step 0.
  Status initialise(uint64_t seed, const std::map<std::string, double> &options);

  /// Makes what was written here since (a restored state, the batch size) what the programs see.
  Status commit() { return run->push(); }
  /// Brings the whole state here.
  Status pull() { return run->pull(); }

  void setSeed(uint64_t value) { *seed = int64_t(value); }

  /// Numbers that are trained.
  int64_t parameterCount() const;

  /// What a checkpoint holds, and where it lies.
  std::vector<StateBinding> state() const;

  /// The two counters, as the last update taken left them.
  Position position() const { return {*attempt, *step}; }

  /// Whether that update was applied.
  bool updateApplied() const { return *ok != 0; }

  /// Where `grad` (or `eval`) takes its batch, for samples with these fields. Before each batch
  /// comes `stage`.
  /// Of several updates each has a target of its own.
  Expected<BatchTarget> trainingTarget(const std::vector<FieldSpec> &fields,
                                       size_t update = 0) const;
  Expected<BatchTarget> evaluationTarget(const std::vector<FieldSpec> &fields) const;
  Status stage(BatchTarget &target);

  /// Tells the programs how many steps the run has, if they ask: a schedule may depend on it.
  void setRunLength(int64_t steps);

  void setBatchSize(int64_t samples) { *batchSize = float(samples); }
  Status startGrad(size_t update = 0) { return run->start(gradPrograms[update]); }
  /// One of several updates, which does not end the step.
  Status startPartUpdate(size_t update) { return run->start(partPrograms[update]); }
  Status startUpdate();
  /// One, or several.
  size_t updateCount() const { return gradPrograms.size(); }
  /// Waits for the oldest update not yet taken and shows here what it says of itself: position,
  /// `updateApplied`, `reportedValues`. A learning rate below 0 is a failure.
  Status takeUpdate();

  /// Fills and returns the values of the last update taken: loss, its terms, grad_norm, lr, these
  /// of each of several updates. The list is allocated once.
  const std::vector<NamedValue> &reportedValues();

  /// How many of them are the loss and its terms.
  size_t reportedLosses() const { return reported.size() - besideTerms.size(); }

  /// Threads that a step takes.
  unsigned workerCount() const;

  bool canEvaluate() const { return evalProgram >= 0; }

  /// Runs the metrics over a whole dataset. `stop` is asked between batches; when it is set, the
  /// result is the failure `Interrupted`.
  Expected<std::vector<NamedValue>> evaluate(const Dataset &dataset, const std::atomic<int> &stop);

  /// The fields of a sample that `predict` reads. What follows is of programs that have it.
  std::vector<FieldSpec> predictedFrom() const;

  /// The places of its results; they hold a batch at a time.
  Expected<std::vector<CommandValue>> predictions() const;

  /// Runs it over a whole dataset in order. `take` gets each batch, of which the first `rows`
  /// count.
  Status predict(const Dataset &dataset, const std::atomic<int> &stop,
                 const std::function<Status(int64_t rows)> &take);

private:
  Session() = default;
  Status bindPrograms();
  Status bindScalars();
  std::vector<std::string> namesBesideTerms() const;
  Status watchReports();
  Status checkState() const;
  Status runInOrder(const Dataset &dataset, BatchTarget &target, int program,
                    const std::atomic<int> &stop, const std::function<Status(int64_t)> &take);
  Expected<BatchTarget> target(int program, const std::vector<FieldSpec> &fields) const;
  template <class T> Expected<T *> scalar(const std::string &name) const;

  const plan::Plan *plan = nullptr;
  plan::RecipeT theRecipe;
  std::unique_ptr<Engine> run;
  int initProgram = -1, prepareProgram = -1, updateProgram = -1;
  std::vector<int> gradPrograms, partPrograms; // the second of several updates only
  int evalBeginProgram = -1, evalProgram = -1, evalEndProgram = -1;
  int predictBeginProgram = -1, predictProgram = -1; // the former where rows are numbered
  int64_t *attempt = nullptr, *step = nullptr, *seed = nullptr;
  int32_t *ok = nullptr;
  float *batchSize = nullptr, *evalCount = nullptr;
  float ignoredBatchSize = 0; // a program that does not ask for the batch size
  bool hasTotal = true;       // the first of the terms is the loss itself
  std::vector<const float *> termValues;
  std::vector<const float *> besideTerms; // norms of gradients and learning rates
  std::vector<const float *> metricValues;
  std::vector<uint32_t> metricBuffers; // and `eval.count`
  std::vector<NamedValue> reported;
};

/// The options a plan declares.
std::vector<ProgramOption> programOptions(const plan::Plan &plan);

/// The commands that a plan's program declares.
std::vector<DeclaredCommand> declaredCommands(const plan::Plan &plan);

/// Whether a plan's program says what it predicts.
bool canPredict(const plan::Plan &plan);

/// The data a recipe reads, with its path replaced if the user gave one.
Expected<DataSpec> dataSpecOf(const plan::RecipeT &recipe,
                              const std::map<std::string, std::string> &overrides);

} // namespace dlm
