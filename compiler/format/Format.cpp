// Parses, lays out, and parses the result to see that nothing but the layout has changed.

#include "compiler/format/Format.h"

#include "compiler/format/Layout.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"

namespace dlm {

namespace {

struct FormattedFile {
  std::string tree;     // the program, as `dlmc --emit=ast` prints it
  std::string comments; // all of them, one a line
  format::LayoutTree layout;
};

/// Parses a file as far as it matters here; nothing if it has errors.
std::optional<FormattedFile> readFile(const SourceManager &sources, FileId file,
                                      DiagnosticEngine &diagnostics) {
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  if (!tree) return std::nullopt;
  DiagnosticEngine reportedBefore(sources);
  FilteredTokens filtered = readTokens(sources, file, reportedBefore);
  FormattedFile result;
  result.tree = printAst(*tree);
  std::vector<format::CommentedToken> tokens =
      format::commentedTokens(sources.text(file), filtered);
  for (Span comment : filtered.comments) {
    std::string_view text = sources.text(comment);
    result.comments += text.substr(0, text.find_last_not_of(" \t\f\r") + 1);
    result.comments += "\n";
  }
  result.layout = format::buildLayoutTree(std::move(tokens));
  return result;
}

std::optional<std::string> formatOnLargeStack(const SourceManager &sources, FileId file,
                                              DiagnosticEngine &diagnostics) {
  std::optional<FormattedFile> before = readFile(sources, file, diagnostics);
  if (!before) return std::nullopt;
  std::string text = format::layOut(before->layout);
  if (text == sources.text(file)) return text;
  SourceManager formattedSources;
  DiagnosticEngine formattedDiagnostics(formattedSources);
  FileId formatted = formattedSources.addFile(std::string(sources.path(file)), text);
  std::optional<FormattedFile> after = readFile(formattedSources, formatted, formattedDiagnostics);
  const char *fault = !after                                ? "the result would not parse"
                      : after->tree != before->tree         ? "the program would have changed"
                      : after->comments != before->comments ? "a comment would have been lost"
                                                            : nullptr;
  if (!fault) return text;
  diagnostics.error(Kind::Syntax, {file, 0, 0},
                    std::string("internal error in the formatter: ") + fault);
  return std::nullopt;
}

} // namespace

std::optional<std::string> formatText(const SourceManager &sources, FileId file,
                                      DiagnosticEngine &diagnostics) {
  std::optional<std::string> result;
  runOnLargeStack([&] { result = formatOnLargeStack(sources, file, diagnostics); });
  return result;
}

} // namespace dlm
