// The text form of a diagnostic:
//
//   error[shape-mismatch]: `@` contracts sizes 512 and 256
//     --> blocks.dlm:14:22
//      |
//   14 |     let h = gelu(x @ w1)
//      |                  -   ^^ first dimension is 256
//      |                  |
//      |                  last dimension is 512
//
// The labels of a line are drawn as a small picture: all underlines in one row, the text of the
// rightmost behind its underline, the other texts hung below theirs from right to left. A span
// over several lines is underlined to the end of its first line only: nobody reads a block of `^`.

#include "compiler/diagnostics/LinePicture.h"
#include "compiler/diagnostics/Render.h"

#include <algorithm>
#include <map>

namespace dlm {

namespace {

class DiagnosticWriter {
public:
  DiagnosticWriter(const SourceManager &sources, const Diagnostic &diagnostic, bool isColoured)
      : sources(sources), diagnostic(diagnostic), isColoured(isColoured),
        gutterWidth(widestLineNumber()) {}

  std::string write() {
    bool isError = diagnostic.severity == Severity::Error;
    std::string word(kindInfo(diagnostic.kind).word);
    out =
        coloured(std::string(isError ? "error[" : "warning[") + word + "]", isError ? red : yellow);
    out += coloured(": " + diagnostic.message, bold) + "\n";
    writeSnippet(diagnostic.span, diagnostic.labels);
    for (const Note &note : diagnostic.notes) {
      out += coloured("note", cyan) + ": " + note.text + "\n";
      if (note.span.isValid()) writeSnippet(note.span, {{note.span, {}, false}});
    }
    for (const Help &help : diagnostic.helps)
      writeHelp(help);
    return std::move(out);
  }

private:
  static constexpr const char *red = "\x1b[1;31m";
  static constexpr const char *yellow = "\x1b[1;33m";
  static constexpr const char *cyan = "\x1b[1;36m";
  static constexpr const char *bold = "\x1b[1m";

  std::string coloured(const std::string &text, const char *colour) const {
    return isColoured ? colour + text + "\x1b[0m" : text;
  }

  size_t widestLineNumber() const {
    uint32_t widest = 1;
    auto include = [&](Span span) {
      if (span.isValid()) widest = std::max(widest, sources.position(span.file, span.begin).line);
    };
    include(diagnostic.span);
    for (const Label &label : diagnostic.labels)
      include(label.span);
    for (const Note &note : diagnostic.notes)
      include(note.span);
    for (const Help &help : diagnostic.helps)
      include(help.span);
    return std::to_string(widest).size();
  }

  void writeArrow(const char *arrow, Span span) {
    LineColumn at = sources.position(span.file, span.begin);
    out += std::string(gutterWidth, ' ') + arrow + " ";
    out.append(sources.path(span.file));
    out += ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + "\n";
  }

  void writeRow(const std::string &text) {
    std::string row = std::string(gutterWidth + 1, ' ') + "|";
    if (!text.empty()) row += " " + text;
    out += row + "\n";
  }

  void writeNumberedRow(uint32_t line, const std::string &text) {
    std::string number = std::to_string(line);
    out += std::string(gutterWidth - std::min(gutterWidth, number.size()), ' ') + number + " |";
    if (!text.empty()) out += " " + text;
    out += "\n";
  }

  /// Writes the lines of all labels: those of the primary file first, each file under its arrow.
  void writeSnippet(Span primary, const std::vector<Label> &labels) {
    if (!primary.isValid()) return;
    std::map<FileId, std::map<uint32_t, std::vector<Label>>> byLine;
    for (const Label &label : labels)
      byLine[label.span.file][sources.position(label.span.file, label.span.begin).line].push_back(
          label);
    writeArrow("-->", primary);
    writeLines(primary.file, byLine[primary.file]);
    for (auto &[file, lines] : byLine) {
      if (file == primary.file) continue;
      writeArrow(":::", lines.begin()->second.front().span);
      writeLines(file, lines);
    }
  }

  void writeLines(FileId file, const std::map<uint32_t, std::vector<Label>> &lines) {
    writeRow("");
    uint32_t previous = 0;
    for (const auto &[line, labels] : lines) {
      if (previous != 0 && line == previous + 2)
        writeNumberedRow(line - 1, drawLine(sources, file, line - 1, {}).front());
      if (previous != 0 && line > previous + 2) out += std::string(gutterWidth, ' ') + "...\n";
      std::vector<std::string> rows = drawLine(sources, file, line, labels);
      writeNumberedRow(line, rows.front());
      for (size_t i = 1; i < rows.size(); ++i)
        writeRow(rows[i]);
      previous = line;
    }
  }

  void writeHelp(const Help &help) {
    out += coloured("help", cyan) + ": " + help.text + "\n";
    if (!help.span.isValid()) return;
    writeRow("");
    std::vector<std::string> rows = drawEdit(sources, help.span, help.replacement);
    writeNumberedRow(sources.position(help.span.file, help.span.begin).line, rows.front());
    for (size_t i = 1; i < rows.size(); ++i)
      writeRow(rows[i]);
  }

  const SourceManager &sources;
  const Diagnostic &diagnostic;
  bool isColoured;
  size_t gutterWidth;
  std::string out;
};

} // namespace

/// "3 more errors and 1 more warning are not shown"; empty if all were.
static std::string hiddenText(unsigned errors, unsigned warnings) {
  if (errors + warnings == 0) return "";
  auto counted = [](unsigned count, const char *noun) {
    return std::to_string(count) + " more " + noun + (count == 1 ? "" : "s");
  };
  std::string text = errors > 0 ? counted(errors, "error") : "";
  if (errors > 0 && warnings > 0) text += " and ";
  if (warnings > 0) text += counted(warnings, "warning");
  return text + (errors + warnings == 1 ? " is" : " are") + " not shown; --all-errors shows all\n";
}

std::string renderText(const DiagnosticEngine &diagnostics, const RenderOptions &options) {
  std::string out;
  unsigned errors = 0, warnings = 0; // shown
  for (const Diagnostic *diagnostic : diagnostics.sorted()) {
    bool isError = diagnostic->severity == Severity::Error;
    if (isError && errors == options.errorsMax) break;
    if (!isError && warnings == options.errorsMax) continue;
    ++(isError ? errors : warnings);
    if (!out.empty()) out += "\n";
    out += DiagnosticWriter(diagnostics.sources(), *diagnostic, options.isColoured).write();
  }
  std::string hidden =
      hiddenText(diagnostics.errorCount() - errors, diagnostics.warningCount() - warnings);
  return hidden.empty() ? out : out + "\n" + hidden;
}

} // namespace dlm
