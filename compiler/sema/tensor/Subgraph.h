// Graphs inside of nodes: the step of a loop, what a model makes of a prompt.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"

#include <memory>
#include <vector>

namespace dlm::sema {

/// A finished graph, and the tensors around it that it uses, in the order of its `capture` leaves.
struct Subgraph {
  std::shared_ptr<const Graph> graph;
  std::vector<Tensor> captured;
};

/// Finishes the graph of the open scope, whose results are there.
inline Subgraph finishSubgraph(TensorWriter &tensors, GraphScope &scope) {
  (*scope).prune();
  Subgraph result;
  GraphBuilder &around = tensors.around();
  for (NodeId id : (*scope).captured())
    result.captured.push_back({around.id, id, around.node(id).type, false});
  result.graph = std::make_shared<const Graph>(std::move(scope.graph()));
  return result;
}

} // namespace dlm::sema
