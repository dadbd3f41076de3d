#include "compiler/lower/LoopLimits.h"

#include "compiler/lower/GraphLowering.h"

namespace dlm::lower {

namespace {

/// How many loops may stand in each other; a sum of all elements up to each is one.
constexpr int DepthMax = 2;

} // namespace

std::optional<LoopLimit> loopLimitOf(const sema::Graph &graph, const sema::Node &node, int depth) {
  bool isOverSamples =
      node.op == "batch_reduce" || node.op == "batch_contract" || node.op == "share";
  if (depth > 0 && isOverSamples)
    return LoopLimit{"a sum over samples in a loop", "a micro-batch would go on with a part of it"};
  bool isLoop = node.op == "scan" || node.op == "cumsum";
  if (isLoop && depth == DepthMax)
    return LoopLimit{"a loop in a loop in a loop", "kernels are launched by two at most"};
  bool isOverRange = node.op == "scan" && node.ints[1] < 0;
  if (!isOverRange) return std::nullopt;
  std::optional<int64_t> trips = tripsOf(graph, node);
  if (!trips)
    return LoopLimit{"a loop over a range that only the run knows",
                     "how many steps it makes is planned before the run"};
  if (*trips == 0) return LoopLimit{"a loop without a step", "there is nothing to make code of"};
  return std::nullopt;
}

} // namespace dlm::lower
