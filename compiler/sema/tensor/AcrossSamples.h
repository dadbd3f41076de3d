// Operations that look from one sample to another, other than by adding up: a slice of the batch, a
// sort over it, a cumulative sum along it. What they give depends on which samples stand together,
// so it is Coupled, and over an evaluation set it does not exist.
#pragma once

#include "compiler/sema/Program.h"

namespace dlm::sema {

/// What to do where samples meet and the batch is not there as a whole.
inline constexpr const char *groupsAdvice =
    "samples may meet in groups of a fixed size, which are never split: `rearrange(x, \"(g n) c -> "
    "g n c\", n = 32)` makes `[batch / 32, 32, c]` of `[batch, c]`";

/// What to do where the `batch` of the run, as a number, meets the number of samples; else empty.
std::string adviceForBatchAsNumber(const Program &program, const Dim &a, const Dim &b);

/// Whether the node works along an axis of samples.
bool actsAcrossSamples(const Node &node, const Graph &graph);

} // namespace dlm::sema
