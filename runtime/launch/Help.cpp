// The texts of --help and --version, made from the tables that parse the command line.
#include "runtime/abi/PlanTargets.h"
#include "runtime/launch/Commands.h"
#include "runtime/launch/RunIdentity.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace dlm {

namespace {

constexpr size_t DocColumn = 26, WidthMax = 100;

/// "  HEAD      TEXT", with the text on its own line if the head is too long, and cut between words
/// where it is longer than a line.
std::string entry(const std::string &head, const std::string &text) {
  std::string result = "  " + head;
  if (result.size() + 2 > DocColumn)
    result += "\n" + std::string(DocColumn, ' ');
  else
    result += std::string(DocColumn - result.size(), ' ');
  size_t column = DocColumn;
  for (size_t begin = 0; begin < text.size();) {
    size_t end = std::min(text.find(' ', begin), text.size());
    if (column > DocColumn && column + 1 + (end - begin) > WidthMax) {
      result += "\n" + std::string(DocColumn, ' ');
      column = DocColumn;
    }
    if (column > DocColumn) result += " ";
    result += text.substr(begin, end - begin);
    column += end - begin + (column > DocColumn ? 1 : 0);
    begin = end + 1;
  }
  return result + "\n";
}

/// The commands that every program has, but `predict` only if this one says what it predicts.
std::vector<CommandSpec> commandsOf(const plan::Plan &plan) {
  std::vector<CommandSpec> commands;
  for (const CommandSpec &command : commandTable())
    if (std::string(command.name) != "predict" || canPredict(plan)) commands.push_back(command);
  return commands;
}

/// "train, eval: " for what not all commands take.
template <class Takes>
std::string takenBy(const std::vector<std::string> &commands, const Takes &takes) {
  std::string names;
  bool isOfAll = true;
  for (const std::string &command : commands) {
    if (takes(command))
      names += (names.empty() ? "" : ", ") + command;
    else
      isOfAll = false;
  }
  return isOfAll ? "" : names + ": ";
}

std::vector<std::string> namesOf(const std::vector<CommandSpec> &commands) {
  std::vector<std::string> names;
  for (const CommandSpec &command : commands)
    names.emplace_back(command.name);
  return names;
}

/// ", 0 < lr <= 1".
std::string behind(const std::string &range) { return range.empty() ? "" : ", " + range; }

/// What a flag is for one command.
std::string docFor(const std::string &command, const std::string &doc) {
  std::string common, own;
  for (size_t begin = 0; begin < doc.size();) {
    size_t end = std::min(doc.find("; ", begin), doc.size());
    std::string part = doc.substr(begin, end - begin);
    begin = end + 2;
    size_t colon = part.find(": ");
    std::string head = part.substr(0, colon);
    bool isAlso = head.size() > 5 && head.compare(head.size() - 5, 5, " also") == 0;
    if (isAlso) head.resize(head.size() - 5);
    bool isOfOne = false;
    for (const CommandSpec &each : commandTable())
      isOfOne |= colon != std::string::npos && head == each.name;
    std::string text = isOfOne ? part.substr(colon + 2) : part;
    if (isOfOne && head == command && !isAlso)
      own = text;
    else if (!isOfOne || head == command)
      common += (common.empty() ? "" : "; ") + std::string(isAlso ? "also " : "") + text;
  }
  return own.empty() ? common : own;
}

/// The options of a command, or of all, with the commands that take each.
std::string optionsText(const CommandContext &context, bool isRunTime, const std::string &command) {
  std::string text;
  std::vector<std::string> commands = namesOf(commandsOf(context.plan));
  for (const DeclaredCommand &declared : context.commands)
    commands.push_back(declared.name);
  for (const ProgramOption &option : context.options) {
    if (option.isRunTime != isRunTime || (!command.empty() && !option.isOf(command))) continue;
    std::string whose;
    if (isRunTime && command.empty())
      whose = takenBy(commands, [&](const std::string &name) { return option.isOf(name); });
    std::string head =
        isRunTime ? "--" + option.name + " " + (option.isInteger ? "INT" : "NUMBER") : option.name;
    std::string fact = optionType(option) + (isRunTime ? ", default " : ", is ") +
                       optionValue(option) + behind(optionRange(option));
    text += entry(head, whose + (option.doc.empty() ? fact : option.doc + " (" + fact + ")"));
  }
  return text;
}

std::string dataText(const plan::Plan &plan) {
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  if (!data) return "";
  return "\nData (--data PATH reads it from elsewhere):\n" +
         entry(data->name()->str(), data->kind()->str() + " in " + data->path()->str());
}

/// The flags of a command; of all, with the commands that take each, if `command` is empty.
std::string flagsText(const CommandContext &context, const std::string &command) {
  const plan::Plan &plan = context.plan;
  std::string text;
  for (const FlagSpec &flag : flagTable()) {
    if (flag.isForDevices && !isDevicePlan(plan)) continue;
    if (!command.empty() && !takesFlag(command, flag, context.commands)) continue;
    if (std::string(flag.commands) == "p" && !canPredict(plan)) continue;
    std::string head = std::string("--") + flag.name;
    if (*flag.argument) head += std::string(" ") + flag.argument;
    if (!command.empty()) {
      text += entry(head, docFor(command, flag.doc));
      continue;
    }
    auto takes = [&](const std::string &name) { return takesFlag(name, flag, context.commands); };
    text += entry(head, takenBy(namesOf(commandsOf(plan)), takes) + flag.doc);
  }
  return text;
}

std::string folderText(const plan::Plan &plan) {
  if (!plan.recipe()) return "";
  plan::RecipeT recipe;
  plan.recipe()->UnPackTo(&recipe);
  return "\nCheckpoints go to " + checkpointFolder(recipe) + " (train --to DIR changes it).\n";
}

const DeclaredCommand *findDeclared(const CommandContext &context) {
  for (const DeclaredCommand &each : context.commands)
    if (each.name == context.line.command) return &each;
  return nullptr;
}

/// As a program writes it.
std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '\n')
      result += "\\n";
    else if (c == '\t')
      result += "\\t";
    else
      result += (c == '"' || c == '\\' ? "\\" : "") + std::string(1, c);
  }
  return result + "\"";
}

/// Whether a shell takes a text in quotes for what it is.
bool isPlain(const std::string &text) {
  return !text.empty() && std::none_of(text.begin(), text.end(), [](char c) {
    return (c >= 0 && c < ' ') || c == '"' || c == '\\' || c == '$' || c == '`' || c == '!';
  });
}

std::string argumentsText(const DeclaredCommand &command) {
  std::string text;
  for (const CommandArgument &argument : command.arguments) {
    std::string head = "--" + argument.name;
    head += argument.type == "bool"     ? " [BOOL]"
            : argument.type == "int"    ? " INT"
            : argument.type == "string" ? " TEXT"
                                        : " NUMBER";
    bool isText = argument.type == "string";
    std::string facts = argument.type;
    if (isText && argument.upper > 0)
      facts += ", at most " + std::to_string(argument.upper) + " tokens";
    if (!isText) facts += behind(rangeText(argument.name, argument.tests));
    facts += argument.isRequired ? ", has to be given" : ", default ";
    if (!argument.isRequired) facts += isText ? quoted(argument.byDefault) : argument.byDefault;
    text += entry(head, facts);
  }
  return text;
}

/// A value that an argument takes.
std::string exampleOf(const CommandArgument &argument) {
  if (argument.type == "bool") return "true";
  if (argument.type == "string") return "\"some words\"";
  bool isReal = argument.type == "f32";
  std::vector<double> values = {1, 0.5, 0};
  for (const ValueTest &test : argument.tests) {
    values.insert(values.end(), {test.bound, test.bound - 1, test.bound + 1});
    for (const ValueTest &other : argument.tests)
      values.push_back((test.bound + other.bound) / 2);
  }
  for (double value : values) {
    bool isGood = isReal || (value == std::floor(value) && value >= double(argument.lower) &&
                             value <= double(argument.upper));
    for (const ValueTest &test : argument.tests)
      isGood &= fulfils(value, isReal, test);
    char text[40];
    std::snprintf(text, sizeof text, isReal ? "%.9g" : "%.0f", value);
    if (isGood) return text;
  }
  return isReal ? "NUMBER" : std::to_string(argument.lower);
}

/// Each with what the command cannot do without.
std::vector<std::string> examplesOf(const DeclaredCommand &command) {
  std::string needed = command.name;
  for (const CommandArgument &argument : command.arguments)
    if (argument.isRequired) needed += " --" + argument.name + " " + exampleOf(argument);
  std::vector<std::string> lines = {needed, needed + " --json"};
  for (const CommandArgument &argument : command.arguments) {
    bool isText = argument.type == "string";
    if (argument.isRequired || lines.size() > 2 || (isText && !isPlain(argument.byDefault)))
      continue;
    lines.push_back(needed + " --" + argument.name + " " +
                    (isText ? quoted(argument.byDefault) : argument.byDefault));
  }
  return lines;
}

/// What a command is used for, line by line.
std::string examplesText(const CommandContext &context) {
  const std::string &command = context.line.command, &name = context.commandName;
  std::vector<std::string> lines;
  if (command == "train") {
    lines = {"train", "train --resume", "train --to runs/b --duration \"3 epochs\""};
    for (const ProgramOption &option : context.options) {
      if (!option.isRunTime || lines.size() > 3) continue;
      lines.push_back("train --to runs/c --" + option.name + " " + optionValue(option));
    }
  } else if (const DeclaredCommand *declared = findDeclared(context)) {
    lines = examplesOf(*declared);
  } else if (command == "eval") {
    lines = {"eval", "eval --from runs/b --json"};
  } else if (command == "predict") {
    lines = {"predict --data new.csv", "predict --split test --to predictions.csv",
             "predict --data new.csv --json"};
  } else if (command == "bench") {
    lines = {"bench", "bench --threads 1 --steps 50"};
  } else {
    lines = {"info", "info --json", "info --plan"};
  }
  std::string text = "\nExamples:\n";
  for (const std::string &line : lines)
    text += "  " + name + " " + line + "\n";
  return text;
}

} // namespace

std::string optionRange(const ProgramOption &option) {
  std::string range = rangeText(option.name, option.tests);
  if (option.multipleOf <= 1) return range;
  return range + (range.empty() ? "" : ", ") + "a multiple of " + std::to_string(option.multipleOf);
}

std::string optionType(const ProgramOption &option) {
  if (!option.kind.empty()) return option.kind;
  return option.isInteger ? "int" : "f32";
}

std::string optionValue(const ProgramOption &option) {
  if (option.kind == "string") return "\"" + option.text + "\"";
  if (!option.kind.empty()) return option.text;
  char text[40];
  std::snprintf(text, sizeof text, option.isInteger ? "%.0f" : "%.9g", option.value);
  return text;
}

/// What the program runs on: `x86-64-v3`, or `cuda (sm_80, ptx)`.
std::string targetText(const plan::Plan &plan, const std::vector<std::string> &images) {
  if (!isDevicePlan(plan)) return plan.cpu() ? plan.cpu()->str() : "";
  std::string text(DeviceTarget);
  for (size_t i = 0; i < images.size(); ++i)
    text += (i ? ", " : " (") + images[i];
  return images.empty() ? text : text + ")";
}

std::string helpText(const CommandContext &context) {
  const plan::Plan &plan = context.plan;
  std::string name = plan.recipe() && plan.recipe()->name() ? plan.recipe()->name()->str() : "";
  std::string text = name + ": a training program compiled by dlmc";
  if (isDevicePlan(plan)) text += " for " + targetText(plan, context.images);
  text += "\n\nusage: " + context.commandName + " COMMAND [--flag [VALUE]]...\n\nCommands (`" +
          context.commandName + " COMMAND --help` tells more of one):\n";
  for (const CommandSpec &command : commandsOf(plan))
    text += entry(command.name, command.doc);
  if (!context.commands.empty()) text += "\nCommands of the program:\n";
  for (const DeclaredCommand &command : context.commands)
    text += entry(command.name, command.doc);
  text += "\nFlags:\n" + flagsText(context, "");
  std::string runTime = optionsText(context, true, "");
  std::string compileTime = optionsText(context, false, "");
  if (!runTime.empty()) text += "\nOptions of the program:\n" + runTime;
  if (!compileTime.empty())
    text += "\nFixed when it was compiled (`dlmc -D NAME=VALUE` changes them):\n" + compileTime;
  text += dataText(plan) + folderText(plan);
  return text +
         "Exit status: 0 success, 1 error, 129, 130, 143 stopped by SIGHUP, SIGINT, SIGTERM.\n";
}

std::string commandHelpText(const CommandContext &context) {
  const std::string &command = context.line.command, &name = context.commandName;
  const DeclaredCommand *declared = findDeclared(context);
  std::string doc = declared ? declared->doc : "";
  for (const CommandSpec &each : commandTable())
    if (command == each.name) doc = each.doc;
  std::string text = name + " " + command + (doc.empty() ? "" : ": " + doc) + "\n";
  text += "\nusage: " + name + " " + command + " [--flag [VALUE]]...\n";
  if (declared && !declared->arguments.empty()) text += "\nArguments:\n" + argumentsText(*declared);
  text += "\nFlags:\n" + flagsText(context, command);
  std::string runTime = optionsText(context, true, command);
  if (!runTime.empty()) text += "\nOptions of the program:\n" + runTime;
  if (command == "train")
    text += folderText(context.plan) + "Ctrl-C ends the run after the step, with a checkpoint; a " +
            "second one ends it at once.\n";
  return text + examplesText(context);
}

std::string versionText(const plan::Plan &plan, const std::vector<std::string> &images) {
  auto text = [](const flatbuffers::String *string) { return string ? string->str() : ""; };
  std::string name = plan.recipe() ? text(plan.recipe()->name()) : "";
  std::string hash = sourceHashOf(plan).substr(0, 16);
  return name + "\ncompiled by " + text(plan.build()) + " for " + targetText(plan, images) +
         "\nplan format " + std::to_string(plan.abi()) + ", source " + hash + "\n";
}

} // namespace dlm
