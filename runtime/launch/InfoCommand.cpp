// `info`: what the program is, from its plan alone.
#include "runtime/abi/PlanTargets.h"
#include "runtime/launch/Commands.h"
#include "runtime/metrics/JsonLines.h"

#include <cerrno>
#include <cstdio>
#include <map>

namespace dlm {

namespace {

std::string quantityText(const plan::QuantityT *quantity) {
  if (!quantity || quantity->unit == plan::Unit::None) return "";
  char text[48];
  std::snprintf(text, sizeof text, "%.10g", quantity->value);
  switch (quantity->unit) {
  case plan::Unit::Steps:
    return std::string(text) + " steps";
  case plan::Unit::Epochs:
    return std::string(text) + " epochs";
  case plan::Unit::Samples:
    return std::string(text) + " samples";
  default:
    return std::string(text) + " ms";
  }
}

std::string stateShape(const plan::StateEntry &entry) {
  std::string text = std::string(plan::EnumNameDType(entry.dtype())) + "[";
  for (unsigned i = 0; entry.shape() && i < entry.shape()->size(); ++i)
    text += (i ? ", " : "") + std::to_string(entry.shape()->Get(i));
  return text + "]";
}

int64_t stateCount(const plan::StateEntry &entry) {
  int64_t count = 1;
  for (unsigned i = 0; entry.shape() && i < entry.shape()->size(); ++i)
    count *= entry.shape()->Get(i);
  return count;
}

std::string bytesText(uint64_t bytes) {
  char text[32];
  if (bytes < 1024)
    std::snprintf(text, sizeof text, "%llu bytes", static_cast<unsigned long long>(bytes));
  else if (bytes < (uint64_t(1) << 20))
    std::snprintf(text, sizeof text, "%.1f KiB", double(bytes) / 1024);
  else
    std::snprintf(text, sizeof text, "%.1f MiB", double(bytes) / (1 << 20));
  return text;
}

uint64_t arenaBytes(const plan::Plan &plan) {
  uint64_t total = 0;
  for (unsigned i = 0; plan.arenas() && i < plan.arenas()->size(); ++i)
    total += plan.arenas()->Get(i)->size_bytes();
  return total;
}

void printFact(std::FILE *out, const char *name, const std::string &value) {
  if (!value.empty()) std::fprintf(out, "%-14s %s\n", name, value.c_str());
}

void printParameters(std::FILE *out, const plan::Plan &plan) {
  int64_t total = 0;
  for (unsigned i = 0; plan.state() && i < plan.state()->size(); ++i) {
    const plan::StateEntry *entry = plan.state()->Get(i);
    if (entry->role() == plan::Role::Param) total += stateCount(*entry);
  }
  std::fprintf(out, "\n%lld parameters:\n", static_cast<long long>(total));
  for (unsigned i = 0; plan.state() && i < plan.state()->size(); ++i) {
    const plan::StateEntry *entry = plan.state()->Get(i);
    if (entry->role() == plan::Role::Param)
      std::fprintf(out, "  %-28s %-20s %lld\n", entry->name()->c_str(), stateShape(*entry).c_str(),
                   static_cast<long long>(stateCount(*entry)));
  }
}

void printOptions(std::FILE *out, const std::vector<ProgramOption> &options) {
  if (!options.empty()) std::fputs("\noptions:\n", out);
  for (const ProgramOption &option : options)
    std::fprintf(out, "  %-20s %-12s %-8s %-12s%s%s\n", option.name.c_str(),
                 optionValue(option).c_str(), optionType(option).c_str(),
                 option.isRunTime ? "run-time" : "compile-time", option.doc.empty() ? "" : " ",
                 option.doc.c_str());
}

void printMemory(std::FILE *out, const plan::Plan &plan) {
  std::fprintf(out, "\n%s of memory planned\n", bytesText(arenaBytes(plan)).c_str());
  const plan::MemoryReport *report = plan.report();
  for (unsigned i = 0; report && report->lines() && i < report->lines()->size(); ++i) {
    const plan::MemoryLine *memory = report->lines()->Get(i);
    std::string place;
    if (plan.locations() && memory->location() < plan.locations()->size()) {
      const plan::Location *location = plan.locations()->Get(memory->location());
      if (location->file() && location->line() > 0)
        place = location->file()->str() + ":" + std::to_string(location->line());
    }
    std::fprintf(out, "  %-12s %-28s %s\n", bytesText(memory->size_bytes()).c_str(),
                 memory->what() ? memory->what()->c_str() : "", place.c_str());
  }
}

/// "coupled at net.dlm:14, in `net.norm`: `x - mean(x)`".
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

void printGrades(std::FILE *out, const plan::RecipeT &recipe) {
  if (recipe.grades.empty()) return;
  std::fputs("\nhow results depend on the samples of a batch:\n", out);
  for (const auto &grade : recipe.grades)
    std::fprintf(out, "  %-20s %-8s %s\n", grade->name.c_str(),
                 grade->is_metric ? "metric" : "loss", gradeText(*grade).c_str());
}

void printText(const CommandContext &context, const plan::RecipeT &recipe) {
  std::FILE *out = context.surroundings.out;
  const plan::Plan &plan = context.plan;
  std::fputs(versionText(plan, context.images).c_str(), out);
  std::fputs("\n", out);
  if (recipe.data) {
    printFact(out, "data",
              recipe.data->name + ": " + recipe.data->kind + " in " + recipe.data->path);
    printFact(out, "samples",
              std::to_string(recipe.data->train_count) + " train, " +
                  std::to_string(recipe.data->validation_count) + " validation, " +
                  std::to_string(recipe.data->test_count) + " test");
  }
  printFact(out, "batch",
            std::to_string(recipe.batch) + " samples, in micro-batches of " +
                std::to_string(recipe.micro));
  printFact(out, "loss",
            recipe.coupled ? "coupled: samples of a batch influence each other, it is not split"
                           : "a sum over samples: micro-batches add up to the batch");
  printFact(out, "duration", quantityText(recipe.duration.get()));
  std::string every = quantityText(recipe.evaluate_every.get());
  printFact(out, "evaluates", every.empty() ? "at the end" : "every " + every);
  every = quantityText(recipe.checkpoint_every.get());
  printFact(out, "checkpoints",
            (every.empty() ? "every 10 min" : "every " + every) + ", to " +
                checkpointFolder(recipe));
  printFact(out, "seed", std::to_string(recipe.seed));
  printGrades(out, recipe);
  printOptions(out, context.options);
  printParameters(out, plan);
  printMemory(out, plan);
  std::fputs("\ninstructions:", out);
  for (unsigned i = 0; plan.programs() && i < plan.programs()->size(); ++i) {
    const plan::Program *program = plan.programs()->Get(i);
    std::fprintf(out, "%s %s %u", i ? "," : "", program->name()->c_str(),
                 program->code() ? program->code()->size() : 0);
  }
  std::fputs("\n", out);
}

std::string optionJson(const ProgramOption &option) {
  if (option.kind.empty()) return jsonNumber(option.value);
  return option.kind == "bool" ? option.text : jsonText(option.text);
}

std::string gradeJson(const plan::GradeT &grade) {
  std::string text = "{\"name\":" + jsonText(grade.name);
  text += std::string(",\"of\":") + (grade.is_metric ? "\"metrics\"" : "\"loss\"");
  text += ",\"grade\":" + jsonText(grade.grade);
  if (!grade.file.empty())
    text += ",\"file\":" + jsonText(grade.file) + ",\"line\":" + std::to_string(grade.line) +
            ",\"text\":" + jsonText(grade.text);
  return text + "}";
}

std::string infoJson(const CommandContext &context, const plan::RecipeT &recipe) {
  const plan::Plan &plan = context.plan;
  const std::vector<ProgramOption> &options = context.options;
  std::string text = "{\"program\":" + jsonText(recipe.name);
  text += ",\"build\":" + jsonText(plan.build() ? plan.build()->str() : "");
  text += ",\"cpu\":" + jsonText(plan.cpu() ? plan.cpu()->str() : "");
  text += ",\"target\":" + jsonText(std::string(isDevicePlan(plan) ? DeviceTarget : CpuTarget));
  text += ",\"images\":[";
  for (size_t i = 0; i < context.images.size(); ++i)
    text += (i ? "," : "") + jsonText(context.images[i]);
  text += "],\"source_hash\":" + jsonText(sourceHashOf(plan));
  text += ",\"batch\":" + std::to_string(recipe.batch);
  text += ",\"micro\":" + std::to_string(recipe.micro);
  text += std::string(",\"coupled\":") + (recipe.coupled ? "true" : "false");
  text += ",\"grades\":[";
  for (size_t i = 0; i < recipe.grades.size(); ++i)
    text += (i ? "," : "") + gradeJson(*recipe.grades[i]);
  text += "]";
  text += ",\"seed\":" + std::to_string(recipe.seed);
  text += ",\"memory_bytes\":" + std::to_string(arenaBytes(plan));
  text += ",\"checkpoint_to\":" + jsonText(checkpointFolder(recipe));
  if (recipe.data)
    text += ",\"data\":{\"name\":" + jsonText(recipe.data->name) +
            ",\"kind\":" + jsonText(recipe.data->kind) +
            ",\"path\":" + jsonText(recipe.data->path) +
            ",\"train\":" + std::to_string(recipe.data->train_count) +
            ",\"validation\":" + std::to_string(recipe.data->validation_count) +
            ",\"test\":" + std::to_string(recipe.data->test_count) + "}";
  text += ",\"options\":{";
  for (size_t i = 0; i < options.size(); ++i)
    text += (i ? "," : "") + jsonText(options[i].name) + ":{\"value\":" + optionJson(options[i]) +
            ",\"type\":" + jsonText(optionType(options[i])) +
            ",\"run_time\":" + (options[i].isRunTime ? "true" : "false") +
            ",\"doc\":" + jsonText(options[i].doc) + "}";
  text += "},\"parameters\":{";
  bool isFirst = true;
  for (unsigned i = 0; plan.state() && i < plan.state()->size(); ++i) {
    const plan::StateEntry *entry = plan.state()->Get(i);
    if (entry->role() != plan::Role::Param) continue;
    text += (isFirst ? "" : ",") + jsonText(entry->name()->str()) + ":[";
    for (unsigned dim = 0; entry->shape() && dim < entry->shape()->size(); ++dim)
      text += (dim ? "," : "") + std::to_string(entry->shape()->Get(dim));
    text += "]";
    isFirst = false;
  }
  return text + "}}\n";
}

} // namespace

Status infoCommand(const CommandContext &context) {
  std::FILE *out = context.surroundings.out;
  if (!context.plan.recipe()) return corrupt("the plan has no recipe");
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  if (context.line.plan)
    std::fputs(planText(context.plan).c_str(), out);
  else if (context.line.json)
    std::fputs(infoJson(context, recipe).c_str(), out);
  else
    printText(context, recipe);
  if (std::fflush(out) != 0) return systemError("cannot print", errno);
  return Status::ok();
}

} // namespace dlm
