// What is known of a run's start before it is lowered: what `data.fit` computed and `weights` read.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm::lower {

/// Behind the path of what holds a value for each column of a table, in the names of the plan's
/// buffers: `info` shows these by the columns' names. No path has a `/`.
inline constexpr const char *fittedColumnsEnd = "/columns";

/// Whether a node is what `data.fit` gives of `source.columns`.
inline bool isOfColumns(const sema::Node &node) { return node.op == "fit" && !node.ints.empty(); }

struct FittedValues {
  /// By the path of what starts with it: the elements, as they lie in memory.
  std::map<std::string, std::vector<uint8_t>> bytes;
  /// The fields of the training samples that were looked at, and their hash. Empty without fits.
  std::vector<std::string> fields;
  std::string hash;
};

} // namespace dlm::lower
