// `info --json`: everything that the text says, and the numbers behind it.
#include "runtime/abi/PlanTargets.h"
#include "runtime/driver/Durations.h"
#include "runtime/launch/ProgramFacts.h"
#include "runtime/launch/RunIdentity.h"
#include "runtime/metrics/JsonLines.h"

namespace dlm {

namespace {

/// An object or a list that is put together part by part.
class JsonWriter {
public:
  explicit JsonWriter(char open) : text(1, open), close(open == '{' ? '}' : ']') {}

  JsonWriter &raw(const std::string &value) {
    text += (text.size() > 1 ? "," : "") + value;
    return *this;
  }
  JsonWriter &raw(const char *name, const std::string &value) {
    return raw(jsonText(name) + ":" + value);
  }
  JsonWriter &add(const char *name, const std::string &value) { return raw(name, jsonText(value)); }
  JsonWriter &add(const char *name, int64_t value) { return raw(name, std::to_string(value)); }
  JsonWriter &flag(const char *name, bool value) { return raw(name, value ? "true" : "false"); }
  std::string get() const { return text + close; }

private:
  std::string text;
  char close;
};

std::string optionJson(const ProgramOption &option) {
  if (option.kind.empty()) return jsonNumber(option.value);
  return option.kind == "bool" ? option.text : jsonText(option.text);
}

std::string gradeJson(const plan::GradeT &grade) {
  JsonWriter json('{');
  json.add("name", grade.name).add("of", grade.is_metric ? "metrics" : "loss");
  json.add("grade", grade.grade);
  if (!grade.file.empty())
    json.add("file", grade.file).add("line", int64_t(grade.line)).add("text", grade.text);
  if (!grade.layer.empty()) json.add("layer", grade.layer);
  return json.get();
}

std::string dataJson(const plan::DataSourceT &data, const ProgramFacts &facts) {
  JsonWriter json('{');
  json.add("name", data.name).add("kind", data.kind).add("path", facts.dataPath);
  if (!data.validation_path.empty()) json.add("validation_path", data.validation_path);
  if (!data.test_path.empty()) json.add("test_path", data.test_path);
  json.add("train", data.train_count).add("validation", data.validation_count);
  json.add("test", data.test_count);
  if (data.order == "mixed") json.add("split", "shuffled");
  JsonWriter categories('{');
  for (const NamedIds &ids : facts.categories) {
    JsonWriter names('[');
    for (const std::string &name : ids.names)
      names.raw(jsonText(name));
    categories.raw(ids.column.c_str(), names.get());
  }
  return json.raw("categories", categories.get()).get();
}

std::string shapeJson(const std::vector<int64_t> &shape) {
  JsonWriter json('[');
  for (int64_t size : shape)
    json.raw(std::to_string(size));
  return json.get();
}

/// `[{"op": ">", "bound": 0, "text": "..."}]`.
std::string testsJson(const std::vector<ValueTest> &tests) {
  JsonWriter json('[');
  for (const ValueTest &test : tests)
    json.raw(JsonWriter('{')
                 .add("op", test.op)
                 .raw("bound", jsonNumber(test.bound))
                 .add("text", test.message)
                 .get());
  return json.get();
}

std::string optionsJson(const ProgramFacts &facts) {
  JsonWriter json('{');
  for (const OptionFact &fact : facts.options) {
    JsonWriter entry('{');
    entry.raw("value", optionJson(fact.option)).add("type", optionType(fact.option));
    entry.flag("run_time", fact.option.isRunTime).add("doc", fact.option.doc);
    entry.add("origin", fact.origin);
    if (!fact.option.tests.empty()) entry.raw("tests", testsJson(fact.option.tests));
    if (fact.option.commands) {
      JsonWriter commands('[');
      for (const std::string &command : *fact.option.commands)
        commands.raw(jsonText(command));
      entry.raw("commands", commands.get());
    }
    json.raw(fact.option.name.c_str(), entry.get());
  }
  return json.get();
}

std::string parametersJson(const std::vector<ParameterFact> &facts, bool isDetailed) {
  JsonWriter json(isDetailed ? '[' : '{');
  for (const ParameterFact &fact : facts) {
    if (!isDetailed) {
      json.raw(fact.path.c_str(), shapeJson(fact.shape));
      continue;
    }
    JsonWriter entry('{');
    entry.add("path", fact.path).add("layer", fact.layer).add("type", fact.type);
    entry.add("count", fact.count).add("initialiser", fact.initialiser);
    json.raw(entry.add("origin", fact.place).get());
  }
  return json.get();
}

std::string workJson(const WorkFact &fact) {
  JsonWriter json('{');
  if (!fact.program.empty()) json.add("program", fact.program).add("runs", fact.runs);
  json.add("instructions", fact.instructions).raw("flops", jsonNumber(fact.flops));
  json.raw("bytes_read", jsonNumber(fact.read)).raw("bytes_written", jsonNumber(fact.written));
  return json.get();
}

std::string memoryJson(const std::vector<MemoryFact> &facts) {
  JsonWriter json('[');
  for (const MemoryFact &fact : facts) {
    JsonWriter entry('{');
    entry.add("what", fact.what).add("bytes", int64_t(fact.bytes));
    if (!fact.place.empty()) entry.add("source", fact.place);
    if (!fact.layer.empty()) entry.add("layer", fact.layer);
    json.raw(entry.get());
  }
  return json.get();
}

} // namespace

std::string infoJson(const CommandContext &context, const plan::RecipeT &recipe,
                     const ProgramFacts &facts) {
  const plan::Plan &plan = context.plan;
  JsonWriter json('{');
  json.add("program", recipe.name).add("build", plan.build() ? plan.build()->str() : "");
  json.add("cpu", plan.cpu() ? plan.cpu()->str() : "");
  json.add("target", std::string(isDevicePlan(plan) ? DeviceTarget : CpuTarget));
  JsonWriter images('['), grades('['), settings('['), work('[');
  for (const std::string &image : context.images)
    images.raw(jsonText(image));
  json.raw("images", images.get()).add("source_hash", sourceHashOf(plan));
  json.add("batch", facts.batch).add("micro", int64_t(recipe.micro));
  json.flag("coupled", recipe.coupled);
  for (const auto &grade : recipe.grades)
    grades.raw(gradeJson(*grade));
  json.raw("grades", grades.get());
  json.raw("seed", std::to_string(context.line.seed.value_or(recipe.seed)));
  json.raw("steps", facts.steps ? std::to_string(facts.steps) : "null");
  for (const ValueFact &fact : facts.settings)
    settings.raw(JsonWriter('{')
                     .add("name", fact.name)
                     .add("value", fact.value)
                     .add("origin", fact.origin)
                     .get());
  json.raw("settings", settings.get());
  json.raw("memory_bytes", std::to_string(arenaBytes(plan)));
  json.raw("data_bytes", std::to_string(facts.dataBytes));
  json.raw("memory", memoryJson(facts.arenas)).raw("largest", memoryJson(facts.largest));
  json.add("checkpoint_to", context.line.to.value_or(checkpointFolder(recipe)));
  json.raw("checkpoint_bytes", std::to_string(facts.checkpointBytes));
  if (recipe.data) json.raw("data", dataJson(*recipe.data, facts));
  JsonWriter commands('[');
  for (const DeclaredCommand &command : context.commands)
    commands.raw(JsonWriter('{').add("name", command.name).add("doc", command.doc).get());
  json.raw("commands", commands.get());
  json.raw("options", optionsJson(facts))
      .raw("parameters", parametersJson(facts.parameters, false));
  json.raw("parameter_list", parametersJson(facts.parameters, true));
  json.raw("buffer_list", parametersJson(facts.buffers, true));
  json.raw("fitted", fittedJson(facts.fitted, facts.numberColumns));
  json.add("parameter_count", facts.parameterCount);
  json.add("parameter_bytes_in_memory", int64_t(facts.flatBytes));
  for (const WorkFact &fact : facts.work)
    work.raw(workJson(fact));
  if (!facts.sampleWork.empty()) {
    JsonWriter samples('[');
    for (const WorkFact &fact : facts.sampleWork)
      samples.raw(workJson(fact));
    json.raw("sample_work", samples.get()).raw("thread_bytes", std::to_string(facts.threadBytes));
  }
  return json.raw("step", workJson(facts.step())).raw("work", work.get()).get() + "\n";
}

} // namespace dlm
