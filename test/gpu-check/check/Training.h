// Trains with two executables of one program and compares all they say and save.
#pragma once

#include "runtime/base/Status.h"

#include <string>
#include <vector>

namespace dlm::gpucheck {

struct TrainingRun {
  std::string program;            // path of the executable
  std::vector<std::string> flags; // of `train`
};

struct TrainingComparison {
  unsigned steps = 0;               // trained
  unsigned reports = 0;             // lines, of steps and evaluations
  unsigned equalReports = 0;        // that are the same text, but for rates
  unsigned tensors = 0;             // of the last checkpoint
  std::vector<std::string> unequal; // names of the tensors that differ
  std::string firstLoss, lastLoss;  // as printed
  double deviceSeconds = 0, cpuSeconds = 0;

  bool agrees() const {
    return reports >= steps && equalReports == reports && tensors > 0 && unequal.empty();
  }
};

/// Trains `steps` steps with each, in `folder`.
Expected<TrainingComparison> compareTraining(const TrainingRun &device, const TrainingRun &cpu,
                                             unsigned steps, const std::string &folder);

} // namespace dlm::gpucheck
