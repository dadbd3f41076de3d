// See FieldIds.h. A count belongs to fields, not to their names: a map hands it on with the ids.
#include "compiler/sema/data/FieldIds.h"

#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <set>

namespace dlm::sema {

namespace {

using Names = std::set<std::string>;

/// What one of the two counts belongs to.
struct Counted {
  int64_t count;
  Names names;
  bool isNamed = false; // a field has one of these names
};

/// The operations that change where ids stand, and not what they are.
bool movesOnly(const Node &node) {
  static const Names names = {"broadcast", "dynamic_slice", "flip",
                              "reshape",   "slice",         "transpose"};
  return names.count(node.op) != 0 || (node.op == "cast" && isInteger(node.type.dtype));
}

} // namespace

void countIds(DataSource &source) {
  Counted tokens = {source.vocab, {"ids", "next"}};
  Counted classes = {source.classes, {"label", "mask", "target"}};
  for (const Field &field : source.fields)
    for (Counted *each : {&tokens, &classes})
      each->isNamed |= isInteger(field.type.dtype) && each->names.count(field.name) != 0;
  auto isOf = [](const Counted &counted, const Counted &other, const std::string &name) {
    if (counted.count == 0) return false;
    if (counted.isNamed) return counted.names.count(name) != 0;
    bool isOpen = other.count == 0 || other.isNamed; // else it may be of either
    return isOpen && other.names.count(name) == 0;
  };
  for (Field &field : source.fields) {
    if (!isInteger(field.type.dtype)) continue;
    field.areTokens = isOf(tokens, classes, field.name);
    if (field.areTokens)
      field.ids = tokens.count;
    else if (isOf(classes, tokens, field.name))
      field.ids = classes.count;
  }
}

const Field *idsBehind(const Graph &graph, NodeId id, const DataSource &source) {
  while (movesOnly(graph.nodes[id]))
    id = graph.nodes[id].operands[0];
  const Node &node = graph.nodes[id];
  if (node.op != "input") return nullptr;
  for (const Field &field : source.fields)
    if (field.name == node.text) return field.ids > 0 ? &field : nullptr;
  return nullptr;
}

std::vector<const Column *> columnsBehind(const Graph &graph, NodeId id, const DataSource &table) {
  if (!table.maps.empty()) return {};
  const Node *slice = nullptr;
  for (; movesOnly(graph.nodes[id]); id = graph.nodes[id].operands[0]) {
    const Node &node = graph.nodes[id];
    bool isOfField = graph.nodes[node.operands[0]].op == "input";
    if (node.op == "dynamic_slice" || (node.op == "slice" && !isOfField)) return {};
    if (node.op == "slice") slice = &node;
  }
  const Node &input = graph.nodes[id];
  if (input.op != "input" || input.text != "category") return {};
  std::vector<const Column *> columns;
  for (const Column &column : table.columns)
    if (column.isCategory && column.name != table.target) columns.push_back(&column);
  if (!slice) return columns;
  bool isPlain = slice->extents.size() == 2 && slice->extents[1].isWhole() &&
                 slice->type.dims.size() == 2 && slice->type.dims[1].isWhole();
  if (!isPlain) return {};
  size_t begin = size_t(slice->extents[1].asWhole());
  size_t end = begin + size_t(slice->type.dims[1].size());
  if (end > columns.size()) return {};
  return {columns.begin() + ptrdiff_t(begin), columns.begin() + ptrdiff_t(end)};
}

} // namespace dlm::sema
