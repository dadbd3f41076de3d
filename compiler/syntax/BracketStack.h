// The brackets open at a place of a file, and what is wrong with them.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/FaultySpans.h"

#include <optional>
#include <vector>

namespace dlm {

struct OpenBracket {
  size_t type;
  Span span;
  uint32_t indentation; // columns in front of the line it stands on
};

class BracketStack {
public:
  static constexpr size_t none = ~size_t(0);

  BracketStack(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics,
               FaultySpans &faultySpans);

  bool isEmpty() const { return frames.size() == 1; }
  size_t depth() const { return frames.size() - 1; }
  const OpenBracket &innermost() const { return frames.back().bracket; }

  /// Whether a line end may end a statement here: outside of brackets and directly inside `{`.
  bool linesMatter() const;

  void open(size_t type, Span span);
  void close() { frames.pop_back(); }
  void endStatement() { frames.back().tight = frames.back().loose = frames.back().statement = 0; }

  /// How many brackets lie inside the one that `closing` closes, or `none` if it closes nothing.
  size_t countAbove(size_t closing) const;

  /// Whether the bracket with `above` others inside it was opened on the line of `span`.
  bool opensOnLineOf(size_t above, Span span) const;

  /// Counts a token that is about to be added; returns how deep the tree around it is: brackets,
  /// and the prefix and right-associative operators whose operand is still open.
  unsigned countNesting(size_t type, size_t previousType);

  /// Remembers a block whose closing `}` is indented less than its opening line: if a `}` turns
  /// out to be missing, this is where.
  void compareIndentation(Span closing);

  void reportUnclosed(const char *reason, Span here);
  void reportUnclosedBlock(const char *reason, Span here);
  void reportUnclosedAtEnd();
  void reportMismatch(size_t closing, Span here);

private:
  struct Frame {
    OpenBracket bracket;
    unsigned outside = 0;   // nesting around the bracket, itself included
    unsigned tight = 0;     // `-` and `**`: their operand ends at the next weaker operator
    unsigned loose = 0;     // `not`: its operand ends at `and`, `or` and `|>`
    unsigned statement = 0; // `if` and `->`: counted to the end of the statement
    unsigned nesting() const { return outside + tight + loose + statement; }
  };
  void report(const OpenBracket &bracket, const char *reason, Span here);
  void helpWithComment(const OpenBracket &bracket, DiagnosticBuilder &builder) const;
  bool hasFaultOnLine(Span span) const;
  uint32_t indentationOf(Span span) const;

  const SourceManager &sources;
  FileId file;
  DiagnosticEngine &diagnostics;
  FaultySpans &faultySpans;
  std::vector<Frame> frames;
  std::optional<OpenBracket> suspect;
};

} // namespace dlm
