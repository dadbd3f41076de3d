// See DroppedAxes.h.
#include "compiler/sema/tensor/DroppedAxes.h"

#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <set>

namespace dlm::sema {

namespace {

bool isReduction(const Node &node) { return node.op == "reduce" || node.op == "batch_reduce"; }

/// Whether every element is computed from the elements at its place.
bool isElementwise(const Node &node) {
  static const std::set<std::string> names = {
      "abs",   "add",    "cast", "ceil", "cos",  "div",           "erf", "exp",  "floor",
      "log",   "max",    "min",  "mul",  "neg",  "pow",           "rem", "relu", "round",
      "rsqrt", "select", "sign", "sin",  "sqrt", "stop_gradient", "sub", "tanh"};
  return names.count(node.op) > 0;
}

/// The reductions that a tensor is computed from, without a change of its shape in between.
std::vector<const Node *> reductionsOf(TensorWriter &tensors, const Tensor &x) {
  constexpr size_t lookedAtMax = 32;
  const GraphBuilder &graph = x.graph == 0 ? tensors.free() : tensors.current();
  std::vector<const Node *> waiting = {&tensors.node(x)}, result;
  for (size_t i = 0; i < waiting.size() && i < lookedAtMax; ++i) {
    const Node &node = *waiting[i];
    if (isReduction(node)) result.push_back(&node);
    if (!isElementwise(node)) continue;
    for (NodeId operand : node.operands)
      waiting.push_back(&graph.node(operand));
  }
  return result;
}

/// The name of an axis, if it tells the axis from the others.
std::string nameOf(const std::vector<Dim> &dims, size_t axis) {
  const std::string &name = dims[axis].name;
  auto isSame = [&](const Dim &dim) { return dim.name == name; };
  return std::count_if(dims.begin(), dims.end(), isSame) == 1 ? name : "";
}

/// What `over` would be for an axis.
std::string overText(const std::vector<Dim> &dims, size_t axis) {
  std::string name = nameOf(dims, axis);
  if (!name.empty()) return name;
  return axis + 1 == dims.size() ? "-1" : std::to_string(axis);
}

/// Axes in a sentence.
std::string axesText(const std::vector<Dim> &dims, const std::vector<int64_t> &axes) {
  size_t first = size_t(axes.front());
  std::string name = nameOf(dims, first);
  if (axes.size() == 1 && name.empty())
    return first + 1 == dims.size() ? "the last axis"
           : first == 0             ? "the first axis"
                                    : "axis " + std::to_string(first);
  std::vector<std::string> names;
  for (int64_t axis : axes) {
    name = nameOf(dims, size_t(axis));
    names.push_back(name.empty() ? std::to_string(axis) : name);
  }
  return (axes.size() == 1 ? "the axis " : "the axes ") + joinNames(names);
}

/// The one axis that a reduction could have gone over instead; nothing if there are several.
std::optional<size_t> otherAxis(const std::vector<Dim> &dims, size_t dropped,
                                const std::vector<Dim> &other) {
  std::optional<size_t> result;
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    std::vector<Dim> rest = dims;
    rest.erase(rest.begin() + std::ptrdiff_t(axis));
    if (axis == dropped || !sameShape(rest, other)) continue;
    if (result) return std::nullopt;
    result = axis;
  }
  return result;
}

} // namespace

std::optional<DroppedAxes> findDroppedAxes(TensorWriter &tensors, const Tensor &x,
                                           const std::vector<Dim> &other) {
  const GraphBuilder &graph = x.graph == 0 ? tensors.free() : tensors.current();
  for (const Node *node : reductionsOf(tensors, x)) {
    const std::vector<Dim> &before = graph.node(node->operands[0]).type.dims;
    if (node->type.dims.size() != x.type.dims.size() || node->ints.size() == before.size())
      continue;
    std::vector<Dim> kept = before;
    for (int64_t axis : node->ints)
      kept[size_t(axis)] = Dim::one(before[size_t(axis)].name);
    DroppedAxes result = {node->place(), axesText(before, node->ints), node->ints.size(), ""};
    if (stretchShapes(kept, other).fits) return result;
    std::optional<size_t> axis =
        node->ints.size() == 1 ? otherAxis(before, size_t(node->ints[0]), other) : std::nullopt;
    if (!axis) continue;
    result.over = overText(before, *axis);
    return result;
  }
  return std::nullopt;
}

} // namespace dlm::sema
