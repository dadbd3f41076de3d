// From the tables of a plan to facts about the program.
#include "runtime/launch/ProgramFacts.h"

#include "runtime/data/DataMemory.h"
#include "runtime/data/TableSource.h"
#include "runtime/driver/Durations.h"
#include "runtime/launch/ResumePoint.h"

#include <algorithm>
#include <map>

namespace dlm {

namespace {

std::string originText(const plan::OriginT &origin) {
  return origin.file.empty() ? "default" : origin.file + ":" + std::to_string(origin.line);
}

/// The settings of the program, as flags of the command line leave them.
void addSettings(const CommandLine &line, const plan::RecipeT &recipe, ProgramFacts &facts) {
  std::map<std::string, std::pair<std::string, std::string>> given; // value and flag
  if (line.steps) given["duration"] = {std::to_string(*line.steps) + " steps", "--steps"};
  if (line.duration) given["duration"] = {quantityText(&*line.duration), "--duration"};
  if (line.seed) given["seed"] = {std::to_string(*line.seed), "--seed"};
  if (line.to) given["checkpoint.to"] = {*line.to, "--to"};
  for (const auto &origin : recipe.settings) {
    auto flag = given.find(origin->name);
    if (flag == given.end())
      facts.settings.push_back({origin->name, origin->text, originText(*origin)});
    else
      facts.settings.push_back({origin->name, flag->second.first, flag->second.second});
  }
}

void addOptions(const CommandContext &context, ProgramFacts &facts) {
  for (const ProgramOption &option : context.options) {
    OptionFact fact{option, option.isGiven ? "-D" : option.place};
    auto given = context.line.options.find(option.name);
    if (given != context.line.options.end()) {
      fact.option.value = given->second;
      fact.origin = "--" + option.name;
    }
    facts.options.push_back(std::move(fact));
  }
}

uint64_t bytesOf(const plan::StateEntry &entry, int64_t count) {
  return uint64_t(count) * elementSizeBytes(static_cast<DType>(uint8_t(entry.dtype())));
}

void addParameters(const plan::Plan &plan, const plan::RecipeT &recipe, ProgramFacts &facts) {
  std::map<std::string, const plan::OriginT *> origins;
  for (const auto &origin : recipe.parameters)
    origins[origin->name] = origin.get();
  for (unsigned i = 0; plan.state() && i < plan.state()->size(); ++i) {
    const plan::StateEntry &entry = *plan.state()->Get(i);
    ParameterFact fact;
    fact.count = 1;
    fact.type = std::string(plan::EnumNameDType(entry.dtype())) + "[";
    std::transform(fact.type.begin(), fact.type.end(), fact.type.begin(), ::tolower);
    for (unsigned dim = 0; entry.shape() && dim < entry.shape()->size(); ++dim) {
      fact.shape.push_back(entry.shape()->Get(dim));
      fact.count *= fact.shape.back();
      fact.type += (dim ? ", " : "") + std::to_string(fact.shape.back());
    }
    fact.type += "]";
    uint64_t bytes = bytesOf(entry, fact.count);
    facts.checkpointBytes += bytes;
    bool isBuffer = entry.role() == plan::Role::Buffer;
    if (entry.role() != plan::Role::Param && !isBuffer) continue;
    facts.parameterCount += isBuffer ? 0 : fact.count;
    facts.parameterBytes += isBuffer ? 0 : bytes;
    fact.path = entry.name()->str();
    size_t dot = fact.path.rfind('.');
    fact.layer = dot == std::string::npos ? "" : fact.path.substr(0, dot);
    auto origin = origins.find(fact.path);
    if (origin != origins.end()) {
      fact.initialiser = origin->second->text;
      fact.place = originText(*origin->second);
    }
    (isBuffer ? facts.buffers : facts.parameters).push_back(std::move(fact));
  }
}

void addWorkOf(const plan::Plan &plan, const std::string &name, int64_t runs,
               std::vector<WorkFact> &facts) {
  const plan::Program *program = findProgram(plan, name);
  if (!program) return;
  WorkFact fact;
  fact.program = name;
  fact.runs = runs;
  for (const Work &work : workOf(plan, *program)) {
    ++fact.instructions;
    fact.flops += work.flops * double(runs);
    fact.read += work.read * double(runs);
    fact.written += work.written * double(runs);
  }
  facts.push_back(std::move(fact));
}

void addMemory(const plan::Plan &plan, ProgramFacts &facts) {
  static const std::map<plan::ArenaKind, const char *> names = {
      {plan::ArenaKind::Persistent, "parameters, state of the optimizer, results"},
      {plan::ArenaKind::Gradients, "gradients"},
      {plan::ArenaKind::Transient, "intermediate values"},
      {plan::ArenaKind::Session, "state of an evaluation"},
      {plan::ArenaKind::Staging, "batches"},
      {plan::ArenaKind::Host, "on the host"}};
  for (unsigned i = 0; plan.arenas() && i < plan.arenas()->size(); ++i) {
    const plan::Arena &arena = *plan.arenas()->Get(i);
    auto name = names.find(arena.kind());
    std::string what = name == names.end() ? plan::EnumNameArenaKind(arena.kind()) : name->second;
    if (arena.size_bytes() > 0 && !arena.per_thread())
      facts.arenas.push_back({what, "", "", arena.size_bytes()});
  }
  for (unsigned i = 0; plan.buffers() && i < plan.buffers()->size(); ++i) {
    const plan::Buffer &buffer = *plan.buffers()->Get(i);
    std::string name = buffer.name() ? buffer.name()->str() : "";
    if (name == "params" || name.rfind("params.", 0) == 0) facts.flatBytes += buffer.size_bytes();
  }
  const plan::MemoryReport *report = plan.report();
  for (unsigned i = 0; report && report->lines() && i < report->lines()->size(); ++i) {
    const plan::MemoryLine &line = *report->lines()->Get(i);
    facts.largest.push_back({line.what() ? line.what()->str() : "", placeOf(plan, line.location()),
                             layerOf(plan, line.location()), line.size_bytes()});
  }
}

} // namespace

WorkFact ProgramFacts::step() const {
  WorkFact sum;
  for (const WorkFact &fact : work) {
    if (fact.program == "eval") continue;
    sum.instructions += fact.instructions;
    sum.flops += fact.flops;
    sum.read += fact.read;
    sum.written += fact.written;
  }
  return sum;
}

ProgramFacts factsOf(const CommandContext &context, const plan::RecipeT &recipe) {
  const plan::Plan &plan = context.plan;
  ProgramFacts facts;
  addSettings(context.line, recipe, facts);
  addOptions(context, facts);
  addParameters(plan, recipe, facts);
  ResumePoint start = startOf({recipe, context.options, context.line, ""});
  facts.batch = start.overrides.batch ? start.overrides.batch : int64_t(recipe.batch);
  int64_t trainCount = recipe.data ? recipe.data->train_count : 0;
  Expected<RunSchedule> schedule =
      makeSchedule(recipe, start.overrides, trainCount, facts.scheduleNote);
  if (schedule)
    facts.steps = schedule->steps;
  else
    facts.scheduleNote = schedule.status().message();
  if (recipe.data) facts.dataPath = recipe.data->path;
  if (Expected<DataSpec> data = dataSpecOf(recipe, {})) {
    facts.categories = categoriesOf(*data);
    facts.numberColumns = numberColumns(*data);
  }
  facts.fitted = fittedFacts(plan, facts.numberColumns);
  if (recipe.data)
    for (const auto &[name, path] : context.line.data)
      if (name.empty() || name == recipe.data->name) facts.dataPath = path;
  int64_t microBatches = facts.batch / std::max<int64_t>(1, recipe.micro);
  for (const StepProgram &each : programsOfStep(plan.recipe(), std::max<int64_t>(1, microBatches)))
    addWorkOf(plan, each.name, each.runs, facts.work);
  addWorkOf(plan, "eval", 1, facts.work);
  addWorkOf(plan, "sample_train", 1, facts.sampleWork);
  addWorkOf(plan, "sample_eval", 1, facts.sampleWork);
  facts.threadBytes = threadBytes(plan);
  addMemory(plan, facts);
  if (Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data))
    facts.dataBytes = dataBytes(*spec);
  return facts;
}

} // namespace dlm
