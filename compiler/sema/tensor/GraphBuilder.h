// Appends typed nodes to a graph and grades each: how its value depends on the batch.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <map>
#include <string>
#include <unordered_map>
#include <utility>

namespace dlm::sema {

/// The grade a node gets from its operands' grades (`share` nodes are not looked at here).
Grade gradeOf(const Node &node, const Graph &graph);

/// Whether the node is a sum over samples divided by a number that is computed from the data alone,
/// such as a count: that number can be known before anything else, so the quotient is a sum too.
bool isDividedByCount(const Node &node, const Graph &graph);

/// The grade of what a graph results in, and of the next values of buffers.
struct GraphGrade {
  Grade grade = Grade::Constant;
  const Node *cause = nullptr; // of Coupled: where samples influence each other first
  const Node *inner = nullptr; // the same; if that is a loop, the operation in its step
  const Node *count = nullptr; // a quotient by a count, if there is one
};
GraphGrade gradeOf(const Graph &graph);
/// The same of some of its nodes.
GraphGrade gradeOf(const Graph &graph, const std::vector<NodeId> &roots);

class GraphBuilder {
public:
  explicit GraphBuilder(uint32_t id) : id(id) {}

  /// Appends a node after grading it. Operands of a sum that do not depend on the batch are
  /// wrapped in `share`, so that they are counted once however the batch is split.
  NodeId add(Node node);

  /// The leaf with this operation and text, made when first asked for.
  NodeId leaf(const std::string &op, const std::string &text, const TensorType &type, Span span);

  /// The leaf that stands, in the body of a loop, for a node of the graph around it.
  NodeId capture(NodeId outer, const Node &node);
  /// The nodes that `capture` was asked for, in order.
  const std::vector<NodeId> &captured() const { return capturedNodes; }

  /// Copies a node of another graph, with all it is computed from, and returns its copy; each
  /// node of the other graph is copied at most once.
  NodeId copyFrom(const Graph &other, NodeId node);

  /// Drops the nodes that no result needs.
  void prune();

  /// Wraps a node in `share`.
  NodeId share(NodeId node);

  const Node &node(NodeId id) const { return graph.nodes[id]; }

  const uint32_t id;
  Graph graph;

private:
  std::map<std::pair<std::string, std::string>, NodeId> leaves;
  std::unordered_map<NodeId, NodeId> copies; // of the free graph's nodes
  std::vector<NodeId> capturedNodes;
};

} // namespace dlm::sema
