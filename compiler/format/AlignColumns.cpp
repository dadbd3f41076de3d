// Alignment is the author's: where lines that follow each other had a place in the same column, and
// spaces were put in for that, the place is in one column again, as far left as it can be.
// Otherwise one space stands there. What results is aligned, or has single spaces, so a second pass
// changes nothing.

#include "compiler/format/OutputLines.h"

#include "compiler/source/Utf8.h"

#include <algorithm>
#include <map>

namespace dlm::format {

namespace {

using Lines = std::vector<OutputLine *>;

Column *findColumn(OutputLine &line, ColumnKind kind) {
  for (Column &column : line.columns)
    if (column.kind == kind) return &column;
  return nullptr;
}

size_t widthBefore(const OutputLine &line, const Column &column) {
  return characterCount(std::string_view(line.text).substr(0, column.offset));
}

void alignGroup(const Lines &group, ColumnKind kind) {
  size_t target = 0;
  bool isPadded = false;
  for (OutputLine *line : group) {
    const Column &column = *findColumn(*line, kind);
    target = std::max(target, widthBefore(*line, column));
    isPadded |= column.isPadded;
  }
  if (!isPadded || group.size() < 2) return;
  auto padding = [&](OutputLine *line) {
    return target - widthBefore(*line, *findColumn(*line, kind));
  };
  for (OutputLine *line : group)
    if (line->width + padding(line) > widthMax) return;
  for (OutputLine *line : group) {
    size_t count = padding(line);
    size_t offset = findColumn(*line, kind)->offset;
    line->text.insert(offset, count, ' ');
    line->width += count;
    for (Column &column : line->columns)
      if (column.offset >= offset) column.offset += count;
  }
}

/// Splits a run into groups whose place was in one column, and aligns each.
void alignRun(const Lines &run, ColumnKind kind) {
  Lines group;
  uint32_t groupColumn = 0;
  for (OutputLine *line : run) {
    const Column *column = findColumn(*line, kind);
    if (!group.empty() && (!column || column->sourceColumn != groupColumn)) {
      alignGroup(group, kind);
      group.clear();
    }
    if (!column) continue;
    groupColumn = column->sourceColumn;
    group.push_back(line);
  }
  alignGroup(group, kind);
}

/// Comments stand two spaces behind the code, or in the column that they shared.
void alignComments(std::vector<OutputLine> &lines) {
  for (size_t begin = 0; begin < lines.size();) {
    size_t end = begin + 1;
    size_t target = lines[begin].width;
    while (end < lines.size() && !lines[begin].comment.empty() && !lines[end].comment.empty() &&
           lines[end].commentColumn == lines[begin].commentColumn)
      target = std::max(target, lines[end++].width);
    for (; begin < end; ++begin)
      if (!lines[begin].comment.empty())
        lines[begin].text.append(target + 2 - lines[begin].width, ' ');
  }
}

} // namespace

void alignColumns(std::vector<OutputLine> &lines) {
  std::map<size_t, Lines> runs;
  for (OutputLine &line : lines)
    if (line.run != 0) runs[line.run].push_back(&line);
  for (auto kind : {ColumnKind::Name, ColumnKind::Type, ColumnKind::Value})
    for (auto &[number, run] : runs)
      alignRun(run, kind);
  alignComments(lines);
}

} // namespace dlm::format
