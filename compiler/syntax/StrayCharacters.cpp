// Where the meaning is certain, reading goes on as if the right characters stood there, so that the
// rest of the line is checked as well.

#include "compiler/syntax/StrayCharacters.h"

#include "grammar/DlmLexer.h"

#include <algorithm>
#include <cctype>

namespace dlm {

using grammar::DlmLexer;

namespace {

/// Characters with one meaning here.
struct Stand {
  const char *written;
  const char *meant;
  size_t token; // 0: white space
  const char *help;
};

const std::vector<Stand> &stands() {
  static const std::vector<Stand> rows = {
      {"&&", "and", DlmLexer::K_AND, "the logical operator is `and`"},
      {"||", "or", DlmLexer::K_OR, "the logical operator is `or`"},
      {"\u2212", "-", DlmLexer::K_MINUS, "the sign is `-`, as on the keyboard"},
      {"\u2013", "-", DlmLexer::K_MINUS, "the sign is `-`, as on the keyboard"},
      {"\u00D7", "*", DlmLexer::K_STAR, "products are written `*`"},
      {"\u00B7", "*", DlmLexer::K_STAR, "products are written `*`"},
      {"\u00F7", "/", DlmLexer::K_SLASH, "quotients are written `/`"},
      {"\u2264", "<=", DlmLexer::K_LE, "it is written `<=`"},
      {"\u2265", ">=", DlmLexer::K_GE, "it is written `>=`"},
      {"\u2260", "!=", DlmLexer::K_NE, "it is written `!=`"},
      {"\u2192", "->", DlmLexer::K_ARROW, "it is written `->`"},
      {"\u00A0", " ", 0, "it is a space of another kind: write a plain one"},
  };
  return rows;
}

/// Quotation marks that open a text, with those that close it.
const std::vector<std::pair<std::string, std::string>> &quotes() {
  static const std::vector<std::pair<std::string, std::string>> rows = {
      {"'", "'"},           {"`", "`"},           {"\u201C", "\u201D"},
      {"\u2018", "\u2019"}, {"\u201E", "\u201C"}, {"\u00AB", "\u00BB"},
  };
  return rows;
}

/// Other characters that are known from elsewhere.
const char *adviceFor(const std::string &written, char next, bool operandBefore) {
  switch (written[0]) {
  case '^':
    return "powers are written `**`";
  case '&':
    return operandBefore ? "the logical operator is `and`"
                         : "there are no references: leave it out";
  case '|':
    return "`x |> f` passes a value on; the logical operator is `or`";
  case '!':
    return operandBefore ? "there are no macros: lists are written `[a, b]`"
                         : "the logical operator is `not`";
  case '\\':
    return next == '\n' || next == '\r' ? "a line goes on inside `( )`, or if the next one begins "
                                          "with an operator"
                                        : nullptr;
  case '$':
    return "names consist of letters, digits and `_`";
  case '~':
    return "the logical operator is `not`; bits have none";
  default:
    return nullptr;
  }
}

bool isDigit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class StrayReader {
public:
  StrayReader(Span span, bool operandBefore, DiagnosticEngine &diagnostics)
      : span(span), operandBefore(operandBefore), diagnostics(diagnostics),
        all(diagnostics.sources().text(span.file)), written(diagnostics.sources().text(span)) {}

  StrayRead read() {
    if (written[0] == '#') return readComment();
    if (std::optional<StrayRead> text = readText()) return *text;
    for (const Stand &stand : stands())
      if (written.compare(0, std::string(stand.written).size(), stand.written) == 0)
        return readStand(stand);
    if (written[0] == '|' && !operandBefore) return readClosure();
    if (std::optional<StrayRead> type = readUnion()) return *type;
    bool isLetter = static_cast<unsigned char>(written[0]) >= 0xC3 &&
                    static_cast<unsigned char>(written[0]) < 0xE2;
    if (isLetter) return readName();
    auto builder = error(span, described() + " is not part of the language");
    if (const char *advice = adviceFor(written, at(span.end), operandBefore)) builder.help(advice);
    return {span.end};
  }

private:
  char at(uint32_t offset) const { return offset < all.size() ? all[offset] : '\n'; }

  uint32_t lineEnd() const {
    size_t end = all.find('\n', span.begin);
    return static_cast<uint32_t>(end == std::string_view::npos ? all.size() : end);
  }

  DiagnosticBuilder error(Span where, std::string message) {
    return diagnostics.error(Kind::Syntax, where, std::move(message));
  }

  std::string described() const {
    bool isPrintable = static_cast<unsigned char>(written[0]) >= 0x20 && written[0] != 0x7F;
    return written[0] == '`' ? "a back quote"
           : isPrintable     ? "`" + written.substr(0, 40) + "`"
                             : "a control character";
  }

  /// `# a comment`: nothing of the line is read.
  StrayRead readComment() {
    Span sign = {span.file, span.begin, span.begin + 1};
    bool isPlain = at(sign.end) != '[' && at(sign.end) != '!';
    error(sign, "`#` is not part of the language")
        .help("comments begin with `//`", sign, "//",
              isPlain ? Applicability::Exact : Applicability::Guess);
    return {lineEnd(), 0, false};
  }

  /// `'text'`: read as a text in double quotes.
  std::optional<StrayRead> readText() {
    for (const auto &[open, close] : quotes()) {
      if (written.compare(0, open.size(), open) != 0) continue;
      auto begin = static_cast<uint32_t>(span.begin + open.size());
      size_t end = all.find(close, begin);
      if (end == std::string_view::npos || end > lineEnd()) continue;
      std::string inside(all.substr(begin, end - begin));
      Span whole = {span.file, span.begin, static_cast<uint32_t>(end + close.size())};
      bool isPlain = inside.find_first_of("\"\\") == std::string::npos;
      char previous = span.begin > 0 ? at(span.begin - 1) : ' ';
      bool isGlued = isNamePart(previous) || previous == ')' || previous == ']';
      auto builder = error(whole, "a text stands in double quotes");
      if (isGlued) // `a' * b'`, `f'{x}'`
        builder.help("a matrix is turned by `.T`; nothing stands in front of a text");
      else if (isPlain)
        builder.help("write `\"` on both sides", whole, "\"" + inside + "\"", Applicability::Exact);
      return StrayRead{whole.end, DlmLexer::K_STRING, false};
    }
    if (written[0] != '\'') return std::nullopt;
    bool isInNumber = span.begin > 0 && isDigit(at(span.begin - 1)) && isDigit(at(span.begin + 1));
    if (isInNumber) {
      error({span.file, span.begin, span.begin + 1}, "`'` stands in a number")
          .help("`_` may stand between digits: `10_000`", {span.file, span.begin, span.begin + 1},
                "_", Applicability::Exact);
      return StrayRead{span.begin + 1};
    }
    error({span.file, span.begin, span.begin + 1}, "`'` is not part of the language")
        .help("texts stand in double quotes");
    return StrayRead{span.begin + 1};
  }

  StrayRead readStand(const Stand &stand) {
    Span sign = {span.file, span.begin,
                 static_cast<uint32_t>(span.begin + std::string(stand.written).size())};
    std::string replacement = stand.meant;
    bool isWord = std::isalpha(static_cast<unsigned char>(replacement[0])) != 0;
    if (isWord && sign.begin > 0 && isNamePart(at(sign.begin - 1))) replacement.insert(0, " ");
    if (isWord && isNamePart(at(sign.end))) replacement += ' ';
    std::string name = stand.token ? "`" + std::string(stand.written) + "`" : "this space";
    error(sign, name + " is not part of the language")
        .help(stand.help, sign, replacement, Applicability::Exact);
    return {sign.end, stand.token, false};
  }

  /// `|x|` in front of what it computes.
  StrayRead readClosure() {
    size_t close = all.find('|', span.end);
    bool isClosed = close != std::string_view::npos && close < lineEnd();
    Span whole = {span.file, span.begin, isClosed ? static_cast<uint32_t>(close + 1) : span.end};
    error(whole, "`|` is not part of the language")
        .help("a function without a name is written `fn(x) { ... }`");
    return {whole.end};
  }

  /// `int | none`: read as `int?`. Other types do not join.
  std::optional<StrayRead> readUnion() {
    size_t begin = all.find_last_not_of(" \t", span.begin - 1) + 1;
    if (written != "|" || !isTypeBefore(begin)) return std::nullopt;
    size_t word = std::min(all.find_first_not_of(" \t", span.end), all.size());
    std::string_view none = all.substr(word, 4);
    Span edited{span.file, static_cast<uint32_t>(begin), static_cast<uint32_t>(word) + 4};
    auto builder = error(span, "`|` is not part of the language");
    if ((none != "none" && none != "None") || isNamePart(at(edited.end))) {
      builder.help("a type is one of them; a parameter without a type takes any value");
      return StrayRead{span.end};
    }
    builder.help("the type of a value that may be `none` ends with `?`", edited, "?",
                 Applicability::Exact);
    return StrayRead{edited.end, DlmLexer::K_QUESTION, false};
  }

  /// Whether a type behind `:` or `->` ends at the offset, rather than a value.
  bool isTypeBefore(size_t end) const {
    size_t begin = end;
    int open = 0;
    for (; begin > 0 && all[begin - 1] != '\n'; --begin) {
      char c = all[begin - 1];
      if (c == '[' && open == 0) break;
      open += c == ']' ? 1 : c == '[' ? -1 : 0;
      if (open == 0 && c != '[' && !isNamePart(c) && c != '.') break;
    }
    size_t sign = begin == 0 ? std::string_view::npos : all.find_last_not_of(" \t", begin - 1);
    if (sign == std::string_view::npos || begin == end || !isNamePart(all[begin])) return false;
    return all[sign] == ':' || (all[sign] == '>' && sign > 0 && all[sign - 1] == '-');
  }

  /// A letter outside of a to z, with the name around it.
  StrayRead readName() {
    Span name = span;
    while (name.begin > 0 && isNamePart(at(name.begin - 1)))
      --name.begin;
    auto goesOn = [&](char c) { return isNamePart(c) || static_cast<unsigned char>(c) >= 0x80; };
    while (name.end < all.size() && goesOn(at(name.end)))
      ++name.end;
    error(name, "a name has a letter outside of a to z")
        .help("names consist of the letters a to z and A to Z, digits and `_`");
    return {name.end};
  }

  Span span;
  bool operandBefore;
  DiagnosticEngine &diagnostics;
  std::string_view all;
  std::string written;
};

} // namespace

StrayRead reportStray(Span span, bool operandBefore, DiagnosticEngine &diagnostics) {
  return StrayReader(span, operandBefore, diagnostics).read();
}

} // namespace dlm
