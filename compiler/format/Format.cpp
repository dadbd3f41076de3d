// Parses, lays out, and parses the result to see that nothing but the layout has changed.

#include "compiler/format/Format.h"

#include "compiler/format/Layout.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"
#include "grammar/DlmLexer.h"

namespace dlm {

using grammar::DlmLexer;

namespace {

/// What must not change, and the tokens.
struct ReadFile {
  std::string tree;     // the program, as `dlmc --emit=ast` prints it
  std::string comments; // all of them, one a line
  std::vector<format::CommentedToken> tokens;
  bool hasStrayDocs = false; // some `///` documents nothing
};

/// Parses a file; nothing if it has errors.
std::optional<ReadFile> readFile(const SourceManager &sources, FileId file,
                                 DiagnosticEngine &diagnostics) {
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  if (!tree) return std::nullopt;
  DiagnosticEngine reportedBefore(sources);
  FilteredTokens filtered = readTokens(sources, file, reportedBefore);
  ReadFile result;
  result.tree = printAst(*tree);
  result.hasStrayDocs = diagnostics.warningCount() > 0;
  for (Span comment : filtered.comments) {
    std::string_view text = sources.text(comment);
    result.comments += text.substr(0, text.find_last_not_of(" \t\f\r") + 1);
    result.comments += "\n";
  }
  result.tokens = format::commentedTokens(sources.text(file), filtered);
  return result;
}

/// A tree without the lines that are documentation.
std::string withoutDocs(const std::string &tree) {
  std::string result;
  for (size_t begin = 0; begin < tree.size();) {
    size_t end = std::min(tree.find('\n', begin), tree.size() - 1) + 1;
    std::string_view line = std::string_view(tree).substr(begin, end - begin);
    if (line.substr(std::min(line.find_first_not_of(' '), line.size()), 3) != "///") result += line;
    begin = end;
  }
  return result;
}

/// Whether nothing but the layout has changed. A `///` that documented nothing, of which the
/// compiler warns, may come to document what it stands at.
bool hasSameTree(const ReadFile &before, const ReadFile &after) {
  if (before.tree == after.tree) return true;
  return before.hasStrayDocs && withoutDocs(before.tree) == withoutDocs(after.tree);
}

/// What is wrong with a formatted text, or null.
const char *faultOf(const ReadFile &before, const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::optional<ReadFile> after =
      readFile(sources, sources.addFile("formatted", text), diagnostics);
  return !after                               ? "the result would not parse"
         : after->comments != before.comments ? "a comment would be lost"
         : !hasSameTree(before, *after)       ? "the program would change"
                                              : nullptr;
}

/// A `///` behind code documents what begins or ends on its line. If that declaration gets more
/// lines, or the line had several, it no longer does: then it has to stand above the first one that
/// is on the line. Moves all of this kind; returns whether there were any.
bool moveDocsUp(std::vector<format::CommentedToken> &tokens) {
  bool hasMoved = false;
  std::vector<size_t> statements = {0}; // where they begin, for each block around the token
  size_t first = 0;                     // the statement that the line begins in
  for (size_t i = 0; i < tokens.size(); ++i) {
    format::CommentedToken &token = tokens[i];
    if (token.type == DlmLexer::K_SEP) statements.back() = i + 1;
    if (token.type == DlmLexer::K_RBRACE) statements.pop_back();
    if (token.newlinesBefore > 0 || !token.above.empty()) first = statements.back();
    if (token.type == DlmLexer::K_LBRACE) statements.push_back(i + 1);
    if (token.behind.empty() || token.behind[0].text.substr(0, 3) != "///") continue;
    format::CommentedToken &target = tokens[first];
    target.above.push_back(token.behind[0]);
    target.above.back().newlinesBefore = target.newlinesBefore;
    target.newlinesBefore = 1;
    token.behind.clear();
    hasMoved = true;
  }
  return hasMoved;
}

std::optional<std::string> formatOnLargeStack(const SourceManager &sources, FileId file,
                                              DiagnosticEngine &diagnostics) {
  std::optional<ReadFile> before = readFile(sources, file, diagnostics);
  if (!before) return std::nullopt;
  std::vector<format::CommentedToken> tokens = before->tokens;
  for (;;) {
    std::string text = format::layOut(format::buildLayoutTree(tokens));
    const char *fault = text == sources.text(file) ? nullptr : faultOf(*before, text);
    if (!fault) return text;
    if (moveDocsUp(tokens)) continue;
    diagnostics.error(Kind::Syntax, {file, 0, 0},
                      std::string("internal error in the formatter: ") + fault);
    return std::nullopt;
  }
}

} // namespace

std::optional<std::string> formatText(const SourceManager &sources, FileId file,
                                      DiagnosticEngine &diagnostics) {
  std::optional<std::string> result;
  runOnLargeStack([&] { result = formatOnLargeStack(sources, file, diagnostics); });
  return result;
}

} // namespace dlm
