// What is known of a run's start before it is lowered: what `data.fit` computed and `weights` read.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm::lower {

/// What follows the path of a first value in the name of the plan's buffer that holds it, by the
/// node that stands for it: `info` shows what has a number for each column of a table by their
/// names, and leaves out what is of a file of weights. No path has a `/`.
inline const char *endOfFitted(const sema::Node &node) {
  if (node.op == "weights") return "/file";
  return node.op == "fit" && !node.ints.empty() ? "/columns" : "";
}

struct FittedValues {
  /// By the path of what starts with it: the elements, as they lie in memory.
  std::map<std::string, std::vector<uint8_t>> bytes;
  /// The fields of the training samples that were looked at, and their hash. Empty without fits.
  std::vector<std::string> fields;
  std::string hash;
};

} // namespace dlm::lower
