// Binding the names of a plan.
#include "runtime/launch/Session.h"

#include "runtime/data/Loader.h"
#include "runtime/launch/OptionUse.h"
#include "runtime/launch/RunRemarks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace dlm {

namespace {

constexpr const char *BatchPrefix = "batch.", *PredictName = "predict";

/// The field's name without the prefix of its buffer.
std::string fieldName(const std::string &name) {
  std::string prefix = BatchPrefix;
  return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
}

DType toDType(plan::DType dtype) { return static_cast<DType>(static_cast<uint8_t>(dtype)); }

} // namespace

Expected<std::unique_ptr<Session>> Session::open(std::unique_ptr<Engine> engine) {
  const plan::Plan &plan = engine->plan();
  if (!plan.recipe() || !plan.programs() || !plan.buffers())
    return corrupt("the plan has no recipe, no programs or no buffers");
  std::unique_ptr<Session> session(new Session());
  session->plan = &plan;
  plan.recipe()->UnPackTo(&session->theRecipe);
  session->run = std::move(engine);
  DLM_TRY(session->bindPrograms());
  DLM_TRY(session->bindScalars());
  DLM_TRY(session->watchReports());
  DLM_TRY(session->checkState());
  return session;
}

Status Session::bindPrograms() {
  prepareProgram = run->findProgram("prepare");
  auto bind = [&](const std::string &name, int &program) {
    program = run->findProgram(name);
    return program < 0 ? corrupt("the plan has no program `" + name + "`") : Status::ok();
  };
  DLM_TRY(bind("init", initProgram));
  DLM_TRY(bind("update", updateProgram));
  for (const auto &update : theRecipe.updates) {
    DLM_TRY(bind("grad_" + update->name, gradPrograms.emplace_back()));
    DLM_TRY(bind("update_" + update->name, partPrograms.emplace_back()));
  }
  if (gradPrograms.empty()) DLM_TRY(bind("grad", gradPrograms.emplace_back()));
  evalBeginProgram = run->findProgram("eval_begin");
  evalProgram = run->findProgram("eval");
  evalEndProgram = run->findProgram("eval_end");
  predictBeginProgram = run->findProgram("predict_begin");
  predictProgram = run->findProgram(PredictName);
  if (evalProgram >= 0 && (evalBeginProgram < 0 || evalEndProgram < 0))
    return corrupt("the plan has `eval` but not `eval_begin` and `eval_end`");
  return Status::ok();
}

template <class T> Expected<T *> Session::scalar(const std::string &name) const {
  BufferView view = run->find(name);
  if (!view) return notFound("the plan has no buffer `" + name + "`");
  if (view.sizeBytes < sizeof(T) || view.elementCount() != 1)
    return corrupt("the plan's buffer `" + name + "` is not a scalar of its type");
  return static_cast<T *>(view.data);
}

Status Session::bindScalars() {
  Status status;
  auto bind = [&](const std::string &name, auto *&target, bool isRequired) {
    using T = std::remove_reference_t<decltype(*target)>;
    if (!status.isOk()) return;
    Expected<std::remove_const_t<T> *> found = scalar<std::remove_const_t<T>>(name);
    if (found)
      target = *found;
    else if (isRequired || found.status().code() != Code::NotFound)
      status = found.status();
  };
  bind("state.attempt", attempt, true);
  bind("state.step", step, true);
  bind("state.seed", seed, true);
  bind("state.ok", ok, true);
  bind("batch.size", batchSize, false);
  bind("eval.count", evalCount, false);
  if (!batchSize) batchSize = &ignoredBatchSize;
  // The total comes first: the term called `loss`, or the sum of all.
  std::vector<std::string> &terms = theRecipe.loss_terms;
  auto total = std::find(terms.begin(), terms.end(), "loss");
  if (total != terms.end()) std::rotate(terms.begin(), total, total + 1);
  hasTotal = total != terms.end() || terms.size() == 1;
  reported.push_back({"loss", 0});
  for (size_t i = 0; i < terms.size(); ++i) {
    const float *value = nullptr;
    bind("report." + terms[i], value, true);
    termValues.push_back(value);
    if (i > 0 || !hasTotal) reported.push_back({terms[i], 0});
  }
  for (const std::string &name : namesBesideTerms()) {
    const float *place = nullptr;
    bind("report." + name, place, false);
    if (!place) continue;
    reported.push_back({name, 0});
    besideTerms.push_back(place);
  }
  for (const std::string &metric : theRecipe.metrics) {
    const float *value = nullptr;
    bind("metric." + metric, value, true);
    metricValues.push_back(value);
  }
  return status;
}

/// Of each update the norm of its gradient and its learning rate.
std::vector<std::string> Session::namesBesideTerms() const {
  if (theRecipe.updates.empty()) return {"grad_norm", "lr"};
  std::vector<std::string> names;
  for (const auto &update : theRecipe.updates)
    for (const char *what : {".grad_norm", ".lr"})
      names.push_back(update->name + what);
  return names;
}

/// What an update says of itself comes here with `takeUpdate`, what an evaluation measured is
/// fetched at its end.
Status Session::watchReports() {
  std::vector<uint32_t> watched;
  auto add = [&](const std::string &name, std::vector<uint32_t> &list) {
    if (BufferView view = run->find(name)) list.push_back(view.id);
  };
  for (const char *name : {"state.attempt", "state.step", "state.ok"})
    add(name, watched);
  for (const std::string &name : namesBesideTerms())
    add("report." + name, watched);
  for (const std::string &term : theRecipe.loss_terms)
    add("report." + term, watched);
  add("eval.count", metricBuffers);
  for (const std::string &metric : theRecipe.metrics)
    add("metric." + metric, metricBuffers);
  return run->watch(watched);
}

/// Every entry of the list of state lies within its buffer, and no two overlap.
Status Session::checkState() const {
  for (unsigned i = 0; plan->state() && i < plan->state()->size(); ++i) {
    if (plan->state()->Get(i)->buffer() >= plan->buffers()->size())
      return corrupt("the plan's list of state names a buffer that is not there");
  }
  std::vector<StateBinding> entries = state();
  for (size_t i = 0; i < entries.size(); ++i) {
    const plan::StateEntry *entry = plan->state()->Get(unsigned(i));
    if (!run->bufferAddress(entry->buffer()))
      return corrupt("the plan's state `" + entries[i].name + "` does not outlive its program");
    uint64_t size = plan->buffers()->Get(entry->buffer())->size_bytes();
    if (entry->offset() > size || entries[i].sizeBytes > size - entry->offset())
      return corrupt("the plan's state `" + entries[i].name + "` lies outside its buffer");
  }
  std::sort(entries.begin(), entries.end(), [](const StateBinding &a, const StateBinding &b) {
    return std::less<void *>()(a.data, b.data);
  });
  for (size_t i = 1; i < entries.size(); ++i) {
    if (static_cast<uint8_t *>(entries[i - 1].data) + entries[i - 1].sizeBytes > entries[i].data)
      return corrupt("the plan's states `" + entries[i - 1].name + "` and `" + entries[i].name +
                     "` overlap");
  }
  return Status::ok();
}

void Session::setRunLength(int64_t steps) {
  BufferView view = run->find("state.steps");
  if (!view) return;
  switch (view.dtype) {
  case plan::DType::I64:
    *static_cast<int64_t *>(view.data) = steps;
    break;
  case plan::DType::I32:
    *static_cast<int32_t *>(view.data) = int32_t(steps);
    break;
  case plan::DType::F32:
    *static_cast<float *>(view.data) = float(steps);
    break;
  default:
    break;
  }
}

Status Session::initialise(uint64_t seedValue, const std::map<std::string, double> &values) {
  *seed = int64_t(seedValue);
  for (uint32_t id = 0; id < plan->buffers()->size(); ++id)
    if (const auto *initial = plan->buffers()->Get(id)->initial(); initial && initial->size() > 0)
      std::memcpy(run->bufferAddress(id), initial->data(), initial->size());
  if (plan->options()) {
    for (const plan::Option *option : *plan->options()) {
      if (option->buffer() < 0) continue;
      if (uint32_t(option->buffer()) >= plan->buffers()->size())
        return corrupt("the plan's option `" + option->name()->str() + "` has no buffer");
      auto given = values.find(option->name()->str());
      double value = given == values.end() ? option->value() : given->second;
      void *place = run->bufferAddress(uint32_t(option->buffer()));
      switch (plan->buffers()->Get(uint32_t(option->buffer()))->dtype()) {
      case plan::DType::F32:
        *static_cast<float *>(place) = float(value);
        break;
      case plan::DType::I64:
        *static_cast<int64_t *>(place) = int64_t(value);
        break;
      case plan::DType::I32:
        *static_cast<int32_t *>(place) = int32_t(value);
        break;
      default:
        return corrupt("the plan's option `" + option->name()->str() + "` has an odd type");
      }
    }
  }
  DLM_TRY(run->push());
  DLM_TRY(run->start(initProgram));
  if (prepareProgram >= 0) DLM_TRY(run->start(prepareProgram));
  return run->pull();
}

std::vector<StateBinding> Session::state() const {
  std::vector<StateBinding> bindings;
  if (!plan->state()) return bindings;
  for (const plan::StateEntry *entry : *plan->state()) {
    StateBinding binding;
    binding.name = entry->name()->str();
    binding.dtype = toDType(entry->dtype());
    if (entry->shape()) binding.shape.assign(entry->shape()->begin(), entry->shape()->end());
    binding.sizeBytes = elementSizeBytes(binding.dtype);
    for (int64_t size : binding.shape)
      binding.sizeBytes *= uint64_t(size);
    binding.data = run->bufferAddress(entry->buffer()) + entry->offset();
    binding.isOfModel = entry->role() == plan::Role::Param || entry->role() == plan::Role::Buffer;
    bindings.push_back(std::move(binding));
  }
  return bindings;
}

int64_t Session::parameterCount() const {
  int64_t total = 0;
  for (size_t i = 0; plan->state() && i < plan->state()->size(); ++i) {
    const plan::StateEntry *entry = plan->state()->Get(unsigned(i));
    int64_t count = entry->role() == plan::Role::Param ? 1 : 0;
    for (size_t dim = 0; count && entry->shape() && dim < entry->shape()->size(); ++dim)
      count *= entry->shape()->Get(unsigned(dim));
    total += count;
  }
  return total;
}

Expected<BatchTarget> Session::target(int program, const std::vector<FieldSpec> &fields) const {
  const plan::Program *code = plan->programs()->Get(unsigned(program));
  BatchTarget target;
  target.rows = code->rows();
  target.fields.resize(fields.size(), nullptr);
  target.buffers.resize(fields.size(), -1);
  target.fieldBytes.resize(fields.size(), 0);
  if (target.rows < 1)
    return corrupt("the plan's program `" + code->name()->str() + "` has no batch");
  if (!code->signature()) return target;
  for (const plan::Field *entry : *code->signature()) {
    std::string name = fieldName(entry->name()->str());
    if (entry->buffer() >= plan->buffers()->size())
      return corrupt("the plan's field `" + name + "` has no buffer");
    uint64_t size = plan->buffers()->Get(entry->buffer())->size_bytes();
    if (name == "weight") {
      target.weightsBuffer = entry->buffer();
      continue;
    }
    if (name == "size") continue;
    bool isKnown = false;
    for (size_t i = 0; i < fields.size(); ++i) {
      if (fields[i].name != name) continue;
      isKnown = true;
      target.buffers[i] = entry->buffer();
      target.fieldBytes[i] = size_t(fields[i].sizeBytes()) * size_t(target.rows);
      if (target.fieldBytes[i] != size || fields[i].dtype != toDType(entry->dtype()))
        return corrupt("the plan's field `" + name + "` does not hold a batch of the data's");
    }
    if (!isKnown)
      return corrupt("the plan reads the field `" + name + "`, which its data does not have");
  }
  if (BufferView weights = run->find("batch.weight"); weights && target.weightsBuffer < 0)
    target.weightsBuffer = weights.id;
  return target;
}

Status Session::stage(BatchTarget &target) {
  DLM_TRY(run->stage());
  for (size_t i = 0; i < target.fields.size(); ++i)
    if (target.buffers[i] >= 0) target.fields[i] = run->stagedAddress(uint32_t(target.buffers[i]));
  if (target.weightsBuffer >= 0)
    target.weights = reinterpret_cast<float *>(run->stagedAddress(uint32_t(target.weightsBuffer)));
  return Status::ok();
}

Status Session::takeUpdate() {
  DLM_TRY(run->takeSnapshot());
  for (size_t i = 0; i < besideTerms.size(); ++i) {
    const std::string &name = reported[reportedLosses() + i].name;
    if (isRate(name) && *besideTerms[i] < 0)
      return invalidArgument(textOfRate(name, double(*besideTerms[i]), position().step));
  }
  return Status::ok();
}

Status Session::startUpdate() {
  DLM_TRY(run->start(updateProgram));
  return run->snapshot();
}

Expected<BatchTarget> Session::trainingTarget(const std::vector<FieldSpec> &fields,
                                              size_t update) const {
  return target(gradPrograms[update], fields);
}

unsigned Session::workerCount() const {
  unsigned most = run->workersOf(updateProgram);
  for (const std::vector<int> *programs : {&gradPrograms, &partPrograms})
    for (int program : *programs)
      most = std::max(most, run->workersOf(program));
  return most;
}

Expected<BatchTarget> Session::evaluationTarget(const std::vector<FieldSpec> &fields) const {
  return target(evalProgram, fields);
}

const std::vector<NamedValue> &Session::reportedValues() {
  size_t first = hasTotal ? 0 : 1; // where the terms stand in the list
  float sum = 0;
  for (size_t i = 0; i < termValues.size(); ++i) {
    reported[first + i].value = *termValues[i];
    sum = i ? sum + *termValues[i] : *termValues[i];
  }
  if (!hasTotal) reported[0].value = sum;
  for (size_t i = 0; i < besideTerms.size(); ++i)
    reported[reported.size() - besideTerms.size() + i].value = *besideTerms[i];
  for (NamedValue &value : reported)
    if (std::isnan(value.value)) value.value = std::fabs(value.value); // the sign means nothing
  return reported;
}

/// All samples in order, a batch at a time; `take` is called after each.
Status Session::runInOrder(const Dataset &dataset, BatchTarget &target, int program,
                           const std::atomic<int> &stop,
                           const std::function<Status(int64_t)> &take) {
  // Fields that the program does not read are copied to where nobody looks.
  std::vector<std::vector<uint8_t>> unused(target.fields.size());
  for (size_t i = 0; i < target.fields.size(); ++i) {
    if (target.buffers[i] >= 0) continue;
    unused[i].resize(size_t(dataset.fields()[i].sizeBytes()) * size_t(target.rows));
    target.fields[i] = unused[i].data();
  }
  for (int64_t first = 0; first < dataset.size(); first += target.rows) {
    if (stop) return Status::error(Code::Interrupted, "the evaluation was interrupted");
    DLM_TRY(stage(target));
    DLM_TRY(fillInOrder(dataset, first, target.rows, target.fields.data(), target.weights));
    DLM_TRY(run->start(program));
    DLM_TRY(take(std::min(target.rows, dataset.size() - first)));
  }
  return Status::ok();
}

std::vector<FieldSpec> Session::predictedFrom() const {
  std::vector<FieldSpec> fields;
  const plan::Program *program = plan->programs()->Get(unsigned(predictProgram));
  for (unsigned i = 0; program->signature() && i < program->signature()->size(); ++i) {
    std::string name = fieldName(program->signature()->Get(i)->name()->str());
    for (const auto &field : theRecipe.data->fields)
      if (fieldName(field->name) == name)
        fields.push_back({name, toDType(field->dtype), field->shape});
  }
  return fields;
}

Expected<std::vector<CommandValue>> Session::predictions() const {
  std::vector<CommandValue> values;
  for (const auto &command : theRecipe.commands) {
    if (command->program != PredictName) continue;
    for (const auto &result : command->results) {
      BufferView tensor = run->find("command." + command->name + "." + result->name);
      if (!tensor || tensor.shape.empty())
        return corrupt("the plan has no place for the prediction `" + result->name + "`");
      values.push_back({result->name, result->type.rfind("bool", 0) == 0, tensor});
    }
  }
  return values;
}

Status Session::predict(const Dataset &dataset, const std::atomic<int> &stop,
                        const std::function<Status(int64_t rows)> &take) {
  Expected<BatchTarget> found = target(predictProgram, dataset.fields());
  if (!found) return found.status();
  BatchTarget batch = found.take();
  Expected<std::vector<CommandValue>> values = predictions();
  if (!values) return values.status();
  std::vector<uint32_t> buffers;
  for (const CommandValue &value : *values) {
    if (value.tensor.shape[0] != batch.rows)
      return corrupt("the plan's prediction `" + value.name + "` is not of a batch");
    buffers.push_back(value.tensor.id);
  }
  if (predictBeginProgram >= 0) DLM_TRY(run->start(predictBeginProgram));
  return runInOrder(dataset, batch, predictProgram, stop, [&](int64_t rows) -> Status {
    DLM_TRY(run->pull(buffers));
    return take(rows);
  });
}

Expected<std::vector<NamedValue>> Session::evaluate(const Dataset &dataset,
                                                    const std::atomic<int> &stop) {
  Expected<BatchTarget> found = evaluationTarget(dataset.fields());
  if (!found) return found.status();
  BatchTarget target = found.take();
  if (target.weightsBuffer < 0 && dataset.size() % target.rows != 0)
    return corrupt("the plan's evaluation has no weights, so " + std::to_string(dataset.size()) +
                   " samples cannot be cut into batches of " + std::to_string(target.rows));
  DLM_TRY(run->start(evalBeginProgram));
  DLM_TRY(runInOrder(dataset, target, evalProgram, stop, [](int64_t) { return Status::ok(); }));
  DLM_TRY(run->start(evalEndProgram));
  DLM_TRY(run->pull(metricBuffers));
  if (evalCount && *evalCount != float(dataset.size()))
    return internalError("the metrics have seen " + std::to_string(*evalCount) + " samples of " +
                         std::to_string(dataset.size()));
  std::vector<NamedValue> values;
  for (size_t i = 0; i < metricValues.size(); ++i)
    values.push_back({theRecipe.metrics[i], *metricValues[i]});
  return values;
}

std::vector<ProgramOption> programOptions(const plan::Plan &plan) {
  std::vector<ProgramOption> options;
  if (!plan.options()) return options;
  for (const plan::Option *entry : *plan.options()) {
    ProgramOption option;
    option.name = entry->name()->str();
    option.doc = entry->doc() ? entry->doc()->str() : "";
    option.isInteger = entry->dtype() != plan::DType::F32;
    option.isRunTime = entry->run_time();
    option.value = entry->value();
    if (entry->kind()) option.kind = entry->kind()->str();
    if (entry->text()) option.text = entry->text()->str();
    if (entry->file() && entry->line())
      option.place = entry->file()->str() + ":" + std::to_string(entry->line());
    option.isGiven = entry->is_given();
    for (unsigned i = 0; entry->tests() && i < entry->tests()->size(); ++i) {
      plan::CommandTestT test;
      entry->tests()->Get(i)->UnPackTo(&test);
      option.tests.push_back({test.op, test.bound, test.message});
    }
    options.push_back(std::move(option));
  }
  int batch = plan.recipe() ? plan.recipe()->batch_option() : -1;
  if (batch >= 0) options[size_t(batch)].multipleOf = plan.recipe()->micro();
  findCommandsOf(plan, options);
  return options;
}

Expected<DataSpec> dataSpecOf(const plan::RecipeT &recipe,
                              const std::map<std::string, std::string> &overrides) {
  if (!recipe.data) return corrupt("the plan does not say what data it reads");
  const plan::DataSourceT &data = *recipe.data;
  DataSpec spec;
  spec.name = data.name;
  spec.kind = data.kind;
  spec.path = data.path;
  spec.validationPath = data.validation_path;
  spec.testPath = data.test_path;
  spec.facts = data.facts;
  spec.classes = data.classes;
  spec.arePartsMixed = data.order == "mixed";
  spec.fittedFields = data.fitted_fields;
  spec.fittedHash = data.fitted_hash;
  spec.counts[int(Split::Train)] = data.train_count;
  spec.counts[int(Split::Validation)] = data.validation_count;
  spec.counts[int(Split::Test)] = data.test_count;
  for (const auto &field : data.fields)
    spec.fields.push_back({fieldName(field->name), toDType(field->dtype), field->shape});
  for (const auto &[name, path] : overrides) {
    if (!name.empty() && name != data.name)
      return invalidArgument("--data " + name + "=" + path + ": this program has no data named `" +
                             name + "`; it has `" + data.name + "`");
    spec.path = path;
    spec.isReplaced = true;
  }
  for (const auto &file : data.files)
    spec.files.push_back({file->name, file->size_bytes, file->xxh3});
  return spec;
}

} // namespace dlm
