// The texts of --help and --version, made from the tables that parse the command line.
#include "runtime/abi/PlanTargets.h"
#include "runtime/launch/Commands.h"

#include <cstdio>

namespace dlm {

namespace {

constexpr size_t DocColumn = 26;

/// "  HEAD      TEXT", with the text on its own line if the head is too long.
std::string entry(const std::string &head, const std::string &text) {
  std::string line = "  " + head;
  if (line.size() + 2 > DocColumn)
    line += "\n" + std::string(DocColumn, ' ');
  else
    line += std::string(DocColumn - line.size(), ' ');
  return line + text + "\n";
}

/// "train, eval: " for a flag that not all commands take.
std::string takenBy(const FlagSpec &flag) {
  std::string names;
  size_t count = 0;
  for (const CommandSpec &command : commandTable()) {
    if (std::string(flag.commands).find(command.name[0]) == std::string::npos) continue;
    names += (count++ ? ", " : "") + std::string(command.name);
  }
  return count == commandTable().size() ? "" : names + ": ";
}

std::string optionsText(const std::vector<ProgramOption> &options, bool isRunTime) {
  std::string text;
  for (const ProgramOption &option : options) {
    if (option.isRunTime != isRunTime) continue;
    std::string head =
        isRunTime ? "--" + option.name + " " + (option.isInteger ? "INT" : "NUMBER") : option.name;
    std::string fact =
        optionType(option) + (isRunTime ? ", default " : ", is ") + optionValue(option);
    text += entry(head, option.doc.empty() ? fact : option.doc + " (" + fact + ")");
  }
  return text;
}

std::string dataText(const plan::Plan &plan) {
  const plan::DataSource *data = plan.recipe() ? plan.recipe()->data() : nullptr;
  if (!data) return "";
  return "\nData (--data NAME=PATH reads it from elsewhere):\n" +
         entry(data->name()->str(), data->kind()->str() + " in " + data->path()->str());
}

} // namespace

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

std::string helpText(const plan::Plan &plan, const std::vector<ProgramOption> &options,
                     const std::vector<std::string> &images, const std::string &commandName) {
  std::string name = plan.recipe() && plan.recipe()->name() ? plan.recipe()->name()->str() : "";
  std::string text = name + ": a training program compiled by dlmc";
  if (isDevicePlan(plan)) text += " for " + targetText(plan, images);
  text += "\n\n";
  text += "usage: " + commandName + " COMMAND [--flag [VALUE]]...\n\nCommands:\n";
  for (const CommandSpec &command : commandTable())
    text += entry(command.name, command.doc);
  text += "\nFlags:\n";
  for (const FlagSpec &flag : flagTable()) {
    if (flag.isForDevices && !isDevicePlan(plan)) continue;
    std::string head = std::string("--") + flag.name;
    if (*flag.argument) head += std::string(" ") + flag.argument;
    text += entry(head, takenBy(flag) + flag.doc);
  }
  std::string runTime = optionsText(options, true), compileTime = optionsText(options, false);
  if (!runTime.empty()) text += "\nOptions of the program (train, eval, bench):\n" + runTime;
  if (!compileTime.empty())
    text += "\nFixed when it was compiled (`dlmc -D NAME=VALUE` changes them):\n" + compileTime;
  text += dataText(plan);
  if (plan.recipe()) {
    plan::RecipeT recipe;
    plan.recipe()->UnPackTo(&recipe);
    text += "\nCheckpoints go to " + checkpointFolder(recipe) + " (--to DIR changes it).\n";
  }
  text += "Exit status: 0 success, 1 error, 130 or 143 stopped by SIGINT or SIGTERM.\n";
  return text;
}

std::string versionText(const plan::Plan &plan, const std::vector<std::string> &images) {
  auto text = [](const flatbuffers::String *string) { return string ? string->str() : ""; };
  std::string name = plan.recipe() ? text(plan.recipe()->name()) : "";
  std::string hash = sourceHashOf(plan).substr(0, 16);
  return name + "\ncompiled by " + text(plan.build()) + " for " + targetText(plan, images) +
         "\nplan format " + std::to_string(plan.abi()) + ", source " + hash + "\n";
}

} // namespace dlm
