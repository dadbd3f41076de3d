// Which samples of a file are for training, which for validation and test, where the program cuts
// these parts from the training samples: the last ones, or, if the parts are mixed, some from all
// over the file. Which those are follows from the counts alone, so it is the same for the compiler
// and every run.
#pragma once

#include "runtime/data/Dataset.h"

#include <cstdint>
#include <vector>

namespace dlm {

class SampleParts {
public:
  /// `counts` of a file that holds these parts, in this order if they are not mixed.
  SampleParts(const int64_t (&counts)[SplitCount], bool areMixed);
  /// Of the file of the training samples of a source: parts with files of their own are not there.
  static SampleParts ofTrainingFile(const DataSpec &spec);

  /// Samples of the file.
  int64_t size() const { return counts[0] + counts[1] + counts[2]; }
  Split partOf(int64_t sample) const;
  bool isTraining(int64_t sample) const { return partOf(sample) == Split::Train; }

  /// The samples of a part, in the order of the file.
  std::vector<int64_t> samplesOf(Split split) const;

private:
  int64_t counts[SplitCount];
  std::vector<uint8_t> parts; // of mixed ones, by sample
};

} // namespace dlm
