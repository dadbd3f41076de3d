// A rule that works element by element is the same whatever the shape of the parameter, so all
// parameters can lie in one row and be changed at once. Whether it is such a rule is read off the
// graphs, which were followed for real shapes: `p.rank` in a rule may make it one or not.
#include "compiler/sema/run/OptimizerRule.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <map>
#include <set>

namespace dlm::sema {

namespace {

bool isPointwiseOp(const Node &node) {
  static const std::set<std::string> names = {
      "abs",    "add",  "ambient", "and",    "broadcast", "cast",     "ceil", "compare", "constant",
      "cos",    "div",  "erf",     "exp",    "floor",     "gradient", "log",  "max",     "min",
      "mul",    "neg",  "not",     "option", "or",        "pow",      "relu", "round",   "rsqrt",
      "select", "sign", "sin",     "sqrt",   "state",     "sub",      "tanh", "target"};
  return names.count(node.op) != 0;
}

bool isSameGraph(const Graph &a, const Graph &b);

/// Compares what two nodes are computed from; stretched scalars count as themselves.
class RuleMatch {
public:
  RuleMatch(const Graph &a, const Graph &b) : a(a), b(b) {}

  bool same(NodeId x, NodeId y) {
    x = unstretched(a, x);
    y = unstretched(b, y);
    auto known = pairs.find({x, y});
    if (known != pairs.end()) return known->second;
    const Node &left = a.nodes[x], &right = b.nodes[y];
    bool isSame =
        left.op == right.op && left.text == right.text && left.ints == right.ints &&
        left.number == right.number && left.numbers == right.numbers &&
        left.type.dtype == right.type.dtype && left.operands.size() == right.operands.size() &&
        std::equal(left.bodies.begin(), left.bodies.end(), right.bodies.begin(), right.bodies.end(),
                   [](const auto &one, const auto &other) { return isSameGraph(*one, *other); });
    for (size_t i = 0; isSame && i < left.operands.size(); ++i)
      isSame = same(left.operands[i], right.operands[i]);
    return pairs[{x, y}] = isSame;
  }

private:
  static NodeId unstretched(const Graph &graph, NodeId id) {
    bool isStretched = graph.nodes[id].op == "broadcast" && graph.nodes[id].ints.empty();
    return isStretched ? graph.nodes[id].operands[0] : id;
  }

  const Graph &a, &b;
  std::map<std::pair<NodeId, NodeId>, bool> pairs;
};

bool isSameGraph(const Graph &a, const Graph &b) {
  if (a.results.size() != b.results.size()) return false;
  RuleMatch match(a, b);
  for (size_t i = 0; i < a.results.size(); ++i)
    if (a.results[i].first != b.results[i].first ||
        !match.same(a.results[i].second, b.results[i].second))
      return false;
  return true;
}

} // namespace

bool isElementwise(const OptimizerRule &rule, const TensorType &type) {
  for (const Node &node : rule.update.nodes) {
    const std::vector<Dim> &dims = node.type.dims;
    bool isSpread = node.op == "broadcast" && !node.ints.empty();
    bool fits = dims.empty() || sameShape(dims, type.dims);
    if (!isPointwiseOp(node) || isSpread || !fits) return false;
  }
  for (const OptimizerState &state : rule.states) {
    bool isSplat = state.initGraph.results.size() == 1 &&
                   state.initGraph.nodes[state.initGraph.results[0].second].op == "constant";
    bool fits = state.type.dtype == DType::F32 && sameShape(state.type.dims, type.dims);
    if (!isSplat || !fits) return false;
  }
  return true;
}

bool isSameRule(const OptimizerRule &a, const OptimizerRule &b) {
  if (a.name != b.name || a.states.size() != b.states.size()) return false;
  for (size_t i = 0; i < a.states.size(); ++i)
    if (a.states[i].name != b.states[i].name ||
        !isSameGraph(a.states[i].initGraph, b.states[i].initGraph))
      return false;
  return isSameGraph(a.update, b.update);
}

OptimizerRule flattened(const OptimizerRule &rule, const TensorType &type) {
  OptimizerRule result = rule;
  auto flatten = [&](TensorType &each) {
    if (!each.dims.empty() && sameShape(each.dims, type.dims)) each.dims = {flatDim()};
  };
  for (Node &node : result.update.nodes)
    flatten(node.type);
  for (OptimizerState &state : result.states) {
    flatten(state.type);
    for (Node &node : state.initGraph.nodes)
      flatten(node.type);
  }
  return result;
}

} // namespace dlm::sema
