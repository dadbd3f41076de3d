// Labels are recognised by where they come from: a field of the batch that no map of the source has
// changed, perhaps in another shape or integer type.
#include "compiler/sema/tensor/DataSizes.h"

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// Whether a map of the source hands the field on as it is.
bool keepsField(const SampleMap &map, const std::string &name) {
  for (const auto &[field, id] : map.training.results) {
    if (field != name) continue;
    const Node &node = map.training.nodes[id];
    return node.op == "input" && node.text == name;
  }
  return false;
}

/// Whether the tensor is the class ids of the data, not computed from them.
bool isLabels(TensorWriter &tensors, const Tensor &target, const DataSource &data) {
  NodeId id = tensors.use(target);
  const Graph &graph = tensors.current().graph;
  while (graph.nodes[id].op == "reshape" ||
         (graph.nodes[id].op == "cast" && isInteger(graph.nodes[id].type.dtype)))
    id = graph.nodes[id].operands[0];
  const Node &node = graph.nodes[id];
  bool isClass = node.text == "label" || node.text == "mask" || node.text == "target";
  return node.op == "input" && isClass && isInteger(node.type.dtype) &&
         std::all_of(data.maps.begin(), data.maps.end(),
                     [&](const SampleMap &map) { return keepsField(map, node.text); });
}

std::string classesText(int64_t count) {
  return std::to_string(count) + (count == 1 ? " class" : " classes");
}

/// The parameter or the field of the data that a size of the tensor comes from; null if none is
/// found.
const Node *sourceOf(TensorWriter &tensors, const Tensor &tensor, const Dim &dim) {
  NodeId root = tensors.use(tensor);
  const Graph &graph = tensors.current().graph;
  std::vector<NodeId> open = {root};
  std::vector<bool> seen(graph.nodes.size());
  while (!open.empty()) {
    NodeId id = open.back();
    open.pop_back();
    const Node &node = graph.nodes[id];
    bool hasSize = std::any_of(node.type.dims.begin(), node.type.dims.end(),
                               [&](const Dim &each) { return each.extent == dim.extent; });
    if (seen[id] || !hasSize) continue;
    seen[id] = true;
    if (node.op == "parameter" || node.op == "input") return &node;
    open.insert(open.end(), node.operands.begin(), node.operands.end());
  }
  return nullptr;
}

} // namespace

bool checkClassCount(Evaluator &evaluator, const Value &logits, const Value &target, Span call) {
  const DataSource *data = evaluator.context.data;
  bool areTensors = logits.is(ValueKind::Tensor) && target.is(ValueKind::Tensor);
  if (!data || data->classes < 1 || !areTensors) return true;
  if (evaluator.report.diagnostics.hasErrors()) return true; // it may be their consequence
  const std::vector<Dim> &dims = logits.asTensor().type.dims;
  if (dims.empty() || !dims.back().isWhole() || dims.back().size() == data->classes) return true;
  if (!isLabels(evaluator.tensors, target.asTensor(), *data)) return true;
  bool isShort = dims.back().size() < data->classes;
  std::string owner = data->name.empty() ? "the data" : "`" + data->name + "`";
  Report message(evaluator.report, isShort ? Kind::ShapeMismatch : Kind::ClassCount, call,
                 "the logits have " + classesText(dims.back().size()) + ", and the labels of " +
                     owner + " have " + std::to_string(data->classes));
  message.withoutLibrary();
  const Node *source = sourceOf(evaluator.tensors, logits.asTensor(), dims.back());
  auto place = evaluator.program.parameterPlaces.find(source ? source->text : "");
  if (place != evaluator.program.parameterPlaces.end())
    message.note(place->second, "the number of logits comes from here");
  if (!data->name.empty())
    message.help("their number is `" + data->name + ".classes`, whatever it is");
  return !isShort;
}

void noteSizeOfData(Evaluator &evaluator, Report &message, const Tensor &tensor, const Dim &dim) {
  const DataSource *data = evaluator.context.data;
  if (!data || !dim.isWhole()) return;
  const Node *source = sourceOf(evaluator.tensors, tensor, dim);
  if (!source || source->op != "input") return;
  message.note(data->span, "the " + dimText(dim) + " is a size of the data: `" + source->text +
                               "` is `" + typeText(source->type) + "`");
}

} // namespace dlm::sema
