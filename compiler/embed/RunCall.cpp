// Calling the commands that a program declares, with results as tensors instead of text.
#include "compiler/embed/RunParts.h"
#include "runtime/launch/NearestName.h"

#include <algorithm>

namespace dlm::embed {

/// "there is no NOUN `word`", and the nearest name if there is one.
static Status noSuch(const std::string &noun, const std::string &word,
                     const std::vector<std::string> &names) {
  std::vector<std::string> near = nearestNames(word, names);
  return notFound("there is no " + noun + " `" + word + "`" +
                  (near.empty() ? "" : "; there is `" + near.front() + "`"));
}

/// The arguments as the words of a command line, which says what is wrong with them.
static Expected<CommandLine> commandLine(const plan::Plan &plan, const std::string &name,
                                         const std::map<std::string, std::string> &arguments) {
  std::vector<DeclaredCommand> commands = declaredCommands(plan);
  std::vector<std::string> names, words = {name};
  for (const DeclaredCommand &command : commands)
    names.push_back(command.name);
  auto called = std::find(names.begin(), names.end(), name);
  if (called == names.end()) return noSuch("command", name, names);
  std::vector<std::string> known;
  for (const CommandArgument &argument : commands[size_t(called - names.begin())].arguments)
    known.push_back(argument.name);
  for (const auto &[argument, value] : arguments) {
    if (std::find(known.begin(), known.end(), argument) == known.end())
      return noSuch("argument", argument, known);
    words.push_back("--" + argument + "=" + value);
  }
  return parseCommandLine(words, programOptions(plan), false, commands);
}

/// A copy. Truths lie in the engine as they came: as bytes or as numbers that are 0 or not.
static Tensor tensorOf(const CommandValue &value) {
  if (value.text)
    return {value.name,
            dtypeName(DType::U8),
            {int64_t(value.text->size())},
            {value.text->begin(), value.text->end()}};
  const BufferView &view = value.tensor;
  auto *bytes = static_cast<const uint8_t *>(view.data);
  auto dtype = static_cast<DType>(static_cast<uint8_t>(view.dtype));
  Tensor tensor{value.name, dtypeName(dtype), view.shape, {bytes, bytes + view.sizeBytes}};
  if (!value.isTruth || dtype == DType::Bool) return tensor;
  tensor.dtype = dtypeName(DType::Bool);
  tensor.bytes.clear();
  for (uint64_t at = 0, width = elementSizeBytes(dtype); at < view.sizeBytes; at += width) {
    bool isTrue = std::any_of(bytes + at, bytes + at + width, [](uint8_t byte) { return byte; });
    tensor.bytes.push_back(isTrue);
  }
  return tensor;
}

Result<std::vector<Tensor>> Run::call(const std::string &command,
                                      const std::map<std::string, std::string> &arguments) {
  return guarded([&]() -> Result<std::vector<Tensor>> {
    Expected<CommandLine> line = commandLine(*parts->program->plan, command, arguments);
    if (!line) return reportOf(line.status());
    Session &session = *parts->session;
    Expected<std::vector<CommandValue>> values =
        callCommand(session.engine(), session.recipe(), *line);
    if (!values) return reportOf(values.status());
    std::vector<Tensor> tensors;
    for (const CommandValue &value : *values)
      tensors.push_back(tensorOf(value));
    return tensors;
  });
}

} // namespace dlm::embed
