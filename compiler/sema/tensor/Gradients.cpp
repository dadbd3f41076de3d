// See Gradients.h.
#include "compiler/sema/tensor/Gradients.h"

#include "compiler/sema/value/DTypes.h"

#include <set>

namespace dlm::sema {

bool passesGradients(const Node &node) {
  static const std::set<std::string> ends = {"stop_gradient", "floor", "ceil", "round", "sign"};
  return ends.count(node.op) == 0 && isReal(node.type.dtype);
}

std::vector<bool> reachedByGradients(const Graph &graph, const std::vector<NodeId> &roots) {
  std::vector<bool> result(graph.nodes.size());
  std::vector<NodeId> open = roots;
  while (!open.empty()) {
    NodeId id = open.back();
    open.pop_back();
    const Node &node = graph.nodes[id];
    if (result[id] || !passesGradients(node)) continue;
    result[id] = true;
    open.insert(open.end(), node.operands.begin(), node.operands.end());
  }
  return result;
}

} // namespace dlm::sema
