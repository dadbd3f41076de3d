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

Status setArguments(Engine &engine, const plan::CommandT &command,
                    const std::map<std::string, double> &arguments) {
  for (const auto &argument : command.arguments) {
    auto given = arguments.find(argument->name);
    if (argument->buffer < 0 || given == arguments.end()) continue;
    uint8_t *place = engine.bufferAddress(uint32_t(argument->buffer));
    if (!place)
      return corrupt("the argument `" + argument->name + "` has no place that can be written");
    *reinterpret_cast<float *>(place) = float(given->second);
  }
  return engine.push();
}

/// One result alone is written without its name.
void printResults(std::FILE *out, const std::vector<CommandValue> &values, bool isJson) {
  std::string json;
  for (const CommandValue &value : values) {
    if (isJson) {
      json += (json.empty() ? "" : ",") + jsonText(value.name) + ":" +
              tensorJson(value.tensor, value.isTruth);
      continue;
    }
    if (values.size() > 1)
      std::fprintf(out, "%s:%s", value.name.c_str(), value.tensor.shape.empty() ? " " : "\n");
    std::fputs(tensorText(value.tensor, value.isTruth).c_str(), out);
  }
  if (isJson) std::fprintf(out, "{%s}\n", json.c_str());
}

} // namespace

Expected<std::vector<CommandValue>> callCommand(Engine &engine, const plan::RecipeT &recipe,
                                                const std::string &name,
                                                const std::map<std::string, double> &arguments) {
  const plan::CommandT *command = findCommand(recipe, name);
  if (!command) return notFound("there is no command `" + name + "`");
  int program = engine.findProgram(command->program);
  if (program < 0) return corrupt("the plan has no program for `" + name + "`");
  DLM_TRY(setArguments(engine, *command, arguments));
  DLM_TRY(engine.start(program));
  std::vector<CommandValue> values;
  std::vector<uint32_t> buffers;
  for (const auto &result : command->results) {
    BufferView tensor = engine.find("command." + name + "." + result->name);
    if (!tensor) return corrupt("the plan has no place for the result `" + result->name + "`");
    values.push_back({result->name, result->type.rfind("bool", 0) == 0, tensor});
    buffers.push_back(result->buffer);
  }
  DLM_TRY(engine.pull(buffers));
  return values;
}

Status declaredCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  std::unique_ptr<MetricSink> sink = makeSink(context);
  Expected<RestoredSession> restored = restoreSession(context, recipe, *sink);
  if (!restored) return restored.status();
  const CommandLine &line = context.line;
  Expected<std::vector<CommandValue>> values =
      callCommand(restored->session->engine(), recipe, line.command, line.arguments);
  if (!values) return values.status();
  std::FILE *out = context.surroundings.out;
  printResults(out, *values, line.json);
  if (std::fflush(out) != 0) return systemError("cannot print", errno);
  return Status::ok();
}

} // namespace dlm
