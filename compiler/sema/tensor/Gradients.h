// Where gradients go: backwards from a result to what it is computed from.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <vector>

namespace dlm::sema {

/// The nodes that gradients reach from `roots`. They end at integers and bools, at `stop_gradient`,
/// and at what is constant between its steps (`floor`, `sign`).
std::vector<bool> reachedByGradients(const Graph &graph, const std::vector<NodeId> &roots);

/// Whether gradients go on from a node to what it is computed from.
bool passesGradients(const Node &node);

} // namespace dlm::sema
