// All are looked for in the text itself: what the lexer made of their words does not matter.

#include "compiler/syntax/ForeignTexts.h"

#include "grammar/DlmLexer.h"

#include <algorithm>

namespace dlm {

namespace {

/// The end behind `close`, which stands at `begin` or later; nothing if it does not.
std::optional<uint32_t> endOf(std::string_view all, size_t begin, const char *close) {
  size_t at = all.find(close, begin);
  if (at == std::string_view::npos) return std::nullopt;
  return static_cast<uint32_t>(at + std::string_view(close).size());
}

} // namespace

std::optional<StrayRead> reportForeignText(Span first, DiagnosticEngine &diagnostics) {
  std::string_view all = diagnostics.sources().text(first.file);
  std::string_view rest = all.substr(first.begin);
  if (rest.substr(0, 2) == "/*") {
    Span sign{first.file, first.begin, first.begin + 2};
    std::optional<uint32_t> end = endOf(all, sign.end, "*/");
    if (!end) return std::nullopt;
    diagnostics.error(Kind::Syntax, sign, "`/*` begins no comment")
        .help("comments begin with `//`, on each of their lines");
    return StrayRead{*end, 0, false};
  }
  bool startsLine = first.begin == 0 || all[first.begin - 1] == '\n';
  for (const char *mark : {"<<<<<<<", "=======", ">>>>>>>"}) {
    if (!startsLine || rest.substr(0, 7) != mark) continue;
    diagnostics
        .error(Kind::Syntax, {first.file, first.begin, first.begin + 7},
               "this mark was left by a merge")
        .help("keep one of the versions, and delete the marks");
    return StrayRead{first.begin + uint32_t(std::min(rest.find('\n'), rest.size())), 0, false};
  }
  if (startsLine && rest.substr(0, 3) == "```") {
    auto end = static_cast<uint32_t>(std::min(all.find('\n', first.begin), all.size()));
    Span line{first.file, first.begin, end};
    diagnostics.error(Kind::Syntax, line, "this line is of Markdown, not of a program")
        .help("a file holds what stands between the lines of back quotes, without them", line, "",
              Applicability::Exact);
    return StrayRead{end, 0, false};
  }
  if (rest.substr(0, 3) != "\"\"\"") return std::nullopt;
  Span quotes{first.file, first.begin, first.begin + 3};
  std::optional<uint32_t> end = endOf(all, quotes.end, "\"\"\"");
  if (!end) return std::nullopt;
  diagnostics.error(Kind::Syntax, quotes, "texts in three quotes do not exist")
      .help("a text stands in `\"` on one line; `///` on the line above documents a declaration, "
            "and other comments begin with `//`");
  return StrayRead{*end, grammar::DlmLexer::K_STRING, true};
}

} // namespace dlm
