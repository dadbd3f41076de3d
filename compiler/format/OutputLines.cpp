// Comments wait until their line ends: a comma or separator may still come in front of them.

#include "compiler/format/OutputLines.h"

#include "compiler/source/Utf8.h"

namespace dlm::format {

void OutputLines::newline(size_t indent) {
  std::vector<Comment> waiting = std::move(comments);
  comments.clear();
  if (isOpen) {
    if (!waiting.empty()) {
      line.comment = waiting[0].text;
      line.commentColumn = waiting[0].column;
    }
    lines.push_back(std::move(line));
  }
  line = OutputLine();
  isOpen = false;
  for (size_t i = 1; i < waiting.size(); ++i) {
    OutputLine own;
    own.text = std::string(indentation, ' ') + std::string(waiting[i].text);
    lines.push_back(std::move(own));
  }
  indentation = indent;
}

void OutputLines::blankLine(size_t indent) {
  newline(indent);
  lines.emplace_back();
}

void OutputLines::write(std::string_view text, size_t width) {
  if (!isOpen) {
    line.text = std::string(indentation, ' ');
    line.width = indentation;
    isOpen = true;
  }
  line.text += text;
  line.width += width;
}

void OutputLines::comment(const Comment &comment) { comments.push_back(comment); }

void OutputLines::column(ColumnKind kind, const CommentedToken &token) {
  line.columns.push_back({kind, line.text.size(), token.column, token.isPadded});
}

void OutputLines::dropColumn(size_t index) {
  OutputLine &where = index < lines.size() ? lines[index] : line;
  std::vector<Column> &columns = where.columns;
  if (!columns.empty() && columns.back().kind == ColumnKind::Value) columns.pop_back();
}

std::string OutputLines::text() {
  newline(0);
  alignColumns(lines);
  std::string result;
  for (const OutputLine &each : lines)
    result += each.text + each.comment + "\n";
  return result;
}

} // namespace dlm::format
