// Mistakes that people are known to make come first, each with its own message and advice; all
// others are told from the set of tokens that would have fitted.

#include "compiler/syntax/SyntaxErrors.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/syntax/SyntaxContext.h"
#include "compiler/syntax/SyntaxHabits.h"
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

constexpr size_t none = ~size_t(0);

class SyntaxErrorWriter {
public:
  SyntaxErrorWriter(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics)
      : site(site), diagnostics(diagnostics), found(visibleToken(site)), type(found->getType()),
        span(syntaxErrorSpan(site)) {}

  void report() {
    if (reportPercent() || reportLineStart() || reportArrow() || reportBodySign() ||
        reportSignature() || reportHabit(site, diagnostics) || reportAssignment() ||
        reportColon() || reportColonInside() || reportSeparator() || reportUseList() ||
        reportReservedWord() || reportMissingAssign())
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
              percent.end == span.begin ? Applicability::Exact : Applicability::Guess);
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

  /// `x = 3` in a block, `if a = b`.
  bool reportAssignment() {
    if (type != DlmParser::K_ASSIGN || site.atStart) return false;
    antlr4::Token *start = statementStart();
    if (site.statementRule == DlmParser::RuleStmt && isNameToken(start->getType()) &&
        start->getTokenIndex() + 1 == site.found->getTokenIndex()) {
      Span name = tokenSpan(site.file, *start);
      auto builder = error("`" + textOf(*start) + "` is given a value without `let`");
      if (isNamedAbove(site, diagnostics.sources(), *start))
        builder.help("values never change, and `" + textOf(*start) + "` has one: `let " +
                     textOf(*start) + "2 = ...`, and `" + textOf(*start) + "2` from there on");
      else if (!helpRecord(site, diagnostics.sources(), *start, builder))
        builder.help(
            "name a new value with `let`; a buffer gets its value of the next step by `next`",
            {site.file, name.begin, name.begin}, "let ", Applicability::Guess);
      return true;
    }
    bool isCondition = start->getType() == DlmParser::K_REQUIRE ||
                       start->getType() == DlmParser::K_EXPECT ||
                       (statementHas(DlmParser::K_IF) && !statementHas(DlmParser::K_FN));
    if (!isCondition && !expects(DlmParser::K_EQ)) return false;
    error("`=` stands inside an expression")
        .help("equality is written `==`", span,
              "==", isCondition ? Applicability::Exact : Applicability::Guess);
    return true;
  }

  /// `fn f(x): f32 {`, `fn f(x) f32 {`: the type of the result needs its arrow.
  bool reportArrow() {
    bool isResult = typeBefore(1) == DlmParser::K_RPAREN && expects(DlmParser::K_LBRACE) &&
                    (statementHas(DlmParser::K_FN) || statementHas(DlmParser::K_COMMAND));
    if (!isResult) return false;
    bool isSign = type == DlmParser::K_COLON || type == DlmParser::K_FATARROW;
    size_t at = site.found->getTokenIndex() + isSign;
    if (!isNameToken(site.tokens.get(at)->getType())) return false;
    while (!isStatementEnd(site.tokens.get(at)->getType()))
      ++at;
    if (site.tokens.get(at)->getType() != DlmParser::K_LBRACE) return false;
    Span place = isSign ? span : Span{site.file, span.begin, span.begin};
    bool isGlued = tokenSpan(site.file, *before(1)).end == span.begin;
    auto builder = error("the type of a result follows `->`");
    if (isTypeWord(textOf(*site.tokens.get(site.found->getTokenIndex() + isSign))))
      builder.help("write `->`", place,
                   !isSign   ? "-> "
                   : isGlued ? " ->"
                             : "->",
                   Applicability::Exact);
    else
      builder.help("a type such as `f32[n]` stands there, or nothing: `fn f(x) { ... }`");
    return true;
  }

  /// `fn f(x) = x + 1`, `fn(x) => x + 1`.
  bool reportBodySign() {
    bool isSign = type == DlmParser::K_ASSIGN || type == DlmParser::K_FATARROW;
    if (!isSign || !expects(DlmParser::K_LBRACE) || expects(DlmParser::K_DOT)) return false;
    if (!statementHas(DlmParser::K_FN) && !statementHas(DlmParser::K_COMMAND)) return false;
    error("the body of a function does not follow " + foundText())
        .help("it stands in `{ }`: `fn(x) { x * 2 }`");
    return true;
  }

  /// `fn f(x?)`, `-> (f32, f32)`.
  bool reportSignature() {
    bool isParameter = site.rule == DlmParser::RuleParams || site.rule == DlmParser::RuleParam;
    if (isParameter && type == DlmParser::K_QUESTION && isNameToken(typeBefore(1))) {
      error("`?` stands behind a type").help("write `x: f32? = none`");
      return true;
    }
    if (site.rule != DlmParser::RuleField || !expects(DlmParser::K_COLON)) return false;
    error("a part of a type in `( )` has a name").help("write `(a: f32, b: f32)`");
    return true;
  }

  static bool isStatementEnd(size_t token) {
    return token == DlmParser::K_SEP || token == DlmParser::K_LBRACE || token == antlr4::Token::EOF;
  }

  /// `fn f(x):` and `if c:`; `f(a: 1)`, `["a": 1]` and `x[::2]`.
  bool reportColonInside() {
    if (type != DlmParser::K_COLON) return false;
    if (expects(DlmParser::K_LBRACE) && !expects(DlmParser::K_ASSIGN)) {
      error("a block begins with `{`, not with `:`")
          .help("the lines of a block stand between `{` and `}`");
      return true;
    }
    size_t open = openBracket();
    if (open == none) return false;
    bool isGlued = tokenSpan(site.file, *before(1)).end == span.begin;
    bool isSubscript = open > 0 && endsExpression(site.tokens.get(open - 1)->getType());
    if (site.tokens.get(open)->getType() == DlmParser::K_LPAREN) {
      if (!isNameToken(typeBefore(1))) return false;
      bool isType = isTypeWord(textOf(*site.tokens.get(site.found->getTokenIndex() + 1)));
      error("in `( )` a name gets its value by `=`")
          .help("write `=` in place of `:`", span, isGlued ? " =" : "=",
                isType ? Applicability::Guess : Applicability::Exact);
    } else if (isSubscript) {
      error("a slice has no step").help("`x[a:b]` takes the elements from a to before b");
    } else {
      error("in a map a key stands before `=>`")
          .help("write `=>` in place of `:`", span, isGlued ? " =>" : "=>", Applicability::Exact);
    }
    return true;
  }

  /// The innermost bracket `(` or `[` open around the fault in its statement, or `none`.
  size_t openBracket() const {
    int closed = 0;
    for (size_t i = site.found->getTokenIndex(); i-- > 0;) {
      size_t token = site.tokens.get(i)->getType();
      if (token == DlmParser::K_SEP || token == DlmParser::K_LBRACE) break;
      if (isClosingBracket(token)) ++closed;
      if (isOpeningBracket(token) && closed-- == 0) return i;
    }
    return none;
  }

  /// `batch: 64` in a train block.
  bool reportColon() {
    if (type != DlmParser::K_COLON || !expects(DlmParser::K_ASSIGN) ||
        !expects(DlmParser::K_LBRACE))
      return false;
    bool isGlued = tokenSpan(site.file, *before(1)).end == span.begin;
    error("a setting gets its value by `=`")
        .help("write `=` in place of `:`", span, isGlued ? " =" : "=", Applicability::Exact);
    return true;
  }

  /// `batch = 64,` and `[1; 2]`.
  bool reportSeparator() {
    bool isInBrackets = openBracket() != none;
    if (type == DlmParser::K_SEMI && isInBrackets) {
      auto builder = error("elements are separated by `,`");
      if (site.tokens.get(openBracket())->getType() == DlmParser::K_LPAREN)
        builder.help("write `,` in place of `;`", span, ",", Applicability::Exact);
      else // of another language
        builder.help("a matrix is a list of rows: `[[1, 2], [3, 4]]`; `full([3], 0)` repeats 0");
      return true;
    }
    if (type != DlmParser::K_COMMA || isInBrackets || !expects(DlmParser::K_SEP) ||
        site.statementRule == DlmParser::RuleStmt)
      return false;
    antlr4::Token *next = site.tokens.get(site.found->getTokenIndex() + 1);
    bool endsLine = next->getType() == DlmParser::K_SEP || next->getType() == DlmParser::K_RBRACE ||
                    lineOf(tokenSpan(site.file, *next)) != lineOf(span);
    bool isNamed = site.statementRule == DlmParser::RuleItem && isNameToken(next->getType()) &&
                   site.tokens.get(next->getTokenIndex() + 1)->getType() == DlmParser::K_ASSIGN;
    error("declarations and settings are not separated by `,`")
        .help("they are separated by a new line or `;`", span, endsLine ? "" : ";",
              endsLine || isNamed ? Applicability::Exact : Applicability::Guess);
    return true;
  }

  /// `use nn optim`.
  bool reportUseList() {
    if (statementStart()->getType() != DlmParser::K_USE || !isNameToken(type) ||
        !isNameToken(typeBefore(1)))
      return false;
    uint32_t end = tokenSpan(site.file, *before(1)).end;
    error("expected `,` before " + foundText())
        .help("modules are separated by commas", {site.file, end, end}, ",", Applicability::Exact);
    return true;
  }

  bool reportReservedWord() {
    if (!isReservedWord(type) || endsLineAbove()) return false;
    bool isNameMissing =
        expects(DlmParser::K_IDENT) && !expects(DlmParser::K_NUMBER) && !expects(DlmParser::K_PLUS);
    size_t after = site.tokens.get(site.found->getTokenIndex() + 1)->getType();
    bool isArgument = openBracket() != none && after == DlmParser::K_ASSIGN;
    bool isParameter =
        site.rule == DlmParser::RuleParams &&
        (typeBefore(1) == DlmParser::K_LPAREN || typeBefore(1) == DlmParser::K_COMMA);
    if (!isNameMissing && !isArgument && !isParameter) return false;
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
    size_t next = site.tokens.get(site.found->getTokenIndex() + 1)->getType();
    bool isSecondName = isNameToken(type) && next == DlmParser::K_ASSIGN; // `let const x = 3`
    error("expected `=` before " + foundText())
        .help("give the value behind `=`", {site.file, span.begin, span.begin}, "= ",
              isSecondName ? Applicability::Guess : Applicability::Exact);
    return true;
  }

  /// Nothing that may stand here begins with this token.
  void reportStart() {
    std::vector<std::string> words;
    const char *what = "a statement";
    switch (site.rule) {
    case DlmParser::RuleSourceFile:
      what = "a declaration";
      words = {"use",   "option", "let",    "fn",   "model",  "optimizer",
               "train", "search", "export", "test", "require"};
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
      std::string near = textOf(*found).size() > 2 ? nearestWord(textOf(*found), words) : "";
      bool isCertain = !certainWord(textOf(*found), words).empty();
      if (!near.empty())
        builder.help("there is a word `" + near + "`", span, near,
                     isCertain ? Applicability::Exact : Applicability::Guess);
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
      list = {elementNoun(site.rule)};
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
      auto builder =
          diagnostics.error(Kind::Syntax, tokenSpan(site.file, *before(1)),
                            "expected " + words + " behind `" + textOf(*before(1)) + "`");
      helpSeparate(builder, list);
      helpBraces(builder);
      return;
    }
    auto builder = error("expected " + words + " before " + foundText());
    helpSeparate(builder, list);
    size_t previous = typeBefore(1);
    bool isValue = previous == DlmParser::K_ASSIGN || previous == DlmParser::K_LPAREN ||
                   previous == DlmParser::K_COMMA || previous == DlmParser::K_FATARROW;
    if (type == DlmParser::K_LBRACE && isValue)
      builder.help("records are written with `( )`, lists and maps with `[ ]`");
    if (type == DlmParser::K_COMMA && expects(DlmParser::K_SEP))
      builder.help("statements and settings are separated by a new line or `;`");
    helpBraces(builder);
    if (type == DlmParser::K_LBRACE && expects(DlmParser::K_SEP) && isNameToken(previous))
      builder.help("calls and records are written with `( )`");
    if (beginsExpression(type) && type != DlmParser::K_IF && expects(DlmParser::K_SEP) &&
        isNameToken(previous))
      builder.help("the arguments of a call stand in `( )`");
    if (isChoice()) builder.help("a choice is written `if condition { a } else { b }`");
    if (type == DlmParser::K_DOT && expects(DlmParser::K_NUMBER))
      builder.help("a number needs a digit on both sides of its point: `0.5`");
  }

  /// `a if condition else b`.
  bool isChoice() const {
    antlr4::Token *previous = before(1);
    return type == DlmParser::K_IF && previous && endsExpression(previous->getType()) &&
           !statementHas(DlmParser::K_FOR);
  }

  void helpBraces(DiagnosticBuilder &builder) const {
    if (!expects(DlmParser::K_LBRACE)) return;
    if (statementHas(DlmParser::K_IF) || typeBefore(1) == DlmParser::K_ELSE)
      builder.help("what `if` and `else` choose between stands in `{ }`");
    else if (statementHas(DlmParser::K_FN))
      builder.help("the body of a function stands in `{ }`: `fn(x) { x * 2 }`");
  }

  uint32_t lineOf(Span place) const {
    return diagnostics.sources().position(place.file, place.begin).line;
  }

  /// `f(a b)`: which sign is missing is certain only if the elements stand on lines of their own.
  void helpSeparate(DiagnosticBuilder &builder, const std::vector<std::string> &expected) const {
    antlr4::Token *previous = before(1);
    if (!previous || !endsExpression(previous->getType()) || isChoice()) return;
    Span end = tokenSpan(site.file, *previous);
    end.begin = end.end;
    bool areTexts = type == DlmParser::K_STRING && previous->getType() == DlmParser::K_STRING;
    if (!expected.empty() && expected.front() == "`,`" && beginsExpression(type))
      builder.help("elements are separated by `,`", end, ",", // texts side by side may be one text
                   endsLineAbove() && !areTexts ? Applicability::Exact : Applicability::Guess);
    size_t next = site.tokens.get(site.found->getTokenIndex() + 1)->getType();
    if (expects(DlmParser::K_SEP) && beginsStatementOnly(type, next))
      builder.help("statements are separated by a new line or `;`", end, ";", Applicability::Exact);
  }

  /// Whether the statement has the token before the fault.
  bool statementHas(size_t token) const {
    for (size_t i = statementStart()->getTokenIndex(); i < site.found->getTokenIndex(); ++i)
      if (site.tokens.get(i)->getType() == token) return true;
    return false;
  }

  /// Whether a line above ends unfinished: `let a = b +`.
  bool endsLineAbove() const {
    antlr4::Token *previous = before(1);
    if (!previous || previous->getType() == DlmParser::K_SEP) return false;
    Span above = tokenSpan(site.file, *previous);
    return above.begin != above.end && lineOf(above) < lineOf(span);
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
