// Operations that look from one sample to another, other than by adding up: a slice of the batch, a
// sort over it, a cumulative sum along it. What they give depends on which samples stand together,
// so it is Coupled, and over an evaluation set it does not exist.
#pragma once

#include "compiler/sema/TypedProgram.h"

namespace dlm::sema {

/// Whether the node works along an axis of samples.
bool actsAcrossSamples(const Node &node, const Graph &graph);

} // namespace dlm::sema
