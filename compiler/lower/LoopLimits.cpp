#include "compiler/lower/LoopLimits.h"

#include "compiler/lower/GraphLowering.h"

namespace dlm::lower {

namespace {

/// How many loops may stand in each other; a sum of all elements up to each is one. What stands in
/// more is written out trip by trip, up to so many operations.
constexpr int DepthMax = 2;
constexpr double WrittenOutMax = 1000;

/// How many operations a loop makes in all its trips. A plan is followed through all of them before
/// it runs, also those of a gradient, which are a few times as many: that is to take seconds.
constexpr double OperationsMax = 5e6;

double operationsOf(const sema::Graph &graph);

/// Of samples there is at least one.
double operationsOf(const sema::Graph &graph, const sema::Node &node) {
  if (node.op != "scan" && node.op != "cumsum") return 1;
  bool isSum = node.op == "cumsum";
  int64_t axis = node.ints[isSum ? 0 : 1];
  double trips = 1;
  if (axis < 0) {
    trips = double(tripsOf(graph, node).value_or(1));
  } else {
    const sema::Node &source = graph.nodes[node.operands[isSum ? 0 : size_t(node.ints[0])]];
    const sema::Dim &dim = source.type.dims[size_t(axis)];
    if (dim.isWhole()) trips = double(dim.size());
  }
  return isSum ? trips : trips * operationsOf(*node.bodies[0]);
}

double operationsOf(const sema::Graph &graph) {
  double sum = 0;
  for (const sema::Node &node : graph.nodes)
    sum += operationsOf(graph, node);
  return sum;
}

} // namespace

std::optional<LoopLimit> loopLimitOf(const sema::Graph &graph, const sema::Node &node, int depth) {
  bool isOverSamples = node.op == "batch_reduce" || node.op == "batch_contract";
  if (depth > 0 && isOverSamples)
    return LoopLimit{"a sum over samples in a loop", "a micro-batch would go on with a part of it"};
  bool isLoop = node.op == "scan" || node.op == "cumsum";
  double operations = isLoop ? operationsOf(graph, node) : 0;
  if (depth >= DepthMax && operations > WrittenOutMax)
    return LoopLimit{"a loop in a loop in a loop, and of more than " +
                         std::to_string(int64_t(WrittenOutMax)) + " operations,",
                     "such a loop is written out, trip by trip"};
  if (operations > OperationsMax)
    return LoopLimit{"a loop of " + std::to_string(int64_t(operations)) + " operations in all",
                     "they are followed one by one before a run, up to " +
                         std::to_string(int64_t(OperationsMax))};
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
