// Who decides what when a run is resumed.
#include "runtime/launch/ResumePoint.h"

namespace dlm {

namespace {

/// The name of the run-time option that gives the batch, or empty.
std::string batchOption(const RunRequest &request) {
  int index = request.recipe.batch_option;
  return index >= 0 && size_t(index) < request.options.size() ? request.options[size_t(index)].name
                                                              : std::string();
}

/// Whether the program decided the option when the checkpoint was written.
bool isOfProgram(const Manifest &info, const std::string &option) {
  for (const ResolvedValue &value : info.resolved) {
    if (value.kind == "option" && value.name == option)
      return value.origin == "program" || value.origin == "-D";
  }
  return false;
}

/// A program may have become stricter since the checkpoint was written.
Status checkRestored(const RunRequest &request, const std::string &name, double value) {
  for (const ProgramOption &option : request.options) {
    if (option.name != name) continue;
    Status status =
        checkValue("`" + name + "` of the checkpoint", value, !option.isInteger, option.tests);
    if (!status.isOk())
      return invalidArgument(status.message() + "; --" + name + " VALUE gives another");
  }
  return Status::ok();
}

void setBatch(const RunRequest &request, ResumePoint &point) {
  point.overrides.batchOption = batchOption(request);
  auto found = point.options.find(point.overrides.batchOption);
  if (found != point.options.end()) point.overrides.batch = int64_t(found->second);
}

} // namespace

ResumePoint startOf(const RunRequest &request) {
  ResumePoint point;
  point.seed = request.line.seed.value_or(request.recipe.seed);
  point.overrides.steps = request.line.steps.value_or(0);
  if (request.line.duration) point.overrides.duration = *request.line.duration;
  for (const ProgramOption &option : request.options) {
    if (option.isRunTime) point.options[option.name] = option.value;
  }
  for (const auto &[name, value] : request.line.options) {
    point.options[name] = value;
    point.origins[name] = "command line";
  }
  setBatch(request, point);
  return point;
}

Expected<ResumePoint> resumeFrom(const RunRequest &request, const Manifest &info) {
  ResumePoint point = startOf(request);
  const CommandLine &line = request.line;
  if (info.program != request.recipe.name)
    return invalidArgument("the checkpoint is of the program `" + info.program + "`, this is `" +
                           request.recipe.name + "`");
  if (line.seed && *line.seed != info.seed)
    return invalidArgument("the run was started with seed " + std::to_string(info.seed) +
                           "; it cannot go on with seed " + std::to_string(*line.seed) +
                           ". Leave --seed out, or start a new run with --to DIR");
  point.seed = info.seed;
  bool isChanged = info.sourceHash != request.sourceHash;
  if (!line.steps && !line.duration && !isChanged) {
    point.overrides.steps = info.steps;
    if (info.durationMs) {
      point.overrides.duration.value = double(info.durationMs);
      point.overrides.duration.unit = plan::Unit::Milliseconds;
    }
  }
  for (const auto &[name, value] : info.options) {
    auto option = point.options.find(name);
    if (option == point.options.end() || line.options.count(name)) continue;
    // What the program's text decided then, it decides now.
    if (option->second == value || isOfProgram(info, name)) continue;
    point.origins[name] = "checkpoint";
    option->second = value;
    DLM_TRY(checkRestored(request, name, value));
  }
  setBatch(request, point);
  int64_t batch = point.overrides.batch ? point.overrides.batch : int64_t(request.recipe.batch);
  if (batch != info.batch)
    return invalidArgument("the run was started with batches of " + std::to_string(info.batch) +
                           " samples; it cannot go on with " + std::to_string(batch) +
                           ", because it would see other samples. Use the old batch, or start a " +
                           "new run with --to DIR");
  if (int64_t(request.recipe.micro) != info.micro)
    point.notes.push_back("note: micro-batches had " + std::to_string(info.micro) +
                          " samples and now have " + std::to_string(request.recipe.micro) +
                          ": the run goes on, but not to the same bits");
  return point;
}

Status checkLength(const RunSchedule &schedule, const Manifest &info, const CommandLine &line) {
  if (!schedule.steps || schedule.steps >= info.step) return Status::ok();
  std::string from = line.steps ? " (--steps)" : line.duration ? " (--duration)" : "";
  return invalidArgument("it is of step " + std::to_string(info.step) + ", and a run of " +
                         std::to_string(schedule.steps) + " steps" + from +
                         " ends before it. The length is that of the whole run, from its " +
                         "beginning: give more than " + std::to_string(info.step) +
                         " steps, or start a new run with --to DIR");
}

} // namespace dlm
