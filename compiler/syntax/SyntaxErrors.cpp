// Mistakes that people are known to make come first, each with its own message and advice; all
// others are told from the set of tokens that would have fitted.

#include "compiler/syntax/SyntaxErrors.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/syntax/TokenFilter.h"
#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmParser.h"

namespace dlm {

using grammar::DlmParser;

namespace {

/// A token made by the filter stands for nothing in the text; the token after it is meant.
antlr4::Token *visibleToken(const SyntaxErrorSite &site) {
  antlr4::Token *token = site.found;
  while (token->getType() != antlr4::Token::EOF &&
         tokenSpan(site.file, *token).begin == tokenSpan(site.file, *token).end)
    token = site.tokens.get(token->getTokenIndex() + 1);
  return token;
}

class SyntaxErrorWriter {
public:
  SyntaxErrorWriter(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics)
      : site(site), diagnostics(diagnostics), found(visibleToken(site)), type(found->getType()),
        span(syntaxErrorSpan(site)) {}

  void report() {
    if (reportPercent() || reportLineStart() || reportForeignWord() || reportLoop() ||
        reportAssignment() || reportColon() || reportUseList() || reportReservedWord() ||
        reportMissingAssign())
      return;
    if (site.atStart) return reportStart();
    reportExpected();
  }

private:
  std::string textOf(const antlr4::Token &token) const {
    return std::string(diagnostics.sources().text(tokenSpan(site.file, token)));
  }

  std::string foundText() const {
    if (type == antlr4::Token::EOF) return "the end of the file";
    std::string text = textOf(*found);
    if (type == DlmParser::K_SEP && text != ";") return "the end of the line";
    return "`" + (text.size() > 40 ? text.substr(0, 37) + "..." : text) + "`";
  }

  /// The n-th token before the one found, or null.
  antlr4::Token *before(size_t n) const {
    size_t index = site.found->getTokenIndex();
    return index >= n ? site.tokens.get(index - n) : nullptr;
  }

  size_t typeBefore(size_t n) const {
    antlr4::Token *token = before(n);
    return token ? token->getType() : size_t(DlmParser::K_SEP);
  }

  /// The first token of the statement around the one found.
  antlr4::Token *statementStart() const {
    size_t index = site.found->getTokenIndex();
    while (index > 0) {
      size_t previous = site.tokens.get(index - 1)->getType();
      if (previous == DlmParser::K_SEP || previous == DlmParser::K_LBRACE) break;
      --index;
    }
    return site.tokens.get(index);
  }

  DiagnosticBuilder error(std::string message) {
    return diagnostics.error(Kind::Syntax, span, std::move(message));
  }

  /// `10%3`: the sign belongs to the number.
  bool reportPercent() {
    if (typeBefore(1) != DlmParser::K_PERCENT || !beginsExpression(type)) return false;
    Span percent = tokenSpan(site.file, *before(1));
    std::string number = textOf(*before(1));
    number.pop_back();
    diagnostics
        .error(Kind::Syntax, cover(percent, span),
               "`" + number + "%` is a percentage, and " + foundText() + " follows it")
        .help("for the remainder of a division put spaces around `%`", percent, number + " % ",
              Applicability::Guess);
    return true;
  }

  /// A line that begins with `-`, `(` or `[` is a statement of its own.
  bool reportLineStart() {
    antlr4::Token *previous = before(1);
    if (!site.atStart || !previous || previous->getType() != DlmParser::K_SEP) return false;
    if (textOf(*previous) == ";") return false;
    if (type != DlmParser::K_MINUS && type != DlmParser::K_LPAREN && type != DlmParser::K_LBRACK)
      return false;
    error("a line that begins with " + foundText() + " does not continue the line above")
        .help(type == DlmParser::K_MINUS
                  ? "end the line above with `-`, or put the whole expression in `( )`"
                  : "move " + foundText() + " to the end of the line above");
    return true;
  }

  /// Words of other languages.
  bool reportForeignWord() {
    antlr4::Token *start = statementStart();
    if (start->getType() != DlmParser::K_IDENT) return false;
    if (site.found != start && site.found->getTokenIndex() != start->getTokenIndex() + 1)
      return false;
    static const std::pair<const char *, const char *> words[] = {
        {"return", "there is no `return`: the last expression of a block is its value"},
        {"def", "functions are declared with `fn`"},
        {"func", "functions are declared with `fn`"},
        {"function", "functions are declared with `fn`"},
        {"class", "a function with stored parts is declared with `model`"},
        {"struct", "there are records, `(a = 1, b = 2)`, and no declared types"},
        {"import", "modules are imported with `use`"},
        {"from", "modules are imported with `use`"},
        {"var", "values are named with `let`, and never change"},
        {"const", "values are named with `let`, and never change"},
        {"while", "there are no loops: `scan` and `fold` carry a value over an axis or a list"},
    };
    std::string word = textOf(*start);
    for (const auto &[name, advice] : words) {
      if (word != name) continue;
      diagnostics
          .error(Kind::Syntax, tokenSpan(site.file, *start), "`" + word + "` begins no statement")
          .help(advice);
      return true;
    }
    return false;
  }

  bool reportLoop() {
    if (!site.atStart || type != DlmParser::K_FOR) return false;
    error("`for` begins no statement")
        .help("`[f(x) for x in xs]` makes a list; `scan` and `fold` carry a value over an axis or "
              "a list");
    return true;
  }

  /// `x = 3` in a block, `if a = b`.
  bool reportAssignment() {
    if (type != DlmParser::K_ASSIGN || site.atStart) return false;
    antlr4::Token *start = statementStart();
    if (site.statementRule == DlmParser::RuleStmt && isNameToken(start->getType()) &&
        start->getTokenIndex() + 1 == site.found->getTokenIndex()) {
      Span name = tokenSpan(site.file, *start);
      error("`" + textOf(*start) + "` is given a value without `let`")
          .help("name a new value with `let`; a buffer gets its value of the next step by `next`",
                {site.file, name.begin, name.begin}, "let ", Applicability::Guess);
      return true;
    }
    bool isCondition = site.rule == DlmParser::RuleBlock || site.rule == DlmParser::RuleRequireStmt;
    if (!isCondition && !expects(DlmParser::K_EQ)) return false;
    error("`=` stands inside an expression")
        .help("equality is written `==`", span, "==", Applicability::Guess);
    return true;
  }

  /// `batch: 64` in a train block.
  bool reportColon() {
    if (type != DlmParser::K_COLON || !expects(DlmParser::K_ASSIGN) ||
        !expects(DlmParser::K_LBRACE))
      return false;
    bool isGlued = tokenSpan(site.file, *before(1)).end == span.begin;
    error("a setting gets its value by `=`")
        .help("write `=` in place of `:`", span, isGlued ? " =" : "=", Applicability::Guess);
    return true;
  }

  /// `use nn optim`.
  bool reportUseList() {
    if (statementStart()->getType() != DlmParser::K_USE || !isNameToken(type) ||
        !isNameToken(typeBefore(1)))
      return false;
    uint32_t end = tokenSpan(site.file, *before(1)).end;
    error("expected `,` before " + foundText())
        .help("modules are separated by commas", {site.file, end, end}, ",", Applicability::Guess);
    return true;
  }

  bool reportReservedWord() {
    if (!isReservedWord(type) || endsLineAbove() || !expects(DlmParser::K_IDENT) ||
        expects(DlmParser::K_NUMBER) || expects(DlmParser::K_PLUS))
      return false;
    auto builder = diagnostics.error(
        Kind::ReservedWord, span, foundText() + " is a word of the language and cannot be a name");
    if (typeBefore(1) != DlmParser::K_DOT)
      builder.help("call it `" + textOf(*found) + "_`", span, textOf(*found) + "_",
                   Applicability::Placeholder);
    return true;
  }

  bool reportMissingAssign() {
    if (!beginsExpression(type) || type == DlmParser::K_LPAREN || type == DlmParser::K_LBRACK ||
        !expects(DlmParser::K_ASSIGN) || expects(DlmParser::K_PLUS) ||
        site.rule == DlmParser::RuleParam)
      return false;
    error("expected `=` before " + foundText())
        .help("give the value behind `=`", {site.file, span.begin, span.begin}, "= ",
              Applicability::Guess);
    return true;
  }

  /// Nothing that may stand here begins with this token.
  void reportStart() {
    std::vector<std::string> words;
    const char *what = "a statement";
    switch (site.rule) {
    case DlmParser::RuleSourceFile:
      what = "a declaration";
      words = {"use",       "option", "let",    "fn",     "model",
               "optimizer", "train",  "search", "export", "test"};
      break;
    case DlmParser::RuleMembers:
      what = "a member of the model";
      words = {"param", "buffer", "state", "let", "fn", "require"};
      break;
    case DlmParser::RuleItems:
      what = "a setting or a section";
      break;
    default:
      break;
    }
    if (isNameToken(type) && !words.empty()) {
      auto builder = error(foundText() + " does not begin " + what);
      std::string near = nearestWord(textOf(*found), words);
      if (!near.empty())
        builder.help("there is a word `" + near + "`", span, near, Applicability::Guess);
      else
        builder.help(std::string(what) + " begins with " + quotedList(words));
      return;
    }
    auto builder = error(std::string("expected ") + what + " before " + foundText());
    if (!words.empty()) builder.help(std::string(what) + " begins with " + quotedList(words));
  }

  static std::string quotedList(const std::vector<std::string> &words) {
    std::string list;
    for (size_t i = 0; i < words.size(); ++i)
      list += (i == 0 ? "`" : i + 1 == words.size() ? " or `" : ", `") + words[i] + "`";
    return list;
  }

  bool expects(size_t token) const { return site.expected.contains(token); }

  /// What the brackets around the fault hold.
  const char *elementNoun() const {
    switch (site.rule) {
    case DlmParser::RuleParams:
    case DlmParser::RulePattern:
      return "a name";
    case DlmParser::RuleTypeRef:
      return "a type";
    default:
      return "an expression";
    }
  }

  /// All single words and signs that fit, but for operators, of which there are too many.
  std::vector<std::string> expectedSpellings() const {
    std::vector<std::string> list;
    for (ssize_t token : site.expected.toList()) {
      auto expected = static_cast<size_t>(token);
      bool isOperator = expects(DlmParser::K_PLUS) && beginsOrJoins(expected);
      std::string text = token > 0 && !isOperator ? spelling(expected) : "";
      if (!text.empty()) list.push_back("`" + text + "`");
    }
    if (list.size() > 4) list.resize(4);
    return list;
  }

  static bool beginsOrJoins(size_t token) {
    bool continues = continuesExpression(token) && token != DlmParser::K_LBRACE &&
                     token != DlmParser::K_COLON && !isClosingBracket(token);
    return continues || isNameToken(token) || token == DlmParser::K_MINUS ||
           token == DlmParser::K_LPAREN || token == DlmParser::K_LBRACK;
  }

  /// Inside brackets the grammar has decided against a comma before it misses the closing one, so
  /// what stood before tells more than the set of tokens that would fit.
  std::vector<std::string> expectedWords() const {
    std::vector<std::string> closing;
    for (size_t token : {DlmParser::K_RPAREN, DlmParser::K_RBRACK})
      if (expects(token)) closing = {"`" + spelling(token) + "`"};
    std::vector<std::string> list;
    if (expects(DlmParser::K_NUMBER))
      list = {"an expression"};
    else if (expects(DlmParser::K_IDENT) && !expects(DlmParser::K_PLUS))
      list = {site.rule == DlmParser::RuleTypeRef ? "a type" : "a name"};
    else if (expects(DlmParser::K_SEP))
      return {"the end of the statement"};
    else if (!closing.empty() && endsExpression(typeBefore(1)))
      list = {"`,`"};
    else if (!closing.empty() || site.expected.isEmpty())
      list = {elementNoun()};
    else if (expects(DlmParser::K_STRING))
      list = {"a text in double quotes"};
    else
      return expectedSpellings();
    if (list.front() != "a type") list.insert(list.end(), closing.begin(), closing.end());
    return list;
  }

  void reportExpected() {
    std::vector<std::string> list = expectedWords();
    std::string words;
    for (size_t i = 0; i < list.size(); ++i)
      words += (i == 0 ? "" : i + 1 == list.size() ? " or " : ", ") + list[i];
    if (endsLineAbove()) {
      diagnostics.error(Kind::Syntax, tokenSpan(site.file, *before(1)),
                        "expected " + words + " behind `" + textOf(*before(1)) + "`");
      return;
    }
    auto builder = error("expected " + words + " before " + foundText());
    size_t previous = typeBefore(1);
    bool isValue = previous == DlmParser::K_ASSIGN || previous == DlmParser::K_LPAREN ||
                   previous == DlmParser::K_COMMA || previous == DlmParser::K_FATARROW;
    if (type == DlmParser::K_LBRACE && expects(DlmParser::K_NUMBER) && isValue)
      builder.help("records are written with `( )`, lists and maps with `[ ]`");
    if (type == DlmParser::K_COMMA && expects(DlmParser::K_SEP))
      builder.help("statements and settings are separated by a new line or `;`");
    if (type == DlmParser::K_IF && expects(DlmParser::K_SEP))
      builder.help("a choice is written `if condition { a } else { b }`");
    if (type == DlmParser::K_DOT && expects(DlmParser::K_NUMBER))
      builder.help("a number needs a digit on both sides of its point: `0.5`");
  }

  /// Whether a line above ends unfinished: `let a = b +`.
  bool endsLineAbove() const {
    antlr4::Token *previous = before(1);
    if (!previous || previous->getType() == DlmParser::K_SEP) return false;
    const SourceManager &sources = diagnostics.sources();
    Span above = tokenSpan(site.file, *previous);
    return above.begin != above.end && sources.position(site.file, above.begin).line <
                                           sources.position(site.file, span.begin).line;
  }

  const SyntaxErrorSite &site;
  DiagnosticEngine &diagnostics;
  antlr4::Token *found;
  size_t type;
  Span span;
};

} // namespace

Span syntaxErrorSpan(const SyntaxErrorSite &site) {
  Span span = tokenSpan(site.file, *visibleToken(site));
  if (visibleToken(site)->getType() == DlmParser::K_SEP) span.end = span.begin;
  return span;
}

void reportSyntaxError(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics) {
  SyntaxErrorWriter(site, diagnostics).report();
}

} // namespace dlm
