#include "compiler/lower/OpenElements.h"

#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace dlm::lower {

using sema::DType;
using sema::Extent;
using sema::Graph;
using sema::Node;

bool isOpen(const sema::TensorType &type) {
  return std::any_of(type.dims.begin(), type.dims.end(),
                     [](const sema::Dim &dim) { return !dim.isWhole(); });
}

bool isOfOpenSize(const Node &node) {
  return isOpen(node.type) || std::any_of(node.extents.begin(), node.extents.end(),
                                          [](const Extent &extent) { return !extent.isWhole(); });
}

bool keepsElements(const std::string &op) {
  static const std::set<std::string> names = {
      "abs",           "add",       "and",     "argument",    "broadcast",
      "cast",          "ceil",      "compare", "cos",         "erf",
      "exp",           "constant",  "cumsum",  "div",         "floor",
      "iota",          "log",       "max",     "min",         "mul",
      "neg",           "not",       "or",      "pow",         "relu",
      "rem",           "round",     "rsqrt",   "select",      "sign",
      "sin",           "sqrt",      "sub",     "tanh",        "random",
      "stop_gradient", "transpose", "windows", "convolution", "convolution_transpose"};
  return names.count(op) != 0;
}

std::optional<double> neutralOf(const std::string &kind, DType dtype) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const sema::DTypeRow &row = sema::dtypeRow(dtype);
  if (kind == "add") return row.kind == sema::DTypeKind::Real ? -0.0 : 0.0;
  bool isMax = kind == "max";
  switch (row.kind) {
  case sema::DTypeKind::Real:
    return isMax ? -infinity : infinity;
  case sema::DTypeKind::Bool:
    return isMax ? 0.0 : 1.0;
  case sema::DTypeKind::Unsigned:
    return isMax ? 0.0 : std::ldexp(1.0, int(row.bits)) - 1;
  case sema::DTypeKind::Signed:
    break;
  }
  if (isMax) return -std::ldexp(1.0, int(row.bits) - 1);
  if (row.bits > 32) return std::nullopt; // its largest number is no f64
  return std::ldexp(1.0, int(row.bits) - 1) - 1;
}

bool isOpenOutside(const std::vector<sema::Dim> &dims, size_t first, size_t end) {
  while (first < end && dims[first].extent == Extent::whole(1))
    ++first;
  return std::all_of(dims.begin() + int64_t(std::min(first + 1, end)), dims.begin() + int64_t(end),
                     [](const sema::Dim &dim) { return dim.isWhole(); });
}

bool goesOn(const Node &loop, const Graph &graph) {
  if (loop.ints[1] < 0) return false;
  const Node &source = graph.nodes[loop.operands[size_t(loop.ints[0])]];
  return !source.type.dims[size_t(loop.ints[1])].isWhole();
}

} // namespace dlm::lower
