// A row for each operation that has an axis it works along.
#include "compiler/sema/tensor/AcrossSamples.h"

#include "compiler/sema/value/Value.h"

#include <algorithm>
#include <map>
#include <string>

namespace dlm::sema {

namespace {

enum class Along {
  FirstInt, // the axis ints[0]
  Ints,     // all axes in ints
  Changed,  // the axes whose size changes, or that are moved
};

bool countsSamples(const std::vector<Dim> &dims, size_t axis) {
  return axis < dims.size() && dims[axis].extent.countsSamples();
}

bool changesSamples(const std::vector<Dim> &from, const std::vector<Dim> &to) {
  for (size_t axis = 0; axis < from.size(); ++axis)
    if (countsSamples(from, axis) && from[axis].extent != to[axis].extent) return true;
  return false;
}

} // namespace

bool actsAcrossSamples(const Node &node, const Graph &graph) {
  static const std::map<std::string, Along> table = {
      {"argmax", Along::FirstInt}, {"argmin", Along::FirstInt},       {"order", Along::FirstInt},
      {"cumsum", Along::FirstInt}, {"gather", Along::FirstInt},       {"concat", Along::FirstInt},
      {"flip", Along::Ints},       {"top_k", Along::FirstInt},        {"slice", Along::Changed},
      {"pad", Along::Changed},     {"dynamic_slice", Along::Changed},
  };
  auto found = table.find(node.op);
  if (found == table.end() || node.operands.empty()) return false;
  const std::vector<Dim> &dims = graph.nodes[node.operands[0]].type.dims;
  switch (found->second) {
  case Along::FirstInt:
    return countsSamples(dims, size_t(node.ints[0]));
  case Along::Ints:
    return std::any_of(node.ints.begin(), node.ints.end(),
                       [&](int64_t axis) { return countsSamples(dims, size_t(axis)); });
  case Along::Changed:
    break;
  }
  return changesSamples(dims, node.type.dims);
}

std::string adviceForBatchAsNumber(const Program &program, const Dim &a, const Dim &b) {
  const Dim &number = a.isWhole() ? a : b, &samples = a.isWhole() ? b : a;
  bool isMet = number.isWhole() && samples.extent.countsSamples() && program.length &&
               number.size() == program.length->samplesOfStep;
  if (!isMet) return "";
  return "the number of samples is `batch` whatever the run says it is, and never " +
         dimText(number) + ": an axis of that size is one of a field, or of a `buffer`";
}

} // namespace dlm::sema
