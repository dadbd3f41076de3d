// A program with the parameters of a checkpoint: what `eval` and declared commands begin with.
#pragma once

#include "runtime/launch/Commands.h"

namespace dlm {

struct RestoredSession {
  std::unique_ptr<Session> session;
  Manifest info;
  std::map<std::string, double> options; // run-time ones
  std::string location;                  // of the checkpoint
};

/// The checkpoint that `--from` names, or the latest in the program's folder. Warnings go to
/// `sink`.
Expected<RestoredSession> restoreSession(const CommandContext &context, const plan::RecipeT &recipe,
                                         MetricSink &sink);

} // namespace dlm
