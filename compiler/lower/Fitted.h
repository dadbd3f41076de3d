// What is known of a run's start before it is lowered: what `data.fit` computed and `weights` read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm::lower {

struct FittedValues {
  /// By the path of what starts with it: the elements, as they lie in memory.
  std::map<std::string, std::vector<uint8_t>> bytes;
  /// The fields of the training samples that were looked at, and their hash. Empty without fits.
  std::vector<std::string> fields;
  std::string hash;
};

} // namespace dlm::lower
