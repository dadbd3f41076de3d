// See MissingCells.h.
#include "compiler/sema/data/MissingCells.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::sema {

namespace {

const Node *inputOf(const Graph &graph, const std::string &field) {
  for (const Node &node : graph.nodes)
    if (node.op == "input" && node.text == field) return &node;
  return nullptr;
}

/// Whether only some of its columns are looked at, which may be those that are always there.
bool isTakenApart(const Graph &graph, const Node *numbers) {
  NodeId id = NodeId(numbers - graph.nodes.data());
  return std::all_of(graph.nodes.begin(), graph.nodes.end(), [&](const Node &node) {
    bool isUse = std::count(node.operands.begin(), node.operands.end(), id) > 0;
    return !isUse || node.op == "slice";
  });
}

} // namespace

void warnOfMissing(Evaluator &evaluator, const DataSource &table, const Graph &graph, Span place,
                   const std::string &help) {
  auto column = std::find_if(table.columns.begin(), table.columns.end(), [](const Column &each) {
    return !each.isCategory && each.mayBeMissing;
  });
  if (column == table.columns.end() || inputOf(graph, "present")) return;
  const Node *numbers = inputOf(graph, "number");
  if (!numbers || isTakenApart(graph, numbers)) return;
  evaluator
      .report(Kind::UnreadPresent, place.isValid() ? place : numbers->place(),
              "cells of the column \"" + column->name +
                  "\" may be missing, and the 0 in their place is taken for a number here")
      .help(help);
}

} // namespace dlm::sema
