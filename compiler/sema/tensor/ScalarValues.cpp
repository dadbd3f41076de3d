// See ScalarValues.h.
#include "compiler/sema/tensor/ScalarValues.h"

#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

std::optional<double> valueOf(const Program &program, const Graph &graph, NodeId id) {
  const Node &node = graph.nodes[id];
  if (!node.type.dims.empty()) return std::nullopt;
  if (node.op == "constant") return node.number;
  if (node.op == "option")
    for (const Option &option : program.options)
      if (option.name == node.text) return option.value;
  bool isKnown = node.op == "add" || node.op == "sub" || node.op == "mul" || node.op == "div" ||
                 node.op == "cast" || node.op == "neg";
  if (!isKnown || node.operands.empty()) return std::nullopt;
  std::optional<double> a = valueOf(program, graph, node.operands.front());
  std::optional<double> b = valueOf(program, graph, node.operands.back());
  if (!a || !b) return std::nullopt;
  if (node.op == "cast") return a;
  if (node.op == "neg") return -*a;
  if (node.op == "add") return *a + *b;
  if (node.op == "sub") return *a - *b;
  return node.op == "mul" ? *a * *b : *a / *b;
}

} // namespace

std::optional<double> valueSoFar(Evaluator &evaluator, const Value &value) {
  if (value.is(ValueKind::Number)) return value.asNumber().toReal();
  if (!value.is(ValueKind::Tensor)) return std::nullopt;
  NodeId id = evaluator.tensors.use(value.asTensor());
  return valueOf(evaluator.program, evaluator.tensors.current().graph, id);
}

} // namespace dlm::sema
