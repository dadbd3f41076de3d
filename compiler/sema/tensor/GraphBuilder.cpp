// The grades are a small table: how an operation treats sums over the batch.
//
//   keeps   shape operations, `neg`, `cast`: the grade of the operand
//   adds    add, sub, select of two sums: linear, a constant operand is shared out
//   scales  mul and matmul with one constant side, div by a constant: linear
//   other   applied to a sum, it is no longer one
//
// A row that meets a sum, and a sum that is stretched over the batch, make samples influence
// each other; what follows is Coupled.
#include "compiler/sema/tensor/GraphBuilder.h"

#include "compiler/sema/tensor/AcrossSamples.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace dlm::sema {

namespace {

enum class Linearity { Keeps, Adds, Scales, Divides, Other };

Linearity linearityOf(const std::string &op) {
  static const std::map<std::string, Linearity> table = {
      {"neg", Linearity::Keeps},          {"cast", Linearity::Keeps},
      {"reshape", Linearity::Keeps},      {"broadcast", Linearity::Keeps},
      {"transpose", Linearity::Keeps},    {"stop_gradient", Linearity::Keeps},
      {"variable", Linearity::Keeps},     {"share", Linearity::Keeps},
      {"add", Linearity::Adds},           {"sub", Linearity::Adds},
      {"mul", Linearity::Scales},         {"matmul", Linearity::Scales},
      {"contract", Linearity::Scales},    {"slice", Linearity::Keeps},
      {"concat", Linearity::Adds},        {"pad", Linearity::Keeps},
      {"flip", Linearity::Keeps},         {"cumsum", Linearity::Keeps},
      {"div", Linearity::Divides},        {"windows", Linearity::Keeps},
      {"convolution", Linearity::Scales}, {"convolution_transpose", Linearity::Scales},
  };
  auto found = table.find(op);
  return found == table.end() ? Linearity::Other : found->second;
}

bool hasBatchAxis(const TensorType &type) {
  return std::any_of(type.dims.begin(), type.dims.end(),
                     [](const Dim &dim) { return dim.extent.countsSamples(); });
}

/// The axes of samples, if each of them holds equally many elements for each sample; nothing if one
/// does not, such as `batch + 1`.
std::optional<std::vector<size_t>> sampleAxes(const std::vector<Dim> &dims) {
  std::vector<size_t> axes;
  for (size_t i = 0; i < dims.size(); ++i) {
    if (!dims[i].extent.countsSamples()) continue;
    std::optional<Extent> perSample = Extent::divide(dims[i].extent, Extent::batch());
    if (!perSample || perSample->countsSamples()) return std::nullopt;
    axes.push_back(i);
  }
  return axes;
}

/// How many elements stand between a step of the axis and the next one of the axes before it.
std::optional<Extent> stepsBefore(const std::vector<Dim> &dims, size_t axis) {
  std::optional<Extent> result = Extent::whole(1);
  for (size_t i = 0; i < axis && result; ++i)
    result = Extent::multiply(*result, dims[i].extent);
  return result;
}

/// How many letters of a product stand for axes of samples.
size_t sampleLetters(const Node &node, const Graph &graph) {
  std::set<char> letters;
  size_t operand = 0, axis = 0;
  for (char letter : node.op == "batch_contract" ? node.text : "") {
    if (letter == '-') break;
    if (letter == ',') {
      ++operand;
      axis = 0;
    } else if (graph.nodes[node.operands[operand]].type.dims[axis++].extent.countsSamples()) {
      letters.insert(letter);
    }
  }
  return letters.size();
}

/// Whether samples meet other than by a reduction: every one with every other, or one with those
/// that stand beside it. An axis that holds several elements of each sample, or one for several
/// samples, has them in the order of the samples: what would change that mixes them.
bool mixesSamples(const Node &node, const Graph &graph) {
  auto own = sampleAxes(node.type.dims);
  if (!own || own->size() > 1) return true;
  bool isReduction = node.op == "batch_reduce" || node.op == "batch_contract";
  if (isReduction && (!own->empty() || sampleLetters(node, graph) > 1)) return true;
  for (NodeId operand : node.operands) {
    const std::vector<Dim> &dims = graph.nodes[operand].type.dims;
    auto axes = sampleAxes(dims);
    if (!axes || axes->size() > 1) return true;
    if (axes->empty() || isReduction) continue;
    if (own->empty()) return true;
    if (node.op != "reshape") continue;
    auto before = stepsBefore(dims, axes->front());
    if (!before || before != stepsBefore(node.type.dims, own->front())) return true;
  }
  return false;
}

/// Grade of an operation on sums (and constants), none of them with a batch axis.
Grade gradeOfSums(const Node &node, const std::vector<Grade> &grades) {
  size_t sums = std::count(grades.begin(), grades.end(), Grade::Sum);
  switch (linearityOf(node.op)) {
  case Linearity::Keeps:
  case Linearity::Adds:
    return Grade::Sum;
  case Linearity::Scales:
    return sums == 1 ? Grade::Sum : Grade::Coupled;
  case Linearity::Divides:
    return grades[1] == Grade::Constant ? Grade::Sum : Grade::Coupled;
  case Linearity::Other:
    break;
  }
  return node.op == "reduce" && node.text == "add" ? Grade::Sum : Grade::Coupled;
}

/// The gradient of a sum over samples at each sample depends on that sample alone. One at a sum
/// over samples is of the whole sum, and no part of a micro-batch adds to it.
Grade gradeOfGradient(const Node &node, const Graph &graph) {
  if (hasBatchAxis(node.type)) return Grade::Row;
  Grade number = graph.nodes[node.operands[0]].grade, point = graph.nodes[node.operands[1]].grade;
  if (point == Grade::Sum) return Grade::Coupled;
  return number == Grade::Constant ? Grade::Constant : Grade::Sum;
}

/// Grade of a loop whose operands are rows or constants. A step must treat each sample by itself; a
/// sum that is carried from step to step is not followed.
Grade gradeOfLoop(const Node &node, const Graph &graph, bool hasRow) {
  const Graph &step = *node.bodies[0];
  for (const auto &entry : step.results) {
    Grade grade = step.nodes[entry.second].grade;
    if (grade == Grade::Sum || grade == Grade::Coupled) return Grade::Coupled;
  }
  bool isOverAxis = node.ints[1] >= 0;
  const TensorType &source = graph.nodes[node.operands[size_t(node.ints[0])]].type;
  if (isOverAxis && source.dims[size_t(node.ints[1])].extent.countsSamples()) return Grade::Coupled;
  return hasRow ? Grade::Row : Grade::Constant;
}

/// Grade of one result of a loop that is not coupled. What stacks a row for each number up to the
/// size of the batch would be numbered anew in each part of it.
Grade gradeOfLoopResult(const Node &node, const Graph &graph) {
  auto axes = sampleAxes(node.type.dims);
  const Node &loop = graph.nodes[node.operands[0]];
  bool isStacked = node.ints[0] >= loop.ints[0];
  bool isOverRange = loop.ints[1] < 0;
  bool isBySample = isStacked && isOverRange && node.type.dims[0].extent.countsSamples();
  if (!axes || axes->size() > 1 || isBySample) return Grade::Coupled;
  if (hasBatchAxis(node.type)) return Grade::Row;
  const Graph &step = *graph.nodes[node.operands[0]].bodies[0];
  return step.nodes[step.results[size_t(node.ints[0])].second].grade;
}

/// The operation in a loop's step that couples it, or the node itself.
const Node *meetingPlace(const Node &node) {
  if (node.op != "scan") return &node;
  for (const Node &each : node.bodies[0]->nodes)
    if (each.grade == Grade::Sum || each.grade == Grade::Coupled)
      return each.op == "capture" ? &node : meetingPlace(each);
  return &node;
}

} // namespace

bool isDividedByCount(const Node &node, const Graph &graph) {
  if (node.op != "div" || graph.nodes[node.operands[0]].grade != Grade::Sum) return false;
  const Node &divisor = graph.nodes[node.operands[1]];
  return divisor.grade != Grade::Constant && !divisor.dependsOnModel;
}

GraphGrade gradeOf(const Graph &graph) {
  std::vector<NodeId> roots;
  for (const auto &entry : graph.results)
    roots.push_back(entry.second);
  for (const NextValue &next : graph.nexts)
    roots.push_back(next.value);
  return gradeOf(graph, roots);
}

GraphGrade gradeOf(const Graph &graph, const std::vector<NodeId> &roots) {
  GraphGrade result;
  std::vector<bool> needed(graph.nodes.size());
  for (NodeId root : roots)
    needed[root] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;) {
    const Node &node = graph.nodes[i];
    if (!needed[i]) continue;
    bool isQuotient = isDividedByCount(node, graph);
    if (isQuotient) result.count = &node;
    if (node.grade == Grade::Coupled) result.cause = &node;
    for (size_t k = 0; k < node.operands.size(); ++k)
      if (!isQuotient || k == 0) needed[node.operands[k]] = true;
  }
  for (NodeId root : roots)
    result.grade = std::max(result.grade, graph.nodes[root].grade);
  if (result.cause) result.grade = Grade::Coupled;
  if (result.cause) result.inner = meetingPlace(*result.cause);
  return result;
}

Grade gradeOf(const Node &node, const Graph &graph) {
  if (isDividedByCount(node, graph)) return Grade::Sum;
  std::vector<Grade> grades;
  bool hasRow = false, hasSum = false;
  for (NodeId operand : node.operands) {
    grades.push_back(graph.nodes[operand].grade);
    if (grades.back() == Grade::Coupled) return Grade::Coupled;
    hasRow |= grades.back() == Grade::Row;
    hasSum |= grades.back() == Grade::Sum;
  }
  if (node.op == "scan") return hasSum ? Grade::Coupled : gradeOfLoop(node, graph, hasRow);
  if (node.op == "scan_result") return gradeOfLoopResult(node, graph);
  if (mixesSamples(node, graph) || actsAcrossSamples(node, graph)) return Grade::Coupled;
  if (node.op == "batch_contract") return hasSum ? Grade::Coupled : Grade::Sum;
  if (node.op == "gradient_of") return gradeOfGradient(node, graph);
  if (node.op == "batch_reduce") return node.text == "add" ? Grade::Sum : Grade::Coupled;
  bool isOverBatch = hasBatchAxis(node.type);
  if (!hasSum) return hasRow || isOverBatch ? Grade::Row : Grade::Constant;
  return hasRow || isOverBatch ? Grade::Coupled : gradeOfSums(node, grades);
}

NodeId GraphBuilder::add(Node node) {
  // What a loop carries is taken to be of the model.
  static const std::set<std::string> ofModel = {"parameter", "buffer", "state",  "target",
                                                "gradient",  "slot",   "shadow", "scan"};
  node.dependsOnModel = ofModel.count(node.op) != 0;
  for (NodeId operand : node.operands)
    node.dependsOnModel |= graph.nodes[operand].dependsOnModel;
  node.grade = gradeOf(node, graph);
  if (node.grade == Grade::Sum && linearityOf(node.op) == Linearity::Adds)
    for (NodeId &operand : node.operands)
      if (graph.nodes[operand].grade == Grade::Constant) operand = share(operand);
  graph.nodes.push_back(std::move(node));
  return NodeId(graph.nodes.size() - 1);
}

NodeId GraphBuilder::share(NodeId operand) {
  Node node;
  node.op = "share";
  node.type = graph.nodes[operand].type;
  node.operands = {operand};
  node.span = graph.nodes[operand].span;
  node.layer = graph.nodes[operand].layer;
  node.dependsOnModel = graph.nodes[operand].dependsOnModel;
  node.grade = Grade::Sum;
  graph.nodes.push_back(std::move(node));
  return NodeId(graph.nodes.size() - 1);
}

NodeId GraphBuilder::leaf(const std::string &op, const std::string &text, const TensorType &type,
                          Span span) {
  // Tests of one file may give parameters of other sizes the same path.
  auto found = leaves.find({op, text});
  auto isSame = [&](const TensorType &known) {
    return known.dtype == type.dtype && sameShape(known.dims, type.dims);
  };
  if (found != leaves.end() && isSame(graph.nodes[found->second].type)) return found->second;
  Node node;
  node.op = op;
  node.text = text;
  node.type = type;
  node.span = span;
  NodeId result = add(std::move(node));
  leaves[{op, text}] = result;
  return result;
}

NodeId GraphBuilder::capture(NodeId outer, const Node &node) {
  auto found = std::find(capturedNodes.begin(), capturedNodes.end(), outer);
  std::string number = std::to_string(found - capturedNodes.begin());
  if (found == capturedNodes.end()) capturedNodes.push_back(outer);
  NodeId result = leaf("capture", number, node.type, node.span);
  // A loop that a sum goes into is coupled, so nothing in it is shared out.
  graph.nodes[result].grade = node.grade == Grade::Sum ? Grade::Coupled : node.grade;
  graph.nodes[result].dependsOnModel = node.dependsOnModel;
  return result;
}

void GraphBuilder::prune() {
  std::vector<bool> needed(graph.nodes.size());
  for (const auto &entry : graph.results)
    needed[entry.second] = true;
  for (const NextValue &next : graph.nexts)
    needed[next.value] = true;
  for (size_t i = graph.nodes.size(); i-- > 0;)
    if (needed[i])
      for (NodeId operand : graph.nodes[i].operands)
        needed[operand] = true;
  std::vector<NodeId> place(graph.nodes.size());
  Graph kept;
  for (size_t i = 0; i < graph.nodes.size(); ++i) {
    if (!needed[i]) continue;
    place[i] = NodeId(kept.nodes.size());
    kept.nodes.push_back(std::move(graph.nodes[i]));
    for (NodeId &operand : kept.nodes.back().operands)
      operand = place[operand];
  }
  for (const auto &entry : graph.results)
    kept.results.emplace_back(entry.first, place[entry.second]);
  for (const NextValue &next : graph.nexts)
    kept.nexts.push_back({next.path, place[next.value], next.span, next.call});
  graph = std::move(kept);
}

NodeId GraphBuilder::copyFrom(const Graph &other, NodeId root) {
  std::set<NodeId> needed; // in order, so operands come before their uses
  std::vector<NodeId> open = {root};
  while (!open.empty()) {
    NodeId node = open.back();
    open.pop_back();
    if (copies.count(node) || !needed.insert(node).second) continue;
    for (NodeId operand : other.nodes[node].operands)
      open.push_back(operand);
  }
  for (NodeId id : needed) {
    Node node = other.nodes[id];
    if (node.operands.empty() && !node.text.empty() && node.op != "random") {
      copies[id] = leaf(node.op, node.text, node.type, node.span);
      continue;
    }
    for (NodeId &operand : node.operands)
      operand = copies.at(operand);
    copies[id] = add(std::move(node));
  }
  return copies.at(root);
}

} // namespace dlm::sema
