// A command that the program declares: the parameters of a checkpoint, the arguments of the command
// line, one program of the plan, and its results as text or JSON.
#include "runtime/launch/Commands.h"

#include "runtime/data/formats/Utf8.h"
#include "runtime/launch/CommandTexts.h"
#include "runtime/launch/Generation.h"
#include "runtime/launch/OptionUse.h"
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
    DeclaredCommand command{entry->name, entry->doc, {}, readsSeed(plan, entry->program)};
    for (const auto &each : entry->arguments) {
      if (each->type == "made") continue; // by the command itself
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

/// The text that a command has made so far; empty if it gives anything else.
Expected<std::string> textSoFar(Engine &engine, const plan::CommandT &command,
                                const std::vector<int64_t> &sizes, CommandTexts &texts) {
  auto made = uint32_t(madeArgument(command));
  const plan::CommandResultT *text = nullptr;
  for (const auto &result : command.results) {
    if (isHiddenResult(*result)) continue;
    bool isAlone = !text && result->type == "string" && result->shape.size() == 1 &&
                   result->shape[0]->terms.size() == 1;
    if (!isAlone || result->shape[0]->terms[0]->arguments != std::vector<uint32_t>{made})
      return std::string();
    text = result.get();
  }
  if (!text) return std::string();
  const uint8_t *place = engine.bufferAddress(uint32_t(command.arguments[made]->ids));
  auto *ids = reinterpret_cast<const int32_t *>(place);
  return texts.decode(text->name, {ids, ids + sizes[made]});
}

/// Writes a text while it grows. What is not yet a whole character waits.
class GrowingText {
public:
  GrowingText(std::FILE *out, bool isShown) : out(out), isShown(isShown) {}

  void show(const std::string &text) {
    if (!isShown) return;
    size_t end = endOfUtf8(text);
    if (end <= shown) return;
    std::fwrite(text.data() + shown, 1, end - shown, out);
    std::fflush(out);
    shown = end;
  }

  /// False if nothing of it is written.
  bool finish(const std::string &text) {
    if (shown == 0) return false;
    std::fwrite(text.data() + shown, 1, text.size() - shown, out);
    std::fputc('\n', out);
    return true;
  }

private:
  std::FILE *out;
  bool isShown;
  size_t shown = 0; // bytes
};

} // namespace

Expected<std::vector<CommandValue>> callCommand(Engine &engine, const plan::RecipeT &recipe,
                                                const CommandLine &line, const TextWatcher &watch) {
  const std::string &name = line.command;
  const plan::CommandT *command = findCommand(recipe, name);
  if (!command) return notFound("there is no command `" + name + "`");
  int program = engine.findProgram(command->program);
  if (program < 0) return corrupt("the plan has no program for `" + name + "`");
  CommandTexts texts(recipe);
  std::vector<int64_t> sizes;
  DLM_TRY(setArguments(engine, *command, line, texts, sizes));
  auto tell = [&] {
    if (!watch) return Status::ok();
    Expected<std::string> text = textSoFar(engine, *command, sizes, texts);
    return text ? watch(*text) : text.status();
  };
  if (madeArgument(*command) < 0)
    DLM_TRY(engine.start(program));
  else
    DLM_TRY(generateTokens(engine, *command, program, sizes, tell));
  std::vector<CommandValue> values;
  std::vector<uint32_t> buffers;
  for (const auto &result : command->results) {
    if (isHiddenResult(*result)) continue;
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
  if (line.seed) restored->session->setSeed(*line.seed);
  std::FILE *out = context.surroundings.out;
  GrowingText growing(out, context.surroundings.isTerminal && !line.json);
  auto watch = [&](const std::string &soFar) {
    growing.show(soFar);
    return context.stop ? Status::error(Code::Interrupted, "interrupted") : Status::ok();
  };
  Expected<std::vector<CommandValue>> values =
      callCommand(restored->session->engine(), recipe, line, watch);
  if (!values) return values.status();
  bool isText = values->size() == 1 && values->front().text;
  if (!isText || !growing.finish(*values->front().text)) printResults(out, *values, line.json);
  return Status::ok();
}

} // namespace dlm
