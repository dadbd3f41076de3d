// Which loops have to wait, and what cannot stand in one.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <optional>
#include <string>

namespace dlm::lower {

struct LoopLimit {
  std::string what, reason;
};

/// Why a node cannot be compiled that stands in `depth` loops; nothing if they do not hinder it.
std::optional<LoopLimit> loopLimitOf(const sema::Graph &graph, const sema::Node &node, int depth);

} // namespace dlm::lower
