// Graphs together with those inside of their nodes, such as the steps of loops. What `data.fit`
// computes is not among them: it is of other samples, and before the run.
#pragma once

#include "compiler/sema/tensor/TypedGraph.h"

#include <memory>
#include <string>
#include <utility>

namespace dlm::sema {

/// Calls `see` with each node; those of a step come behind their loop.
template <class See> void forEachNode(const Graph &graph, const See &see) {
  for (const Node &node : graph.nodes) {
    see(node);
    if (node.op == "fit") continue;
    for (const auto &body : node.bodies)
      forEachNode(*body, see);
  }
}

/// The first node that is sought; null if there is none.
template <class IsSought> const Node *findNode(const Graph &graph, const IsSought &isSought) {
  const Node *found = nullptr;
  forEachNode(graph, [&](const Node &node) {
    if (!found && isSought(node)) found = &node;
  });
  return found;
}

/// Whether a node is sought that stands in a graph inside of this one.
template <class IsSought> bool hasInside(const Node &node, const IsSought &isSought) {
  if (node.op == "fit") return false;
  for (const auto &body : node.bodies)
    if (findNode(*body, isSought)) return true;
  return false;
}

template <class Change> void changeNodes(Graph &graph, const Change &change);

/// Calls `change` with each node of the graphs inside of one, to be changed in its place. These
/// graphs are shared, so they are replaced by changed ones.
template <class Change> void changeInside(Node &node, const Change &change) {
  if (node.op == "fit") return;
  for (auto &body : node.bodies) {
    Graph own = *body;
    changeNodes(own, change);
    body = std::make_shared<const Graph>(std::move(own));
  }
}

/// The same with each node of a graph, too.
template <class Change> void changeNodes(Graph &graph, const Change &change) {
  for (Node &node : graph.nodes) {
    change(node);
    changeInside(node, change);
  }
}

/// Gives the step of a loop a value from around it, which becomes its last operand: `use(node, id)`
/// takes it in where `needs(node)`, also in loops within the step. There `id` is the value's node.
template <class Needs, class Use>
void giveToStep(Node &loop, NodeId value, const TensorType &type, const Needs &needs,
                const Use &use) {
  size_t captures = loop.operands.size() - size_t(loop.ints[0]) - (loop.ints[1] < 0 ? 2 : 1);
  Graph step;
  Node leaf;
  leaf.op = "capture";
  leaf.text = std::to_string(captures);
  leaf.type = type;
  leaf.span = loop.span;
  leaf.shown = loop.shown;
  step.nodes.push_back(std::move(leaf));
  for (Node node : loop.bodies[0]->nodes) {
    for (NodeId &operand : node.operands)
      ++operand;
    if (needs(node)) use(node, NodeId(0));
    if (node.op == "scan" && hasInside(node, needs)) giveToStep(node, NodeId(0), type, needs, use);
    step.nodes.push_back(std::move(node));
  }
  for (const auto &[name, id] : loop.bodies[0]->results)
    step.results.emplace_back(name, id + 1);
  loop.bodies = {std::make_shared<const Graph>(std::move(step))};
  loop.operands.push_back(value);
}

} // namespace dlm::sema
