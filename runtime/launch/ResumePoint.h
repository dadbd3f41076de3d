// Where a run starts: from nothing, or from a checkpoint. Decides which seed, options and length
// hold when the command line, the checkpoint and the program each have a word in it. Pure: reading
// the checkpoint is the caller's.
#pragma once

#include "runtime/checkpoint/Manifest.h"
#include "runtime/driver/RunSchedule.h"
#include "runtime/launch/CommandLine.h"

#include <map>
#include <string>
#include <vector>

namespace dlm {

/// What the program and the command line say.
struct RunRequest {
  const plan::RecipeT &recipe;
  const std::vector<ProgramOption> &options;
  const CommandLine &line;
  std::string sourceHash;
};

struct ResumePoint {
  uint64_t seed = 0;
  std::map<std::string, double> options;      // every run-time option
  std::map<std::string, std::string> origins; // of those that the program does not decide
  ScheduleOverrides overrides;
  std::vector<std::string> notes; // what the user should know
};

/// The start of a new run.
ResumePoint startOf(const RunRequest &request);

/// The start of a run that goes on from a checkpoint. What was given on the command line holds;
/// otherwise what the checkpoint says, so that the run goes on to the same bits; and its length is
/// the program's if the program has changed since. A change that would alter the order of samples
/// (seed, batch) is a failure. What else has changed is for `changesSince` to say.
Expected<ResumePoint> resumeFrom(const RunRequest &request, const Manifest &info);

/// A run that would end before its checkpoint is a failure: none of what is there could be meant.
Status checkLength(const RunSchedule &schedule, const Manifest &info, const CommandLine &line);

} // namespace dlm
