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
  std::string program;  // the same without documentation
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
  result.program = printAst(*tree, false);
  result.hasStrayDocs = diagnostics.warningCount() > 0;
  for (Span comment : filtered.comments) {
    std::string_view text = sources.text(comment);
    result.comments += text.substr(0, text.find_last_not_of(" \t\f\r") + 1);
    result.comments += "\n";
  }
  result.tokens = format::commentedTokens(sources.text(file), filtered);
  return result;
}

/// What is wrong with a formatted text, or null. If `docsMayChange`, a `///` may document something
/// else.
const char *faultOf(const ReadFile &before, const std::string &text, bool docsMayChange) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::optional<ReadFile> after =
      readFile(sources, sources.addFile("formatted", text), diagnostics);
  if (!after) return "the result would not parse";
  if (after->comments != before.comments) return "a comment would be lost";
  bool isSame = docsMayChange ? after->program == before.program : after->tree == before.tree;
  return isSame ? nullptr : "the program would change";
}

/// Lays out a formatted text again until nothing changes: what had to break for a comment or for
/// its width may be taken for the author's wish the second time.
std::string settled(std::string text, const ReadFile &before, bool docsMayChange) {
  constexpr int roundsMax = 8; // two are enough but for a few texts that nobody writes
  for (int round = 0; round < roundsMax; ++round) {
    SourceManager sources;
    DiagnosticEngine diagnostics(sources);
    std::optional<ReadFile> read =
        readFile(sources, sources.addFile("formatted", text), diagnostics);
    if (!read) return text;
    std::string next = format::layOut(format::buildLayoutTree(std::move(read->tokens)));
    if (next == text || faultOf(before, next, docsMayChange)) return text;
    text = std::move(next);
  }
  return text;
}

/// Whether comments stand between the beginning of a token and that of a later one.
bool hasCommentBetween(const std::vector<format::CommentedToken> &tokens, size_t first,
                       size_t last) {
  for (size_t i = first; i < last; ++i)
    if (!tokens[i].behind.empty() || !tokens[i + 1].above.empty()) return true;
  return false;
}

/// A `///` behind code documents what begins or ends on its line. If that declaration gets more
/// lines, or the line had several, it no longer does: then it has to stand above the first one that
/// is on the line. Moves those in the middle of a statement, or behind several; returns whether
/// there were any. `unclear` is the first.
bool moveDocsUp(std::vector<format::CommentedToken> &tokens, std::string_view &unclear) {
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
    size_t next = i + 1 < tokens.size() ? tokens[i + 1].type : size_t(DlmLexer::K_SEP);
    if (next == DlmLexer::K_SEP && first == statements.back()) continue;
    if (unclear.empty()) unclear = token.behind[0].text;
    size_t above = hasCommentBetween(tokens, first, i) ? statements.back() : first;
    if (hasCommentBetween(tokens, above, i)) continue; // comments keep their order
    format::CommentedToken &target = tokens[above];
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
  const char *fault = nullptr;
  std::string_view unclear;
  std::vector<format::CommentedToken> moved = before->tokens;
  while (moveDocsUp(moved, unclear))
    continue;
  // A `///` that documents nothing, of which the compiler warns, may come to document something:
  // rather that than another losing what it documents.
  for (auto [tokens, docsMayChange] : {std::pair(&before->tokens, false), std::pair(&moved, false),
                                       std::pair(&moved, true), std::pair(&before->tokens, true)}) {
    if (docsMayChange && !before->hasStrayDocs) break;
    std::string text = format::layOut(format::buildLayoutTree(*tokens));
    if (text == sources.text(file)) return text;
    fault = faultOf(*before, text, docsMayChange);
    if (!fault) return settled(std::move(text), *before, docsMayChange);
  }
  if (!unclear.empty()) {
    auto begin = static_cast<uint32_t>(unclear.data() - sources.text(file).data());
    Span span{file, begin, begin + static_cast<uint32_t>(unclear.size())};
    diagnostics.error(Kind::Syntax, span, "this `///` comment stands between parts of a statement")
        .help("write it above the declaration that it documents");
    return std::nullopt;
  }
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
