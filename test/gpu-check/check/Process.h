// Runs a program to its end.
#pragma once

#include "runtime/base/Status.h"

#include <string>
#include <vector>

namespace dlm::gpucheck {

struct ProcessResult {
  int exitStatus = -1; // 128 + the number of the signal that ended it
  std::string output, errors;
  double seconds = 0;
};

/// `folder` holds the output while the program runs.
Expected<ProcessResult> runProcess(const std::vector<std::string> &command,
                                   const std::string &folder);

} // namespace dlm::gpucheck
