// The lines of the output while they grow, with what is needed to align them afterwards.
#pragma once

#include "compiler/format/CommentedTokens.h"

#include <string>

namespace dlm::format {

/// The greatest width of a line.
constexpr size_t widthMax = 100;

/// What is aligned, in the order in which it stands on a line.
/// Value: the `=`, `=>` or `{` in front of what a name stands for.
enum class ColumnKind { Name, Type, Value };

/// A place of a line that may be aligned with the same place of the lines above and below.
struct Column {
  ColumnKind kind;
  size_t offset = 0;         // in bytes
  uint32_t sourceColumn = 0; // where the author put it
  bool isPadded = false;     // by more than one space
};

struct OutputLine {
  std::string text;
  size_t width = 0; // of the text, in characters
  std::vector<Column> columns;
  size_t run = 0; // lines of one run follow each other without a gap; 0: of none
  std::string comment;
  uint32_t commentColumn = 0; // where the author put it
};

class OutputLines {
public:
  /// Ends the line, if one has begun; the next begins at `indent`.
  void newline(size_t indent);
  /// Ends the line and leaves one empty.
  void blankLine(size_t indent);
  void write(std::string_view text, size_t width);
  void space() { write(" ", 1); }
  /// Puts a comment at the end of the line; of two, the second gets its own line.
  void comment(const Comment &comment);
  /// Makes the line, of which nothing is written yet, one of a run.
  void beginRunLine(size_t run) { line.run = run; }
  /// Notes that what is written next may be aligned.
  void column(ColumnKind kind, const CommentedToken &token);
  /// Forgets the place of a block's `{` on a line, as the block has more than one line.
  void dropColumn(size_t line);

  bool hasBegun() const { return isOpen; }
  bool hasComment() const { return !comments.empty(); }
  size_t indent() const { return indentation; }
  size_t count() const { return lines.size(); }
  /// The column at which the next character stands.
  size_t width() const { return isOpen ? line.width : indentation; }

  /// All lines, aligned where the author had aligned them, as a text.
  std::string text();

private:
  std::vector<OutputLine> lines;
  OutputLine line;
  std::vector<Comment> comments; // at the end of the line
  size_t indentation = 0;
  bool isOpen = false;
};

/// Aligns columns and comments that were aligned in the source; see README.md.
void alignColumns(std::vector<OutputLine> &lines);

} // namespace dlm::format
