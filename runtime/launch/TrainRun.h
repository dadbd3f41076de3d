// A run of training: it does what the step driver says. All decisions are the driver's; the effects
// are here: data in, programs run, reports and checkpoints out.
#pragma once

#include "runtime/data/Loader.h"
#include "runtime/driver/StepDriver.h"
#include "runtime/launch/Commands.h"
#include "runtime/launch/DataCheck.h"
#include "runtime/launch/ResumePoint.h"
#include "runtime/launch/RunRemarks.h"
#include "runtime/launch/RunSaver.h"
#include "runtime/launch/StepBatches.h"

namespace dlm {

class TrainRun {
public:
  explicit TrainRun(const CommandContext &context) : context(context), line(context.line) {}

  Status prepareToldOf();
  Status loop();
  Status finish(int &exitStatus);

private:
  Status prepare();
  Status startState();
  void takeUpBest();
  Status checkRoom();
  Status startLoader();
  bool isInStreams() const { return session->recipe().data->order == "streams"; }
  void announce();
  Status grad();
  Status partUpdate();
  Status update();
  Status await();
  void evaluate(bool isFinal);
  void tellWarnings();
  void save(Action kind);
  std::optional<BestMark> bestMark() const;
  std::string stoppingText() const;
  void collectSave();
  bool settleSave();
  void saveEnded(const SaveResult &result);
  void giveUpSave();
  SampleOrder orderOf(const Dataset &samples) const {
    return {samples.size(), start.seed, isInStreams() ? schedule.batch : 0};
  }
  Status tooManySkips();
  int64_t nowMs() const { return context.surroundings.clock->monotonicNs() / 1000000; }
  std::string lastCheckpoint() const;
  std::vector<std::string> commandTexts() const;

  const CommandContext &context;
  const CommandLine &line;
  std::unique_ptr<DataSource> data; // first in, last out: others point into it
  std::unique_ptr<Session> session;
  std::optional<DataCheck> dataCheck;
  std::optional<RunSaver> saver;
  std::optional<Checkpoints::Loaded> resumed; // without its tensors once they are restored
  std::unique_ptr<MetricSink> sink;
  ResumePoint start;
  RunSchedule schedule;
  std::optional<StepDriver> driver;
  std::vector<StateBinding> state;
  std::vector<BatchTarget> targets; // of each update of a step
  std::unique_ptr<Loader> loader;
  StepBatches batches;
  std::vector<SplitRecord> finalSplits;
  std::map<std::string, MeasuredSplit> measured;
  Status evaluationFailure;
  Status saveFailure;
  int64_t firstAttempt = 0;
  BestEvaluation best;
  int64_t comparedStep = 0; // of the last evaluation that was compared with the best
  SplitRecord lastCompared = {};
  StepClock stepClock;
  int64_t amendStep = -1; // what was measured after it is to go into its checkpoint
  bool anyStep = false, isEnding = false;
};

} // namespace dlm
