// `info`: what the program is, from its plan and the command line.
#include "runtime/launch/FittedFacts.h"
#include "runtime/launch/ProgramFacts.h"
#include "runtime/launch/TextTable.h"
#include "runtime/metrics/TextProgress.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>

namespace dlm {

namespace {

std::string percent(double part, double whole) {
  char text[16];
  std::snprintf(text, sizeof text, "%.1f%%", whole > 0 ? 100 * part / whole : 0);
  return text;
}

/// "1.52 GFLOP".
std::string flopsText(double flops) {
  static constexpr const char *units[] = {"FLOP", "kFLOP", "MFLOP", "GFLOP", "TFLOP"};
  size_t unit = 0;
  for (; unit + 1 < sizeof units / sizeof *units && flops >= 1000; ++unit)
    flops /= 1000;
  char text[32];
  std::snprintf(text, sizeof text, "%.3g %s", flops, units[unit]);
  return text;
}

/// "coupled, from net.dlm:14 in `net.norm`: `x - mean(x)`".
std::string gradeText(const plan::GradeT &grade) {
  static const std::map<std::string, const char *> words = {
      {"constant", "no samples"},
      {"row", "sample by sample"},
      {"sum", "a sum over samples"},
      {"counted", "a sum over samples, divided by a count of the whole batch"},
      {"coupled", "coupled"}};
  auto found = words.find(grade.grade);
  std::string text = found == words.end() ? grade.grade : found->second;
  if (grade.file.empty()) return text;
  text += ", from " + grade.file + ":" + std::to_string(grade.line);
  if (!grade.layer.empty()) text += " in `" + grade.layer + "`";
  return text + ": `" + grade.text + "`";
}

/// "kind: cheap, dear", or the first names and how many there are.
std::string categoryText(const NamedIds &ids) {
  constexpr size_t ShownMax = 60;
  std::string text = ids.column + ": ";
  for (size_t i = 0; i < ids.names.size(); ++i) {
    if (i > 0 && text.size() + ids.names[i].size() > ShownMax)
      return text + ", ... (" + countText(int64_t(ids.names.size())) + " in all)";
    text += (i ? ", " : "") + (ids.names[i].empty() ? "(none)" : ids.names[i]);
  }
  return text;
}

/// "x: f32[784], label: i32".
std::string fieldsText(const std::vector<std::unique_ptr<plan::FieldT>> &fields) {
  std::string text;
  for (const auto &field : fields) {
    std::string type = plan::EnumNameDType(field->dtype), shape;
    std::transform(type.begin(), type.end(), type.begin(), ::tolower);
    for (int64_t size : field->shape)
      shape += (shape.empty() ? "[" : ", ") + std::to_string(size);
    text +=
        (text.empty() ? "" : ", ") + field->name + ": " + type + shape + (shape.empty() ? "" : "]");
  }
  return text;
}

class InfoText {
public:
  InfoText(const CommandContext &context, const plan::RecipeT &recipe, const ProgramFacts &facts)
      : out(context.surroundings.out), context(context), recipe(recipe), facts(facts) {}

  void print() {
    std::fputs(versionText(context.plan, context.images).c_str(), out);
    std::fputs("\n", out);
    printRun();
    printValues();
    printCommands();
    printGrades();
    printParameters();
    printBuffers();
    printFitted();
    printWork();
    printMemory();
  }

private:
  void fact(const char *name, const std::string &value) {
    if (!value.empty()) std::fprintf(out, "%-14s %s\n", name, value.c_str());
  }
  void heading(const std::string &text) { std::fprintf(out, "\n%s\n", text.c_str()); }

  void printRun() {
    if (const plan::DataSourceT *data = recipe.data.get()) {
      fact("data", data->name + ": " + data->kind + " in " + facts.dataPath);
      if (!data->validation_path.empty()) fact("", "validation in " + data->validation_path);
      if (!data->test_path.empty()) fact("", "test in " + data->test_path);
      fact("samples", countText(data->train_count) + " train, " +
                          countText(data->validation_count) + " validation, " +
                          countText(data->test_count) + " test" +
                          (data->order == "mixed" ? ", cut from all over the file" : ""));
      if (!data->mapped.empty()) {
        fact("map", "makes " + fieldsText(data->mapped));
        fact("", "of " + fieldsText(data->fields));
      }
    }
    for (const NamedIds &ids : facts.categories)
      fact(&ids == &facts.categories[0] ? "categories" : "", categoryText(ids));
    std::string batch = std::to_string(facts.batch) + " samples";
    int64_t parts = facts.batch / std::max<int64_t>(1, recipe.micro);
    if (parts > 1)
      batch += ", in " + std::to_string(parts) + " parts of " + std::to_string(recipe.micro);
    fact("batch", batch);
    fact("loss", recipe.coupled
                     ? "coupled: samples of a batch influence each other, it is not split"
                     : "a sum over samples: parts of a batch add up to the whole");
    if (facts.steps) fact("run", countText(facts.steps) + " steps");
    if (!facts.scheduleNote.empty()) fact("note", facts.scheduleNote);
    fact("checkpoints", bytesText(double(facts.checkpointBytes)) + " each, in " +
                            context.line.to.value_or(checkpointFolder(recipe)));
  }

  void printValues() {
    TextTable settings("lll");
    for (const ValueFact &value : facts.settings)
      settings.add({value.name, value.value, value.origin});
    if (!settings.isEmpty()) heading("settings, and where each is from");
    settings.print(out);
    TextTable options("llllll");
    for (const OptionFact &each : facts.options)
      options.add({(each.option.isRunTime ? "--" : "") + each.option.name, optionValue(each.option),
                   optionType(each.option), optionRange(each.option), each.origin,
                   each.option.doc});
    if (!options.isEmpty()) heading("options (with `--` for a run, the others by `dlmc -D`)");
    options.print(out);
  }

  void printCommands() {
    TextTable table("ll");
    for (const DeclaredCommand &command : context.commands)
      table.add({command.name, command.doc});
    if (!table.isEmpty()) heading("commands of the program");
    table.print(out);
  }

  void printGrades() {
    TextTable table("lll");
    for (const auto &grade : recipe.grades)
      table.add({grade->name, grade->is_metric ? "metric" : "loss", gradeText(*grade)});
    if (!table.isEmpty()) heading("how results depend on the samples of a batch");
    table.print(out);
  }

  /// Each layer with what it has in all, then its parameters.
  void printParameters() {
    heading(countText(facts.parameterCount) + " parameters, " +
            bytesText(double(facts.parameterBytes)));
    std::map<std::string, int64_t> counts;
    for (const ParameterFact &each : facts.parameters)
      counts[each.layer] += each.count;
    TextTable table("llrrll");
    const std::string *layer = nullptr;
    for (const ParameterFact &each : facts.parameters) {
      bool isNamed = !each.layer.empty();
      if (isNamed && (!layer || *layer != each.layer))
        table.add({each.layer, "", countText(counts[each.layer]),
                   percent(double(counts[each.layer]), double(facts.parameterCount))});
      layer = &each.layer;
      std::string name = isNamed ? "  " + each.path.substr(each.layer.size() + 1) : each.path;
      table.add({name, each.type, countText(each.count),
                 isNamed ? "" : percent(double(each.count), double(facts.parameterCount)),
                 each.initialiser, each.place});
    }
    table.print(out);
  }

  void printBuffers() {
    TextTable table("lllll");
    for (const ParameterFact &each : facts.buffers)
      table.add({each.path, each.type, each.initialiser, each.place,
                 fitted(each.path) ? "from the training samples" : ""});
    if (!table.isEmpty()) heading("buffers, which are stored and not trained");
    table.print(out);
  }

  void printFitted() {
    TextTable table = fittedTable(facts.fitted, facts.numberColumns);
    if (!table.isEmpty()) heading("computed from the training samples by `data.fit`");
    table.print(out);
  }

  /// Whether the plan says what it starts with.
  bool fitted(const std::string &path) const {
    return std::any_of(facts.fitted.begin(), facts.fitted.end(),
                       [&](const FittedFact &fact) { return fact.path == path; });
  }

  void printWork() {
    heading("work of a step of " + std::to_string(facts.batch) + " samples" +
            (findProgram(context.plan, "eval") ? ", and of a batch of an evaluation" : ""));
    TextTable table = workTable();
    auto add = [&](const std::string &name, const WorkFact &work) { addWork(table, name, work); };
    for (const WorkFact &work : facts.work) {
      if (work.program == "eval") add("step", facts.step());
      add(work.program + (work.runs > 1 ? ", " + std::to_string(work.runs) + " times" : ""), work);
    }
    if (!findProgram(context.plan, "eval")) add("step", facts.step());
    table.print(out);
    if (facts.sampleWork.empty()) return;
    heading("work of a sample that `data.map` makes, on a thread of the loader");
    TextTable samples = workTable();
    for (const WorkFact &work : facts.sampleWork)
      addWork(samples, work.program == "sample_train" ? "in training" : "in an evaluation", work);
    samples.print(out);
  }

  static TextTable workTable() {
    TextTable table("lrrrr");
    table.add({"", "instructions", "operations", "read", "written"});
    return table;
  }
  static void addWork(TextTable &table, const std::string &name, const WorkFact &work) {
    table.add({name, countText(work.instructions), flopsText(work.flops), bytesText(work.read),
               bytesText(work.written)});
  }

  void printMemory() {
    auto total = double(arenaBytes(context.plan));
    heading(bytesText(total) + " of memory planned");
    TextTable arenas("rrl");
    for (const MemoryFact &each : facts.arenas)
      arenas.add({bytesText(double(each.bytes)), percent(double(each.bytes), total), each.what});
    arenas.add({bytesText(double(facts.checkpointBytes)), "",
                "beside it in train: a snapshot of the state, for saving while training goes on"});
    if (recipe.data)
      arenas.add({bytesText(double(facts.dataBytes)), "",
                  "beside it: samples of `" + recipe.data->name + "` that are kept in memory"});
    if (facts.threadBytes)
      arenas.add({bytesText(double(facts.threadBytes)), "",
                  "beside it for each thread that makes samples: those of the loader, and one"});
    arenas.print(out);
    if (facts.flatBytes > facts.parameterBytes + facts.parameterBytes / 10)
      std::fprintf(out,
                   "The %s of parameters lie in %s, as each tensor begins at a multiple of 2,048 "
                   "numbers;\ntheir gradients and the state of the optimizer lie likewise.\n",
                   bytesText(double(facts.parameterBytes)).c_str(),
                   bytesText(double(facts.flatBytes)).c_str());
    TextTable largest("rlll");
    for (const MemoryFact &each : facts.largest)
      largest.add({bytesText(double(each.bytes)), each.what, each.place, each.layer});
    if (!largest.isEmpty()) heading("the largest tensors (intermediate values share memory)");
    largest.print(out);
  }

  std::FILE *out;
  const CommandContext &context;
  const plan::RecipeT &recipe;
  const ProgramFacts &facts;
};

} // namespace

Status infoCommand(const CommandContext &context) {
  std::FILE *out = context.surroundings.out;
  if (!context.plan.recipe()) return corrupt("the plan has no recipe");
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  if (context.line.from) return listCheckpoints(context);
  Expected<DataSpec> data = dataSpecOf(recipe, context.line.data); // a name that is none
  if (!data && recipe.data) return data.status();
  if (context.line.plan) {
    std::fputs(planText(context.plan).c_str(), out);
  } else {
    ProgramFacts facts = factsOf(context, recipe);
    if (context.line.json)
      std::fputs(infoJson(context, recipe, facts).c_str(), out);
    else
      InfoText(context, recipe, facts).print();
  }
  return Status::ok();
}

} // namespace dlm
