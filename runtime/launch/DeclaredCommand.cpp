// A command that the program declares: the parameters of a checkpoint, the arguments of the command
// line, one program of the plan, and its results as text or JSON.
#include "runtime/launch/Commands.h"

#include "runtime/launch/CommandTexts.h"
#include "runtime/launch/RestoredSession.h"
#include "runtime/launch/TensorText.h"
#include "runtime/metrics/JsonLines.h"

#include <cstring>

namespace dlm {

std::vector<DeclaredCommand> declaredCommands(const plan::Plan &plan) {
  std::vector<DeclaredCommand> commands;
  if (!plan.recipe()) return commands;
  plan::RecipeT recipe;
  plan.recipe()->UnPackTo(&recipe);
  for (const auto &entry : recipe.commands) {
    if (entry->program == "predict") continue; // every program has a command of this name
    DeclaredCommand command{entry->name, entry->doc, {}};
    for (const auto &each : entry->arguments) {
      int64_t upper = each->type == "string" ? each->tokens_max : each->upper;
      CommandArgument argument{
          each->name, each->type, each->is_required, each->by_default, each->lower, upper, {}};
      for (const auto &test : entry->tests)
        if (test->argument == each->name)
          argument.tests.push_back({test->op, test->bound, test->message});
      command.arguments.push_back(std::move(argument));
    }
    commands.push_back(std::move(command));
  }
  return commands;
}

bool canPredict(const plan::Plan &plan) {
  for (unsigned i = 0; plan.programs() && i < plan.programs()->size(); ++i)
    if (plan.programs()->Get(i)->name()->str() == "predict") return true;
  return false;
}

namespace {

const plan::CommandT *findCommand(const plan::RecipeT &recipe, const std::string &name) {
  for (const auto &command : recipe.commands)
    if (command->name == name) return command.get();
  return nullptr;
}

/// Puts the arguments where the program reads them. `sizes` becomes the value of each, of a text
/// the number of its tokens.
Status setArguments(Engine &engine, const plan::CommandT &command, const CommandLine &line,
                    CommandTexts &texts, std::vector<int64_t> &sizes) {
  for (const auto &argument : command.arguments) {
    double value = 0;
    auto given = line.arguments.find(argument->name);
    if (given != line.arguments.end()) value = given->second;
    auto text = line.texts.find(argument->name);
    if (text != line.texts.end() && argument->tokens_max > 0) {
      Expected<std::vector<int32_t>> ids = texts.encode(command, *argument, text->second);
      if (!ids) return ids.status();
      value = double(ids->size());
      if (argument->ids >= 0) {
        uint8_t *place = engine.bufferAddress(uint32_t(argument->ids));
        if (!place) return corrupt("the text `" + argument->name + "` has no place");
        std::memset(place, 0, size_t(argument->tokens_max) * sizeof(int32_t));
        std::memcpy(place, ids->data(), ids->size() * sizeof(int32_t));
      }
    }
    sizes.push_back(int64_t(value));
    if (argument->buffer < 0) continue;
    uint8_t *place = engine.bufferAddress(uint32_t(argument->buffer));
    if (!place)
      return corrupt("the argument `" + argument->name + "` has no place that can be written");
    *reinterpret_cast<float *>(place) = float(value);
  }
  return engine.push();
}

/// The sizes of a result in this call; nothing if they do not fit into its buffer.
std::optional<std::vector<int64_t>> shapeOf(const plan::CommandResultT &result,
                                            const std::vector<int64_t> &sizes,
                                            const std::vector<int64_t> &largest) {
  std::vector<int64_t> shape;
  for (const auto &size : result.shape) {
    int64_t sum = 0;
    for (const auto &term : size->terms) {
      int64_t product = term->factor;
      for (uint32_t argument : term->arguments)
        product *= sizes[argument];
      sum += product;
    }
    shape.push_back(sum);
    if (sum < 0 || shape.size() > largest.size() || sum > largest[shape.size() - 1])
      return std::nullopt;
  }
  return shape;
}

/// Copies the first elements along each axis to where they stand one after the other.
void copyFirst(const uint8_t *from, uint64_t width, const std::vector<int64_t> &largest,
               const std::vector<int64_t> &shape, size_t axis, std::vector<uint8_t> &to) {
  uint64_t stride = width;
  for (size_t i = axis + 1; i < largest.size(); ++i)
    stride *= uint64_t(largest[i]);
  bool isRow = axis + 1 >= shape.size();
  if (isRow) {
    uint64_t count = shape.empty() ? 1 : uint64_t(shape[axis]);
    to.insert(to.end(), from, from + count * width);
    return;
  }
  for (int64_t i = 0; i < shape[axis]; ++i)
    copyFirst(from + uint64_t(i) * stride, width, largest, shape, axis + 1, to);
}

/// Keeps of a result what belongs to this call, and makes a text of it if it is one.
Status finishResult(const plan::CommandResultT &result, const std::vector<int64_t> &sizes,
                    CommandTexts &texts, CommandValue &value) {
  if (!result.shape.empty()) {
    BufferView &tensor = value.tensor;
    std::optional<std::vector<int64_t>> shape = shapeOf(result, sizes, tensor.shape);
    if (!shape) return corrupt("the plan's result `" + result.name + "` does not fit its buffer");
    auto width = elementSizeBytes(static_cast<DType>(uint8_t(tensor.dtype)));
    copyFirst(static_cast<const uint8_t *>(tensor.data), width, tensor.shape, *shape, 0,
              value.bytes);
    tensor.shape = *shape;
    tensor.data = value.bytes.data();
    tensor.sizeBytes = value.bytes.size();
  }
  if (result.type != "string") return Status::ok();
  auto *ids = static_cast<const int32_t *>(value.tensor.data);
  Expected<std::string> text = texts.decode(result.name, {ids, ids + value.tensor.elementCount()});
  if (!text) return text.status();
  value.text = text.take();
  return Status::ok();
}

/// One result alone is written without its name.
void printResults(std::FILE *out, const std::vector<CommandValue> &values, bool isJson) {
  std::string json;
  for (const CommandValue &value : values) {
    if (isJson) {
      json += (json.empty() ? "" : ",") + jsonText(value.name) + ":" +
              (value.text ? jsonText(*value.text) : tensorJson(value.tensor, value.isTruth));
      continue;
    }
    if (value.text) {
      if (values.size() > 1) std::fprintf(out, "%s: ", value.name.c_str());
      std::fwrite(value.text->data(), 1, value.text->size(), out);
      std::fputc('\n', out);
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
                                                const CommandLine &line) {
  const std::string &name = line.command;
  const plan::CommandT *command = findCommand(recipe, name);
  if (!command) return notFound("there is no command `" + name + "`");
  int program = engine.findProgram(command->program);
  if (program < 0) return corrupt("the plan has no program for `" + name + "`");
  CommandTexts texts(recipe);
  std::vector<int64_t> sizes;
  DLM_TRY(setArguments(engine, *command, line, texts, sizes));
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
  for (size_t i = 0; i < values.size(); ++i)
    DLM_TRY(finishResult(*command->results[i], sizes, texts, values[i]));
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
      callCommand(restored->session->engine(), recipe, line);
  if (!values) return values.status();
  printResults(context.surroundings.out, *values, line.json);
  return Status::ok();
}

} // namespace dlm
