// A pattern is a row of tokens. Each is given by its text or by a class in capitals, behind marks:
// `^` the token that does not fit, `~` it touches the one before, `_` it is underlined. A pattern
// without `^` begins with the statement. In messages and edits `%` stands for what is underlined.
//
// An edit is `Exact` if nothing else can have been meant, and the text parses after it as far as
// this fault goes. It is a guess where the same text means something else in another language or
// at another place: `0...n` may include n, and `cast(x f32)` lacks a comma, not a colon.

#include "compiler/syntax/SyntaxHabits.h"

#include "compiler/syntax/TokenFilter.h"
#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmParser.h"

#include <cctype>
#include <optional>
#include <sstream>
#include <string_view>

namespace dlm {

using grammar::DlmParser;

namespace {

constexpr Applicability exact = Applicability::Exact;
constexpr Applicability guess = Applicability::Guess;

/// What the statement with the fault stands in.
enum class Where { Any, Top, InModel, InTrain, InBlock, InParams };

struct Habit {
  Where where;
  const char *pattern;
  const char *message;
  const char *help;
  const char *edit = nullptr; // replaces what is underlined
  Applicability sure = guess;
};

constexpr const char *unchanging = "`%` would change a value, and values never change";
constexpr const char *newValue =
    "name a new value with `let`; a buffer gets its next one by `next`";
constexpr const char *noSuchStatement = "`%` begins no statement";
constexpr const char *nameless = "a function without a name is written `fn(x) { ... }`";
constexpr const char *choice = "a choice is written `if condition { a } else { b }`";
constexpr const char *loops =
    "there are no loops: `scan` and `fold` carry a value over an axis or a "
    "list";
constexpr const char *outside =
    "name its value with `let`, or put it into a function, a train block or a test";
constexpr const char *noBase = "a model has no base";
constexpr const char *parameters =
    "what it is made with stands in `( )`, its parts in `{ }`: `model Net(classes: int) { ... }`";
constexpr const char *ownSteps =
    "leave it out: the gradient of `fn loss`, and the step, follow by themselves";
constexpr const char *modes =
    "leave it out: `training` is true while a run trains, and false while it evaluates";
constexpr const char *parts = "it has parts, each named by `let`";
constexpr const char *oneUnit = "write it in one unit, such as `90min`";
constexpr const char *digits = "numbers are written with the digits 0 to 9";
constexpr const char *foreignModules = "leave it out: functions such as `exp` and `mean` are "
                                       "known, and the modules are `use nn, optim, "
                                       "schedule, data`";
constexpr const char *fitsOutside = "`%` is called outside of every block";
constexpr const char *fits =
    "leave it out: `train NAME { data = ...; batch = ...; duration = 5 epochs }` says what is "
    "trained, and `./program train` does it";
constexpr const char *seeds = "write `seed = 1` in the train block";
constexpr const char *modules = "modules are imported with `use`: `use nn, optim`";

/// A token of a pattern: its text or class, and the marks in front of it.
struct PatternToken {
  std::string body;
  bool isUnderlined, touches;
};

/// A pattern in its parts: they are compared at every fault of a file.
struct Pattern {
  explicit Pattern(const char *written) {
    std::istringstream stream(written);
    for (std::string word; stream >> word;) {
      if (word == "START") {
        fromStart = true;
        continue;
      }
      size_t body = word.find_first_not_of("_~^");
      auto has = [&](char mark) { return word.find(mark) < body; };
      if (has('^')) fault = tokens.size();
      tokens.push_back({word.substr(body), has('_'), has('~')});
    }
  }

  std::vector<PatternToken> tokens;
  std::optional<size_t> fault; // the one that does not fit
  bool fromStart = false;
};

const std::vector<Habit> &habits() {
  static const std::vector<Habit> rows = {
#define HABIT(...) {__VA_ARGS__},
#include "compiler/syntax/SyntaxHabits.def"
#undef HABIT
  };
  return rows;
}

/// Those of the habits, in their order.
const std::vector<Pattern> &patterns() {
  static const std::vector<Pattern> rows = [] {
    std::vector<Pattern> result;
    for (const Habit &habit : habits())
      result.emplace_back(habit.pattern);
    return result;
  }();
  return rows;
}

/// Where a declaration stands that has a word of its own.
struct Home {
  const char *word;
  std::vector<Where> places;
  const char *text;
};

const std::vector<Home> &homes() {
  static const std::vector<Home> rows = {
      {"param", {Where::InModel}, "in a model"},
      {"buffer", {Where::InModel}, "in a model"},
      {"state", {Where::InModel}, "in an optimizer"},
      {"command", {Where::InTrain}, "in a train block"},
      {"update", {Where::InTrain}, "in a train block"},
      {"next", {Where::InBlock}, "in a function of a model, an optimizer or a train block"},
      {"option", {Where::Top}, "at the top level of a file"},
      {"use", {Where::Top}, "at the top level of a file"},
      {"model", {Where::Top}, "at the top level of a file"},
      {"train", {Where::Top}, "at the top level of a file"},
      {"search", {Where::Top}, "at the top level of a file"},
      {"export", {Where::Top}, "at the top level of a file"},
  };
  return rows;
}

Where placeOf(size_t rule) {
  switch (rule) {
  case DlmParser::RuleMember:
  case DlmParser::RuleMembers:
    return Where::InModel;
  case DlmParser::RuleItem:
  case DlmParser::RuleItems:
    return Where::InTrain;
  case DlmParser::RuleStmt:
  case DlmParser::RuleBlock:
    return Where::InBlock;
  default:
    return Where::Top;
  }
}

std::string filled(const char *text, const std::string &underlined) {
  std::string result;
  for (const char *c = text; *c; ++c)
    result += *c == '%' && !underlined.empty() ? underlined : std::string(1, *c);
  return result;
}

class HabitMatcher {
public:
  HabitMatcher(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics)
      : site(site), diagnostics(diagnostics), where(placeOf(site.statementRule)),
        found(site.found->getTokenIndex()), start(statementStart()) {}

  bool report() {
    if (reportReturn() || reportHome() || reportNoValue() || reportElement()) return true;
    for (size_t i = 0; i < habits().size(); ++i) {
      const Habit &habit = habits()[i];
      if (!isHere(habit.where) || !matches(patterns()[i])) continue;
      report(habit);
      return true;
    }
    return false;
  }

private:
  bool isHere(Where wanted) const {
    bool isInParams = site.rule == DlmParser::RuleParams || site.rule == DlmParser::RuleParam;
    return wanted == Where::Any || wanted == where || (wanted == Where::InParams && isInParams);
  }

  size_t count() const { return site.tokens.size(); }
  size_t type(size_t i) const {
    return i < count() ? site.tokens.get(i)->getType() : size_t(antlr4::Token::EOF);
  }
  Span span(size_t i) const { return tokenSpan(site.file, *site.tokens.get(i)); }
  std::string_view text(size_t i) const {
    bool isThere = i < count() && type(i) != antlr4::Token::EOF;
    return isThere ? diagnostics.sources().text(span(i)) : std::string_view();
  }

  size_t statementStart() const {
    size_t index = found;
    while (index > 0 && type(index - 1) != DlmParser::K_SEP &&
           type(index - 1) != DlmParser::K_LBRACE)
      --index;
    return index;
  }

  bool isOfClass(size_t i, const std::string &word) const {
    size_t is = type(i);
    if (word == "ANY") return is != DlmParser::K_SEP && is != antlr4::Token::EOF;
    if (word == "NAME") return isNameToken(is);
    if (word == "NUMBER") return is == DlmParser::K_NUMBER;
    if (word == "QUANTITY") return is == DlmParser::K_QUANTITY;
    if (word == "STRING") return is == DlmParser::K_STRING;
    if (word == "TYPEWORD") return isTypeWord(std::string(text(i)));
    if (word == "END")
      return is == DlmParser::K_SEP || is == DlmParser::K_RBRACE || is == antlr4::Token::EOF;
    return text(i) == word;
  }

  /// Sets what is underlined if the pattern fits.
  bool matches(const Pattern &pattern) {
    if (found < pattern.fault.value_or(0)) return false;
    size_t first = pattern.fault ? found - *pattern.fault : start;
    if (pattern.fromStart && first != start) return false;
    if (found < first || found > first + pattern.tokens.size()) return false;
    underlined = {};
    for (size_t i = 0; i < pattern.tokens.size(); ++i)
      if (!fits(first + i, pattern.tokens[i])) return false;
    if (!underlined.isValid()) underlined = syntaxErrorSpan(site);
    return true;
  }

  bool fits(size_t i, const PatternToken &token) {
    if (!isOfClass(i, token.body)) return false;
    if (token.touches && (i == 0 || span(i).begin != span(i - 1).end)) return false;
    if (token.isUnderlined) underlined = cover(underlined, span(i));
    return true;
  }

  void report(const Habit &habit) {
    std::string source(diagnostics.sources().text(underlined));
    auto builder = diagnostics.error(Kind::Syntax, underlined, filled(habit.message, source));
    if (!habit.edit) {
      builder.help(habit.help);
      return;
    }
    Span edited = underlined;
    if (*habit.edit == 0) edited.end = afterSpaces(edited.end);
    builder.help(habit.help, edited, filled(habit.edit, source), habit.sure);
  }

  uint32_t afterSpaces(uint32_t offset) const {
    std::string_view all = diagnostics.sources().text(site.file);
    while (offset < all.size() && all[offset] == ' ')
      ++offset;
    return offset;
  }

  /// `return x`: at the end of a block the word is only left out.
  bool reportReturn() {
    if (text(start) != "return" || found > start + 1) return false;
    size_t end = start;
    int depth = 0;
    for (; end < count() && type(end) != antlr4::Token::EOF; ++end) {
      depth += isOpeningBracket(type(end)) - isClosingBracket(type(end));
      if (depth == 0 && type(end) == DlmParser::K_SEP) break;
    }
    auto builder = diagnostics.error(Kind::Syntax, span(start), "`return` begins no statement");
    bool isLast = type(end + 1) == DlmParser::K_RBRACE && end > start + 1;
    if (isLast)
      builder.help(noReturn, {site.file, span(start).begin, span(start + 1).begin}, "", exact);
    else
      builder.help(noReturn);
    return true;
  }

  /// `param` in a train block.
  bool reportHome() {
    if (found > start + 1 || !isNameToken(type(start + 1))) return false;
    for (const Home &home : homes()) {
      if (text(start) != home.word) continue;
      for (Where place : home.places)
        if (place == where) return false;
      diagnostics.error(Kind::Syntax, span(start),
                        "`" + std::string(text(start)) + "` stands " + home.text + " only");
      return true;
    }
    return false;
  }

  /// `batch =` without a value: the next line is read as one, up to its own `=`.
  bool reportNoValue() {
    if (text(found) != "=" || found < 3 || !isNameToken(type(found - 1))) return false;
    size_t sign = found - 2;
    const SourceManager &sources = diagnostics.sources();
    uint32_t line = sources.line(site.file, span(sign).begin);
    bool isNext = line != sources.line(site.file, span(found - 1).begin);
    if (text(sign) != "=" || !isNext) return false;
    diagnostics
        .error(Kind::Syntax, cover(span(sign - 1), span(sign)),
               "`" + std::string(text(sign - 1)) + "` is given no value")
        .help("a value stands behind `=`");
    return true;
  }

  /// `x[:, 0] = 0` in a function.
  bool reportElement() {
    bool isElement = where == Where::InBlock && text(found) == "=" && found > 0 &&
                     text(found - 1) == "]" && isNameToken(type(start));
    if (!isElement || text(start) == "let") return false;
    diagnostics
        .error(Kind::Syntax, cover(span(start), span(found - 1)),
               "an element would change, and values never change")
        .help("`where(mask, a, b)` makes a new tensor; a buffer gets its next value by `next`");
    return true;
  }

  const SyntaxErrorSite &site;
  DiagnosticEngine &diagnostics;
  Where where;
  size_t found;
  size_t start; // of the statement
  Span underlined;
};

} // namespace

bool reportHabit(const SyntaxErrorSite &site, DiagnosticEngine &diagnostics) {
  return HabitMatcher(site, diagnostics).report();
}

} // namespace dlm
