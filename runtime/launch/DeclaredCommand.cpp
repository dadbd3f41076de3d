// A command that the program declares: the parameters of a checkpoint, the arguments of the command
// line, one program of the plan, and its results as text or JSON.
#include "runtime/launch/Commands.h"

#include "runtime/launch/RestoredSession.h"
#include "runtime/launch/TensorText.h"
#include "runtime/metrics/JsonLines.h"

#include <cerrno>

namespace dlm {

namespace {

const plan::CommandT *findCommand(const plan::RecipeT &recipe, const std::string &name) {
  for (const auto &command : recipe.commands)
    if (command->name == name) return command.get();
  return nullptr;
}

Status setArguments(Engine &engine, const plan::CommandT &command, const CommandLine &line) {
  for (const auto &argument : command.arguments) {
    auto given = line.arguments.find(argument->name);
    if (argument->buffer < 0 || given == line.arguments.end()) continue;
    uint8_t *place = engine.bufferAddress(uint32_t(argument->buffer));
    if (!place)
      return corrupt("the argument `" + argument->name + "` has no place that can be written");
    *reinterpret_cast<float *>(place) = float(given->second);
  }
  return engine.push();
}

/// One result alone is written without its name.
void printResults(std::FILE *out, const Engine &engine, const plan::CommandT &command,
                  bool isJson) {
  std::string json;
  for (const auto &result : command.results) {
    BufferView tensor = engine.find("command." + command.name + "." + result->name);
    bool isTruth = result->type.rfind("bool", 0) == 0;
    if (isJson) {
      json +=
          (json.empty() ? "" : ",") + jsonText(result->name) + ":" + tensorJson(tensor, isTruth);
      continue;
    }
    if (command.results.size() > 1)
      std::fprintf(out, "%s:%s", result->name.c_str(), tensor.shape.empty() ? " " : "\n");
    std::fputs(tensorText(tensor, isTruth).c_str(), out);
  }
  if (isJson) std::fprintf(out, "{%s}\n", json.c_str());
}

} // namespace

Status declaredCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  const plan::CommandT *command = findCommand(recipe, context.line.command);
  if (!command) return notFound("there is no command `" + context.line.command + "`");
  std::unique_ptr<MetricSink> sink = makeSink(context);
  Expected<RestoredSession> restored = restoreSession(context, recipe, *sink);
  if (!restored) return restored.status();
  Engine &engine = restored->session->engine();
  int program = engine.findProgram(command->program);
  if (program < 0) return corrupt("the plan has no program for `" + command->name + "`");
  DLM_TRY(setArguments(engine, *command, context.line));
  DLM_TRY(engine.start(program));
  std::vector<uint32_t> results;
  for (const auto &result : command->results) {
    if (!engine.find("command." + command->name + "." + result->name))
      return corrupt("the plan has no place for the result `" + result->name + "`");
    results.push_back(result->buffer);
  }
  DLM_TRY(engine.pull(results));
  std::FILE *out = context.surroundings.out;
  printResults(out, engine, *command, context.line.json);
  if (std::fflush(out) != 0) return systemError("cannot print", errno);
  return Status::ok();
}

} // namespace dlm
