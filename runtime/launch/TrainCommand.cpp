// `train`: preparing a run, its loop, and what it says at its end. After `prepare` the loop
// allocates nothing except in an evaluation or at the start of a save.
#include "runtime/launch/TrainRun.h"

#include "runtime/abi/PlanTargets.h"
#include "runtime/launch/CheckedData.h"
#include "runtime/launch/NotFiniteSearch.h"
#include "runtime/launch/PlanWork.h"
#include "runtime/launch/RunIdentity.h"
#include "runtime/launch/StopSignal.h"
#include "runtime/store/FileStore.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace dlm {

Status TrainRun::prepare() {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<std::unique_ptr<DataSource>> source = openData(context, recipe);
  if (!source) return source.status();
  data = source.take();
  Expected<DataSpec> spec = dataSpecOf(recipe, line.data);
  if (!spec) return spec.status();
  dataCheck.emplace(*spec);
  saver.emplace(makeFileStore(line.to.value_or(checkpointFolder(recipe))),
                int64_t(recipe.checkpoint_keep), !recipe.keep_best.empty());
  sink = makeSink(context);
  std::vector<std::string> notes;
  Status found = saver->find(line.resume, resumed, notes);
  for (const std::string &note : notes)
    sink->note(note);
  DLM_TRY(found);
  Expected<std::unique_ptr<Session>> opened = openSession(context);
  if (!opened) return opened.status();
  session = opened.take();
  DLM_TRY(startState());
  DLM_TRY(mapSamples(context, start.seed, start.options, data));
  DLM_TRY(checkRoom());
  announce();
  return startLoader();
}

/// Prepares, and tells of a signal that ends it: reading data may take long.
Status TrainRun::prepareToldOf() {
  Status status = prepare();
  if (status.code() != Code::Interrupted || !context.stop || !sink) return status;
  sink->note(stopText(context.stop, driver ? driver->position().step : 0, saver->lastLocation()));
  return status;
}

/// Initialises the state, restores the checkpoint into it, and makes the driver.
Status TrainRun::startState() {
  const plan::RecipeT &recipe = session->recipe();
  RunRequest request{recipe, context.options, line, sourceHashOf(context.plan)};
  start = startOf(request);
  std::string from = resumed ? saver->checkpoints().location(resumed->name) : "";
  std::string what = "cannot resume from `" + from + "`";
  if (resumed) {
    Expected<ResumePoint> point = resumeFrom(request, resumed->manifest);
    if (!point) return point.status().withContext(what);
    start = point.take();
  }
  std::string rounding;
  Expected<RunSchedule> made =
      makeSchedule(recipe, start.overrides, recipe.data->train_count, rounding);
  if (!made) return made.status();
  schedule = *made;
  if (resumed) DLM_TRY(checkLength(schedule, resumed->manifest, line).withContext(what));
  if (!rounding.empty()) start.notes.push_back("note: " + rounding);
  Expected<std::vector<DataFile>> files = dataCheck->files(context.stop);
  if (!files) return files.status();
  Manifest now = describeRun(context.plan, request, start, schedule, files.take());
  now.run = resumed ? resumed->manifest.run : newRunName();
  if (resumed) {
    Expected<std::vector<std::string>> notes =
        notesOfChanges(resumed->manifest, now, line.acceptChanges);
    if (!notes) return notes.status().withContext(what);
    start.notes.insert(start.notes.end(), notes->begin(), notes->end());
  }
  DLM_TRY(session->initialise(start.seed, start.options));
  state = session->state();
  if (resumed) {
    DLM_TRY(Checkpoints::restore(*resumed, state).withContext(what));
    Position place = session->position();
    if (place.step != resumed->manifest.step || place.attempt != resumed->manifest.attempt)
      return corrupt("`" + from + "` disagrees with itself about its step");
    session->setSeed(start.seed);
    measured = resumed->manifest.metrics;
    resumed->file = {};
  }
  saver->begin(now, state);
  session->setBatchSize(schedule.batch);
  session->setRunLength(schedule.steps);
  DLM_TRY(session->commit());
  firstAttempt = session->position().attempt;
  driver.emplace(schedule, session->position(), nowMs(), session->engine().depth());
  takeUpBest();
  return Status::ok();
}

/// What was compared before the checkpoint counts on, if it is the same that is compared.
void TrainRun::takeUpBest() {
  if (!schedule.keepsBest) return;
  best.metric = session->recipe().keep_best;
  best.isLargest = session->recipe().keeps_largest;
  if (!resumed) return;
  const std::optional<BestMark> &mark = resumed->manifest.best;
  bool isSame = mark && mark->metric == best.metric && mark->isLargest == best.isLargest;
  int64_t here = driver->position().step;
  comparedStep = isSame ? mark->evaluated : here;
  driver->goOnFrom(isSame ? std::max<int64_t>(mark->step, 0) : here, comparedStep);
  if (!isSame || mark->step < 0) return;
  best.split = splitName(Split::Validation);
  best.value = mark->value;
  best.step = mark->step;
}

Status TrainRun::checkRoom() {
  if (driver->isOver(nowMs())) return Status::ok();
  SaveCounts saves = saveCounts(schedule, driver->position().step);
  return saver->checkRoom(saves, !schedule.light.never(), start.notes);
}

void TrainRun::announce() {
  RunRecord record;
  record.program = session->recipe().name;
  record.commandName = context.commandName;
  record.firstStep = driver->position().step;
  record.steps = schedule.steps;
  record.durationMs = schedule.durationMs;
  record.batch = schedule.batch;
  record.batches = schedule.batches;
  record.microBatches = schedule.microBatches;
  record.trainCount = schedule.trainCount;
  record.parameters = session->parameterCount();
  record.seed = start.seed;
  record.threads = int(session->workerCount());
  if (isDevicePlan(context.plan)) {
    record.device = session->engine().description();
    record.deviceBytes = int64_t(arenaBytes(context.plan));
  }
  record.folder = saver->store().location("");
  record.resumed = resumed.has_value();
  for (const std::string &note : start.notes)
    sink->note(note);
  sink->start(record);
  if (resumed && schedule.steps && record.firstStep >= schedule.steps)
    sink->note("note: 0 steps are left to do: the run is finished. It ends at step " +
               std::to_string(schedule.steps) + " and `" +
               saver->checkpoints().location(resumed->name) +
               "` is there; --steps N with a larger N goes on");
}

Status TrainRun::startLoader() {
  if (driver->isOver(nowMs())) return Status::ok();
  Expected<const Dataset *> samples = data->get(Split::Train, &context.stop);
  if (!samples) return samples.status();
  DLM_TRY(dataCheck->tell(line.acceptChanges, context.stop, *sink));
  bool hasBounds = !idBoundsOf(context.plan).empty();
  if (session->canEvaluate()) DLM_TRY(dataCheck->checkEvaluated(*data, hasBounds, context.stop));
  for (size_t i = 0; i < session->updateCount(); ++i) {
    Expected<BatchTarget> found = session->trainingTarget((*samples)->fields(), i);
    if (!found) return found.status();
    targets.push_back(found.take());
    if (targets[i].rows != schedule.micro)
      return corrupt("the plan's `grad` takes " + std::to_string(targets[i].rows) +
                     " samples, its recipe says " + std::to_string(schedule.micro));
  }
  LoaderShape shape{schedule.micro, slotsOf((*samples)->fields(), schedule.micro),
                    int(line.loaderThreads.value_or(1))};
  loader = std::make_unique<Loader>(**samples, orderOf(**samples), shape, driver->nextSample());
  batches = StepBatches(*loader, schedule);
  return Status::ok();
}

/// What is said when a signal comes: whoever has made no step has nothing to save.
std::string TrainRun::stoppingText() const {
  std::string again = "; " + stopName(context.stop) + " once more stops at once";
  bool hasNothing = driver->position().attempt == firstAttempt && !resumed;
  if (hasNothing) return "stopping" + again;
  return "stopping, with a checkpoint of the last whole step" + again + ", without";
}

Status TrainRun::loop() {
  bool isTold = false;
  for (;;) {
    bool isAsked = context.stop != 0;
    if (isAsked && !isTold) sink->note(stoppingText());
    isTold |= isAsked;
    if (saver->isFree()) collectSave();
    Action action = driver->next(nowMs(), isAsked);
    isEnding = action == Action::SaveLast || action == Action::AwaitSave;
    switch (action) {
    case Action::Grad:
      DLM_TRY(grad());
      break;
    case Action::PartUpdate:
      DLM_TRY(partUpdate());
      break;
    case Action::Update:
      DLM_TRY(update());
      break;
    case Action::Await:
      DLM_TRY(await());
      break;
    case Action::Evaluate:
      evaluate(false);
      break;
    case Action::EvaluateFinal:
      evaluate(true);
      break;
    case Action::Save:
    case Action::SaveLight:
    case Action::SaveLast:
      save(action);
      break;
    case Action::AwaitSave:
      if (!settleSave()) giveUpSave();
      break;
    case Action::Finish:
      return Status::ok();
    }
  }
}

/// A step that has changed something is made to its end, whatever asks the run to stop.
Status TrainRun::grad() {
  size_t number = driver->part().update;
  Status filled = batches.fill(driver->nextSample(), *session, targets[number],
                               driver->isChanged() ? nullptr : &context.stop);
  if (filled.code() == Code::Interrupted) return Status::ok(); // the driver decides
  DLM_TRY(filled);
  DLM_TRY(session->startGrad(number));
  driver->gradDone();
  std::string text = stepClock.partDone(nowMs(), driver->partsDone(), driver->partsOfStep());
  if (!text.empty()) sink->note(text);
  return Status::ok();
}

Status TrainRun::partUpdate() {
  DLM_TRY(session->startPartUpdate(driver->part().update));
  driver->partUpdateDone();
  return Status::ok();
}

Status TrainRun::update() {
  DLM_TRY(session->startUpdate());
  driver->updateStarted();
  batches.clear();
  return Status::ok();
}

/// Learns and reports what became of the oldest update in flight.
Status TrainRun::await() {
  DLM_TRY(session->takeUpdate());
  driver->updateDone(session->updateApplied(), nowMs());
  Position place = session->position();
  if (place.step != driver->position().step || place.attempt != driver->position().attempt)
    return internalError("after `update` the program counts step " + std::to_string(place.step) +
                         " and attempt " + std::to_string(place.attempt) + ", the driver " +
                         std::to_string(driver->position().step) + " and " +
                         std::to_string(driver->position().attempt));
  tellWarnings();
  const std::vector<NamedValue> &values = session->reportedValues();
  if (!anyStep && resumed)
    if (std::string jump = noteOfRate(resumed->manifest, schedule.steps, values); !jump.empty())
      sink->note(jump);
  anyStep = true;
  StepRecord record;
  record.step = place.step;
  record.attempt = place.attempt;
  record.epoch = schedule.epoch(place.attempt);
  record.applied = session->updateApplied();
  record.values = values.data();
  record.valueCount = values.size();
  record.batchesReady = loader->readyCount();
  record.waits = loader->waitCount();
  sink->step(record);
  return Status::ok();
}

void TrainRun::tellWarnings() {
  for (const std::string &text : data->takeWarnings())
    sink->note("warning: " + text);
}

void TrainRun::evaluate(bool isFinal) {
  bool hasValidation = session->recipe().data->validation_count > 0;
  int64_t step = driver->position().step;
  // What was compared just now of all of the validation data is what it is.
  bool isKnown = isFinal && schedule.keepsBest && schedule.evaluateSamples == 0 &&
                 comparedStep == step && !lastCompared.values.empty();
  std::vector<Split> splits = {Split::Validation, Split::Test};
  if (isKnown) splits = {Split::Test};
  if (!isFinal) splits = {hasValidation ? Split::Validation : Split::Test};
  Expected<std::vector<SplitRecord>> records =
      evaluateSplits(*session, *data, splits, context.stop, isFinal ? 0 : schedule.evaluateSamples);
  tellWarnings();
  if (!records) {
    if (records.status().code() == Code::Interrupted) return;
    driver->evaluateDone(false, nowMs());
    if (!isFinal) comparedStep = step;
    lastCompared = {}; // it is of an earlier step
    if (!isFinal && evaluationFailure.isOk())
      sink->note("warning: the evaluation failed: " + records.status().message());
    evaluationFailure = records.status();
    return;
  }
  if (isKnown) records->insert(records->begin(), lastCompared);
  bool isCompared =
      !records->empty() && (schedule.keepsBest ? !isFinal : !schedule.evaluate.never());
  bool isBest = isCompared && best.take(records->front(), step);
  if (isCompared) {
    comparedStep = step;
    lastCompared = records->front();
  }
  driver->evaluateDone(isBest, nowMs());
  for (const SplitRecord &split : *records) {
    MeasuredSplit &entry = measured[split.split];
    entry.step = step;
    for (const NamedValue &value : split.values)
      entry.values[value.name] = value.value;
  }
  amendStep = step;
  if (isFinal) {
    finalSplits = records.take();
    return;
  }
  EvaluationRecord record;
  record.step = step;
  record.epoch = schedule.epoch(driver->position().attempt);
  record.splits = records.take();
  sink->evaluated(record);
}

/// Whether an update was ever made, be it one of several of a step that was skipped.
static bool hasTrained(Session &session) {
  if (session.position().step > 0) return true;
  if (!session.pull().isOk()) return false;
  for (const StateBinding &entry : session.state())
    if (entry.name.rfind("state.made.", 0) == 0 && *static_cast<const int64_t *>(entry.data) > 0)
      return true;
  return false;
}

Status TrainRun::tooManySkips() {
  std::vector<NamedValue> values = session->reportedValues();
  Expected<const Dataset *> samples = data->get(Split::Train, &context.stop);
  Expected<DataSpec> spec = dataSpecOf(session->recipe(), line.data);
  int64_t first = (driver->position().attempt - 1) * schedule.stepSamples();
  SkipFacts facts = {driver->position().step, driver->skippedInARow(), schedule.skipLimit};
  facts.isTrained = hasTrained(*session);
  std::string where;
  std::vector<StepPart> parts;
  schedule.partsOf(facts.step, parts);
  if (samples && spec)
    where = whereNotFinite(
        *session, targets,
        {*spec, **samples, orderOf(**samples), first, schedule.batch, std::move(parts)},
        context.stop);
  return Status::error(Code::NotFinite, textOfSkips(values, facts, lastCheckpoint(), where));
}

/// The program's commands with the flags that they need.
std::vector<std::string> TrainRun::commandTexts() const {
  std::vector<std::string> texts;
  const plan::DataSource *data = context.plan.recipe() ? context.plan.recipe()->data() : nullptr;
  std::string kind = data && data->kind() ? data->kind()->str() : "";
  bool hasRows = kind != "text" && kind != "tokens"; // that a file can be read by
  if (canPredict(context.plan))
    texts.emplace_back(hasRows ? "predict --data FILE" : "predict --split PART");
  for (const DeclaredCommand &command : context.commands) {
    std::string &text = texts.emplace_back(command.name);
    for (const CommandArgument &argument : command.arguments)
      if (argument.isRequired) text += " --" + argument.name + " VALUE";
  }
  return texts;
}

Status TrainRun::finish(int &exitStatus) {
  if (!driver->lastSaveFailed()) settleSave();
  if (driver->outcome() == Outcome::TooManySkips) return tooManySkips();
  FinalRecord record;
  record.step = driver->position().step;
  record.epoch = schedule.epoch(driver->position().attempt);
  record.complete = driver->outcome() == Outcome::Complete;
  record.checkpoint = saver->lastLocation();
  record.folderArgument = line.to.value_or("");
  record.attempts = driver->position().attempt - firstAttempt;
  record.waits = loader ? loader->waitCount() : 0;
  record.canEvaluate = session->canEvaluate();
  record.commands = commandTexts();
  if (anyStep) {
    SplitRecord train{splitName(Split::Train), session->reportedValues()};
    train.values.resize(session->reportedLosses());
    record.splits.push_back(std::move(train));
  }
  for (SplitRecord &split : finalSplits)
    record.splits.push_back(std::move(split));
  record.best = best;
  record.best.checkpoint = saver->locationOfBest(best.step);
  record.isOver = driver->isOutOfPatience();
  if (record.isOver)
    sink->note(textOfPatience(best, periodText(session->recipe().patience.get()), record.step,
                              schedule.steps));
  sink->finish(record);
  if (driver->lastSaveFailed())
    return saveFailure.withContext("the last checkpoint could not be written; " + lastCheckpoint());
  if (!evaluationFailure.isOk()) return evaluationFailure.withContext("the evaluation failed");
  if (int signal = context.stop) {
    sink->note(stopText(signal, record.step, saver->lastLocation()));
    exitStatus = 128 + signal;
  }
  return Status::ok();
}

Status trainCommand(const CommandContext &context, int &exitStatus) {
  TrainRun run(context);
  DLM_TRY(run.prepareToldOf());
  DLM_TRY(run.loop());
  return run.finish(exitStatus);
}

} // namespace dlm
