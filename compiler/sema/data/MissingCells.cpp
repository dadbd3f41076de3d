// See MissingCells.h.
#include "compiler/sema/data/MissingCells.h"

#include "compiler/sema/data/FileMemory.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/CsvFile.h"

#include <algorithm>
#include <set>

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

/// The columns of numbers of the table's file that lack a cell; none if it cannot be read.
std::set<std::string> incompleteColumns(const DataSource &table) {
  return fileMemory().recall<std::set<std::string>>("missing cells", {table.path}, [&] {
    std::set<std::string> names;
    Expected<CsvFile> file = CsvFile::open(table.path);
    CsvRecord record;
    while (file) {
      Expected<bool> got = file->next(record);
      if (!got || !*got) break;
      for (size_t i = 0; i < record.cells.size() && i < file->columns().size(); ++i)
        if (isMissingCell(record.cells[i])) names.insert(file->columns()[i]);
    }
    return names;
  });
}

/// A column of numbers that may lack cells: one that does, if its file can tell.
const Column *missingColumn(const DataSource &table) {
  const Column *found = nullptr;
  std::set<std::string> incomplete;
  for (const Column &column : table.columns) {
    if (column.isCategory || !column.mayBeMissing || column.name == table.target) continue;
    if (!found) incomplete = incompleteColumns(table);
    bool isIncomplete = incomplete.count(column.name) > 0;
    if (isIncomplete) return &column;
    if (!found) found = &column;
  }
  return found;
}

} // namespace

void warnOfMissing(Evaluator &evaluator, const DataSource &table, const Graph &graph, Span place,
                   const std::string &help) {
  if (inputOf(graph, "present")) return;
  const Node *numbers = inputOf(graph, "number");
  if (!numbers || isTakenApart(graph, numbers)) return;
  const Column *column = missingColumn(table);
  if (!column) return;
  evaluator
      .report(Kind::UnreadPresent, place.isValid() ? place : numbers->place(),
              "cells of the column \"" + column->name +
                  "\" may be missing, and the 0 in their place is taken for a number here")
      .help(help);
}

} // namespace dlm::sema
