// Both are formulas by the time anybody looks, so it is their form that is recognised:
//
//   softmax(x) = exp(r) / sum(exp(r))     sigmoid(x) = 0.5 * tanh(0.5 * x) + 0.5
#include "compiler/sema/tensor/Probabilities.h"

namespace dlm::sema {

namespace {

/// The node behind changes of shape.
NodeId behindShape(const GraphBuilder &graph, NodeId id) {
  for (;;) {
    const Node &node = graph.node(id);
    if (node.op != "reshape" && node.op != "broadcast") return id;
    id = node.operands[0];
  }
}

const Node &operand(const GraphBuilder &graph, const Node &node, size_t index) {
  return graph.node(behindShape(graph, node.operands[index]));
}

} // namespace

Span softmaxBehind(TensorWriter &tensors, const Tensor &x) {
  NodeId id = tensors.use(x);
  const GraphBuilder &graph = tensors.current();
  const Node &quotient = graph.node(behindShape(graph, id));
  if (quotient.op != "div") return {};
  const Node &sum = operand(graph, quotient, 1);
  bool isSoftmax = graph.node(quotient.operands[0]).op == "exp" && sum.op == "reduce" &&
                   sum.text == "add" && sum.operands[0] == quotient.operands[0];
  return isSoftmax ? quotient.span : Span();
}

bool isSigmoid(TensorWriter &tensors, const Tensor &x) {
  NodeId id = tensors.use(x);
  const GraphBuilder &graph = tensors.current();
  const Node &sum = graph.node(behindShape(graph, id));
  if (sum.op != "add") return false;
  const Node &product = operand(graph, sum, 0);
  const Node &half = operand(graph, sum, 1);
  return product.op == "mul" && operand(graph, product, 1).op == "tanh" && half.op == "constant" &&
         half.number == 0.5;
}

} // namespace dlm::sema
