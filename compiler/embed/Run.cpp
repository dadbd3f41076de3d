// An open program: the steps of `train`, one call after the other.
#include "compiler/embed/RunParts.h"
#include "runtime/launch/MappedData.h"
#include "runtime/launch/MemoryCheck.h"
#include "runtime/launch/NearestName.h"

#include <algorithm>

namespace dlm::embed {

/// The options as the words of a command line: it says what is wrong with them.
static Expected<CommandLine> commandLine(const plan::Plan &plan, const RunOptions &options) {
  std::vector<ProgramOption> declared = programOptions(plan);
  std::vector<std::string> names, words = {"train"};
  for (const ProgramOption &option : declared)
    names.push_back(option.name);
  for (const auto &[name, value] : options.options) {
    if (std::find(names.begin(), names.end(), name) == names.end()) {
      std::vector<std::string> near = nearestNames(name, names);
      return invalidArgument("the program has no option `" + name + "`" +
                             (near.empty() ? "" : "; there is `" + near.front() + "`"));
    }
    words.push_back("--" + name + "=" + value);
  }
  for (const auto &[name, path] : options.data)
    words.push_back("--data=" + name + "=" + path);
  if (options.seed) words.push_back("--seed=" + std::to_string(*options.seed));
  if (options.steps) words.push_back("--steps=" + std::to_string(options.steps));
  if (options.threads) words.push_back("--threads=" + std::to_string(options.threads));
  return parseCommandLine(words, declared);
}

Status Run::Parts::open(const RunOptions &options) {
  const plan::Plan &plan = *program->plan;
  Expected<CommandLine> parsed = commandLine(plan, options);
  if (!parsed) return parsed.status();
  line = parsed.take();
  plan::RecipeT recipe;
  plan.recipe()->UnPackTo(&recipe);
  Expected<DataSpec> found = dataSpecOf(recipe, line.data);
  if (!found) return found.status();
  spec = found.take();
  DLM_TRY(checkMemory(plan, spec));
  Expected<std::unique_ptr<DataSource>> source = openDataSource(spec);
  if (!source) return source.status();
  data = source.take();
  dataCheck.emplace(spec);
  acceptsChanges = options.acceptChanges;
  backend = makeCpuBackend(*program->kernels);
  Expected<std::unique_ptr<Engine>> engine = backend->open(plan, threadChoice(line));
  if (!engine) return engine.status();
  Expected<std::unique_ptr<Session>> opened = Session::open(engine.take());
  if (!opened) return opened.status();
  session = opened.take();
  declared = programOptions(plan);
  start = startOf(request());
  if (!options.from.empty()) DLM_TRY(findCheckpoint(options.from));
  std::string rounding;
  Expected<RunSchedule> made =
      makeSchedule(session->recipe(), start.overrides, recipe.data->train_count, rounding);
  if (!made) return made.status();
  schedule = *made;
  if (!rounding.empty()) start.notes.push_back(rounding);
  DLM_TRY(session->initialise(start.seed, start.options));
  state = session->state();
  if (resumed) DLM_TRY(restore());
  Expected<std::unique_ptr<DataSource>> mapped =
      mapData(std::move(data), plan, spec, backend->kernels(), {start.seed, start.options, 1});
  if (!mapped) return mapped.status();
  data = mapped.take();
  session->setBatchSize(schedule.batch);
  session->setRunLength(schedule.steps);
  return session->commit();
}

Expected<const Dataset *> Run::Parts::samplesOf(dlm::Split split) {
  static const std::atomic<int> never{0};
  Expected<const Dataset *> samples = data->get(split);
  if (!samples || !dataCheck) return samples;
  Expected<std::vector<std::string>> notes = dataCheck->compare(acceptsChanges, never);
  if (!notes) return notes.status();
  start.notes.insert(start.notes.end(), notes->begin(), notes->end());
  dataCheck.reset();
  return samples;
}

/// Makes the loader give the batch at which the program stands: at the first step, and after the
/// counters have been written.
Status Run::Parts::startLoader() {
  int64_t attempt = session->position().attempt;
  if (loader && loaderAttempt == attempt) return Status::ok();
  loader.reset();
  Expected<const Dataset *> samples = samplesOf(dlm::Split::Train);
  if (!samples) return samples.status();
  targets.clear();
  for (size_t i = 0; i < session->updateCount(); ++i) {
    Expected<BatchTarget> found = session->trainingTarget((*samples)->fields(), i);
    if (!found) return found.status();
    targets.push_back(found.take());
  }
  if (attempt < 0)
    return invalidArgument("the tensor `attempt` is below 0: there is no such batch");
  bool isInStreams = session->recipe().data->order == "streams";
  SampleOrder order{(*samples)->size(), start.seed, isInStreams ? schedule.batch : 0};
  loader = std::make_unique<Loader>(**samples, order, LoaderShape{schedule.micro},
                                    attempt * schedule.stepSamples());
  batches = StepBatches(*loader, schedule);
  loaderAttempt = attempt;
  return Status::ok();
}

/// A step that could not be made to its end, such as for want of a file, is gone on with where it
/// failed: what is before that is read once more, and not computed again.
Status Run::Parts::makeStep() {
  Position place = session->position();
  if (stepDone > 0 && (place.attempt != stepPlace.attempt || place.step != stepPlace.step))
    return invalidArgument("a step has failed in its middle, and what counts the steps has been "
                           "written since: open the program again to go on from there");
  stepPlace = place;
  DLM_TRY(startLoader());
  int64_t number = 0;
  auto isNext = [&] {
    bool isNew = number++ == stepDone;
    if (isNew) ++stepDone;
    return isNew;
  };
  schedule.partsOf(session->position().step, stepParts);
  batches.clear();
  for (const StepPart &part : stepParts) {
    for (int64_t micro = 0; micro < schedule.microBatches; ++micro) {
      int64_t batch = loaderAttempt * schedule.batches + part.batch;
      int64_t first = batch * schedule.batch + micro * schedule.micro;
      if (Status filled = batches.fill(first, *session, targets[part.update]); !filled.isOk()) {
        loaderAttempt = -1; // what was read of this batch is to be read again
        return filled;
      }
      if (isNext()) DLM_TRY(session->startGrad(part.update));
    }
    if (!schedule.updates.empty() && isNext()) DLM_TRY(session->startPartUpdate(part.update));
  }
  stepDone = 0;
  DLM_TRY(session->startUpdate());
  DLM_TRY(session->takeUpdate());
  ++loaderAttempt;
  return Status::ok();
}

Status Run::Parts::train(int64_t count, Progress &progress) {
  for (int64_t end = session->position().step + count; session->position().step < end;) {
    DLM_TRY(makeStep());
    skipsInARow = session->updateApplied() ? 0 : skipsInARow + 1;
    if (session->updateApplied()) continue;
    ++progress.skipped;
    if (skipsInARow > schedule.skipLimit)
      return Status::error(Code::NotFinite,
                           "training cannot go on: after step " +
                               std::to_string(session->position().step) +
                               " an update was skipped because numbers are not finite, and the "
                               "program tolerates " +
                               std::to_string(schedule.skipLimit) + " in a row");
  }
  Position place = session->position();
  progress.step = place.step;
  progress.epoch = schedule.epoch(place.attempt);
  if (loader)
    for (const NamedValue &value : session->reportedValues())
      progress.values[value.name] = value.value;
  return Status::ok();
}

/// What is to be known of the samples read so far.
Report Run::Parts::warnings() {
  Report report;
  std::vector<std::string> texts = std::move(start.notes);
  start.notes.clear();
  for (std::string &text : data->takeWarnings())
    texts.push_back(std::move(text));
  for (const std::string &text : texts) {
    report.diagnostics.push_back({Severity::Warning, "run", text, "", 0, 0});
    report.text += "warning: " + text + "\n";
  }
  return report;
}

const StateBinding *Run::Parts::find(const std::string &name) const {
  for (const StateBinding &entry : state)
    if (entry.name == name) return &entry;
  return nullptr;
}

Report Run::Parts::unknown(const std::string &name) const {
  std::vector<std::string> names;
  for (const StateBinding &entry : state)
    names.push_back(entry.name);
  std::vector<std::string> near = nearestNames(name, names);
  return reportOf("run", "there is no tensor `" + name + "`" +
                             (near.empty() ? "" : "; there is `" + near.front() + "`"));
}

Result<Run> Program::open(const RunOptions &options) const {
  return guarded([&]() -> Result<Run> {
    auto run = std::make_unique<Run::Parts>();
    run->program = parts;
    if (Status status = run->open(options); !status.isOk()) return reportOf(status);
    Report report = run->warnings();
    return {Run(std::move(run)), std::move(report)};
  });
}

Run::Run(std::unique_ptr<Parts> parts) : parts(std::move(parts)) {}
Run::Run(Run &&) noexcept = default;
Run &Run::operator=(Run &&) noexcept = default;
Run::~Run() = default;

int64_t Run::step() const { return parts->session->position().step; }
int64_t Run::steps() const { return parts->schedule.steps; }

Result<Progress> Run::train(int64_t count) {
  return guarded([&]() -> Result<Progress> {
    Progress progress;
    if (Status status = parts->train(count, progress); !status.isOk()) return reportOf(status);
    return {std::move(progress), parts->warnings()};
  });
}

Result<std::map<std::string, double>> Run::evaluate(Split split) {
  using Values = std::map<std::string, double>;
  return guarded([&]() -> Result<Values> {
    if (!parts->session->canEvaluate())
      return reportOf("run", "the program declares no `metrics`, so there is nothing to evaluate");
    dlm::Split which = static_cast<dlm::Split>(split);
    Expected<const Dataset *> samples = parts->samplesOf(which);
    if (!samples) return reportOf(samples.status());
    if ((*samples)->size() == 0)
      return reportOf("run",
                      std::string("the program has no samples for `") + splitName(which) + "`");
    std::atomic<int> never{0};
    Expected<std::vector<NamedValue>> measured = parts->session->evaluate(**samples, never);
    if (!measured) return reportOf(measured.status());
    Values values;
    for (const NamedValue &value : *measured)
      values[value.name] = value.value;
    return {std::move(values), parts->warnings()};
  });
}

std::vector<std::string> Run::tensorNames() const {
  std::vector<std::string> names;
  for (const StateBinding &entry : parts->state)
    names.push_back(entry.name);
  return names;
}

Result<Tensor> Run::read(const std::string &name) const {
  return guarded([&]() -> Result<Tensor> {
    const StateBinding *entry = parts->find(name);
    if (!entry) return parts->unknown(name);
    if (Status status = parts->session->pull(); !status.isOk()) return reportOf(status);
    auto *bytes = static_cast<const uint8_t *>(entry->data);
    return Tensor{name, dtypeName(entry->dtype), entry->shape, {bytes, bytes + entry->sizeBytes}};
  });
}

Result<Done> Run::write(const Tensor &tensor) {
  return guarded([&]() -> Result<Done> {
    const StateBinding *entry = parts->find(tensor.name);
    if (!entry) return parts->unknown(tensor.name);
    if (tensor.dtype != dtypeName(entry->dtype) || tensor.shape != entry->shape ||
        tensor.bytes.size() != entry->sizeBytes)
      return reportOf("run", "what is to be written to `" + tensor.name +
                                 "` is not of its type and shape: " + dtypeName(entry->dtype) +
                                 " with " + std::to_string(entry->sizeBytes) + " bytes");
    if (Status status = parts->session->pull(); !status.isOk()) return reportOf(status);
    std::memcpy(entry->data, tensor.bytes.data(), tensor.bytes.size());
    if (Status status = parts->session->commit(); !status.isOk()) return reportOf(status);
    return Done{};
  });
}

} // namespace dlm::embed
