// Ids are recognised by where they come from: a field of the batch, perhaps a part of it or in
// another shape or integer type (data/FieldIds.h).
#include "compiler/sema/tensor/DataSizes.h"

#include "compiler/sema/data/FieldIds.h"
#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::sema {

namespace {

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

/// The field of counted ids that a tensor is, as far as the graph of the hook tells.
const Field *idsOf(TensorWriter &tensors, const Tensor &tensor, const DataSource &data) {
  NodeId id = tensors.use(tensor);
  return idsBehind(tensors.current().graph, id, data);
}

std::string ownerOf(const DataSource &data) {
  return data.name.empty() ? "the data" : "`" + data.name + "`";
}

/// Shows the parameter that a size comes from.
void noteOrigin(Evaluator &evaluator, Report &message, const Tensor &tensor, const Dim &dim,
                const std::string &what) {
  const Node *source = sourceOf(evaluator.tensors, tensor, dim);
  auto place = evaluator.program.parameterPlaces.find(source ? source->text : "");
  if (place != evaluator.program.parameterPlaces.end())
    message.note(place->second, what + " comes from here");
}

void adviseCount(Report &message, const DataSource &data, const Field &ids) {
  if (data.name.empty()) return;
  const char *member = ids.areTokens ? ".vocab" : ".classes";
  message.help("their number is `" + data.name + member + "`, whatever it is");
}

/// The column with the most ids, of those that a tensor holds ids of; null if it holds none.
const Column *largestColumn(TensorWriter &tensors, const Tensor &ids, const DataSource &data) {
  NodeId id = tensors.use(ids);
  std::vector<const Column *> columns = columnsBehind(tensors.current().graph, id, data);
  auto isLess = [](const Column *a, const Column *b) { return a->size < b->size; };
  auto largest = std::max_element(columns.begin(), columns.end(), isLess);
  return largest == columns.end() ? nullptr : *largest;
}

} // namespace

bool checkClassCount(Evaluator &evaluator, const Value &logits, const Value &target, Span call) {
  const DataSource *data = evaluator.context.data;
  if (!data || !logits.is(ValueKind::Tensor) || !target.is(ValueKind::Tensor)) return true;
  if (evaluator.report.diagnostics.hasErrors()) return true; // it may be their consequence
  const std::vector<Dim> &dims = logits.asTensor().type.dims;
  const Field *ids = idsOf(evaluator.tensors, target.asTensor(), *data);
  if (!ids || dims.empty() || !dims.back().isWhole() || dims.back().size() == ids->ids) return true;
  bool isShort = dims.back().size() < ids->ids;
  if (!isShort && ids->areTokens) return true; // a vocabulary is often filled up to a round number
  Report message(evaluator.report, isShort ? Kind::ShapeMismatch : Kind::ClassCount, call,
                 "the logits have " + classesText(dims.back().size()) + ", and the " +
                     (ids->areTokens ? "tokens" : "labels") + " of " + ownerOf(*data) + " have " +
                     std::to_string(ids->ids));
  message.withoutLibrary();
  noteOrigin(evaluator, message, logits.asTensor(), dims.back(), "the number of logits");
  adviseCount(message, *data, *ids);
  return !isShort;
}

bool checkRowCount(Evaluator &evaluator, const Tensor &table, const Dim &rows, const Tensor &ids,
                   Span span) {
  const DataSource *data = evaluator.context.data;
  if (!data || !rows.isWhole() || evaluator.report.diagnostics.hasErrors()) return true;
  std::string has = "the table has " + std::to_string(rows.size()) + " rows, and the ";
  const Column *column = largestColumn(evaluator.tensors, ids, *data);
  if (column && rows.size() < column->size) {
    Report message(evaluator.report, Kind::IndexRange, span,
                   has + "ids of the column \"" + column->name + "\" go up to " +
                       std::to_string(column->size - 1));
    message.withoutLibrary();
    noteOrigin(evaluator, message, table, rows, "the number of rows");
    if (!data->name.empty())
      message.help("a column knows their number: `[nn.Embedding(c.size, 4) for c in " + data->name +
                   ".columns.categories]`");
    return false;
  }
  const Field *field = idsOf(evaluator.tensors, ids, *data);
  bool isCounted = field && (field->areTokens || field->name == "label");
  if (!isCounted || rows.size() >= field->ids) return true;
  Report message(evaluator.report, Kind::IndexRange, span,
                 has + (field->areTokens ? "tokens of " : "labels of ") + ownerOf(*data) +
                     " go up to " + std::to_string(field->ids - 1));
  message.withoutLibrary();
  noteOrigin(evaluator, message, table, rows, "the number of rows");
  adviseCount(message, *data, *field);
  return false;
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
