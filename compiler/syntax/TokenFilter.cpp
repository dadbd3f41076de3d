// One pass over the visible tokens with a stack of open brackets. Forgotten brackets are noticed at
// three places: at a closing bracket of another kind, at the beginning of a line that can only be a
// new statement or declaration, and at the end of the file.

#include "compiler/syntax/TokenFilter.h"

#include "compiler/source/Utf8.h"
#include "compiler/syntax/BracketStack.h"
#include "compiler/syntax/ForeignTexts.h"
#include "compiler/syntax/StrayCharacters.h"
#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmLexer.h"

#include <algorithm>
#include <iterator>

namespace dlm {

using grammar::DlmLexer;

namespace {

constexpr size_t endOfFile = antlr4::Token::EOF;

std::unique_ptr<antlr4::CommonToken> makeToken(size_t type, size_t begin, size_t end) {
  auto token = std::make_unique<antlr4::CommonToken>(type);
  token->setStartIndex(begin);
  token->setStopIndex(end - 1);
  return token;
}

/// The lexer counts characters; everything else counts bytes.
std::vector<std::unique_ptr<antlr4::Token>> lexBytes(std::string_view text) {
  antlr4::ANTLRInputStream input{std::string(text)};
  DlmLexer lexer(&input);
  lexer.removeErrorListeners();
  std::vector<uint32_t> offsets;
  for (size_t i = 0; i < text.size(); i += characterLength(text, i))
    offsets.push_back(static_cast<uint32_t>(i));
  offsets.push_back(static_cast<uint32_t>(text.size()));
  std::vector<std::unique_ptr<antlr4::Token>> tokens;
  while (tokens.size() <= tokensMax) { // each token of the lexer is larger, and goes at once
    std::unique_ptr<antlr4::Token> lexed = lexer.nextToken();
    if (lexed->getType() == endOfFile) break;
    tokens.push_back(makeToken(lexed->getType(), offsets[lexed->getStartIndex()],
                               offsets[lexed->getStopIndex() + 1]));
  }
  return tokens;
}

class TokenFilter {
public:
  TokenFilter(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics)
      : sources(sources), file(file), diagnostics(diagnostics), text(sources.text(file)),
        brackets(sources, file, diagnostics, result.faultySpans) {}

  FilteredTokens run() {
    std::vector<std::unique_ptr<antlr4::Token>> tokens = lexBytes(text);
    if (tokens.size() > tokensMax) refuseSize(spanOf(*tokens.back()));
    for (std::unique_ptr<antlr4::Token> &token : tokens) {
      size_t type = token->getType();
      if (type == DlmLexer::K_DOC) addDoc(*token);
      if (type == DlmLexer::K_COMMENT) warnOfDivision(spanOf(*token));
      if (type == DlmLexer::K_DOC || type == DlmLexer::K_COMMENT)
        result.comments.push_back(spanOf(*token));
      else
        visible.push_back(std::move(token));
    }
    removeFaultyTokens();
    placeDocs();
    for (position = 0; position < visible.size() && !result.isTooLarge; ++position) {
      if (visible[position]->getType() == DlmLexer::K_SEP)
        newlineBefore = true;
      else
        takeToken();
    }
    finish();
    return std::move(result);
  }

private:
  Span spanOf(const antlr4::Token &token) const { return tokenSpan(file, token); }

  /// The type of the n-th token from here that is not a line end (0: this one).
  size_t typeAhead(size_t n) const {
    for (size_t i = position; i < visible.size(); ++i)
      if (visible[i]->getType() != DlmLexer::K_SEP && n-- == 0) return visible[i]->getType();
    return endOfFile;
  }

  /// The type of the token behind this one, which may be a line end.
  size_t nextType() const {
    return position + 1 < visible.size() ? visible[position + 1]->getType() : endOfFile;
  }

  size_t previousType() const {
    return result.tokens.empty() ? size_t(DlmLexer::K_SEP) : result.tokens.back()->getType();
  }

  void emit(std::unique_ptr<antlr4::Token> token) {
    result.depths.push_back(static_cast<uint32_t>(brackets.depth()));
    result.tokens.push_back(std::move(token));
  }

  /// Ends the statement, if one has begun. `end` > `begin` if a character stands for it.
  void emitSeparator(size_t begin, size_t end) {
    size_t previous = previousType();
    if (previous == DlmLexer::K_SEP || previous == DlmLexer::K_LBRACE) return;
    emit(makeToken(DlmLexer::K_SEP, begin, end));
    brackets.endStatement();
  }

  void takeToken() {
    std::unique_ptr<antlr4::Token> &token = visible[position];
    size_t type = token->getType();
    bool startsLine = newlineBefore || result.tokens.empty();
    if (startsLine) closeForgottenBrackets();
    bool isUnfinished = !endsExpression(previousType()) && beginsStatementOnly(type, nextType());
    if (newlineBefore && brackets.linesMatter() && !continuesExpression(type) &&
        (endsExpression(previousType()) || isUnfinished)) {
      size_t newline = visible[position - 1]->getStartIndex();
      emitSeparator(newline, newline + 1);
    }
    newlineBefore = false;
    if (type == DlmLexer::K_SEMI && brackets.linesMatter())
      return emitSeparator(token->getStartIndex(), token->getStopIndex() + 1);
    if (isClosingBracket(type)) return takeClosing(startsLine);
    if (brackets.countNesting(type, previousType()) > nestingMax) return refuseNesting();
    emit(std::move(token));
    if (!isOpeningBracket(type)) return;
    brackets.open(type, spanOf(*result.tokens.back()));
    if (brackets.depth() > nestingMax) refuseNesting();
  }

  /// Closes brackets that the tokens from here on cannot be inside of.
  void closeForgottenBrackets() {
    size_t first = typeAhead(0);
    size_t second = nextType();
    if (brackets.isEmpty()) return;
    Span here = spanOf(*visible[position]);
    if (!brackets.linesMatter() && beginsStatementOnly(first, second))
      while (!brackets.isEmpty() && !brackets.linesMatter())
        closeVirtually(here.begin, "a statement begins here", here);
    if (brackets.isEmpty() || !beginsDeclarationOnly(first, second)) return;
    uint32_t column = sources.position(file, here.begin).column;
    if (column - 1 > brackets.innermost().indentation) return;
    brackets.reportUnclosedBlock("a declaration begins here", here);
    while (!brackets.isEmpty() && brackets.innermost().indentation >= column - 1)
      emitClosing(here.begin);
  }

  /// Reports the innermost bracket as not closed and closes it.
  void closeVirtually(size_t offset, const char *reason, Span here) {
    brackets.reportUnclosed(reason, here);
    emitClosing(offset);
  }

  void emitClosing(size_t offset) {
    size_t type = closingOf(brackets.innermost().type);
    if (type == DlmLexer::K_RBRACE) emitSeparator(offset, offset);
    emit(makeToken(type, offset, offset));
    brackets.close();
  }

  void takeClosing(bool startsLine) {
    std::unique_ptr<antlr4::Token> &token = visible[position];
    size_t type = token->getType();
    Span span = spanOf(*token);
    size_t surplus = brackets.countAbove(type);
    if (surplus == BracketStack::none || isSurplusInside(type, span, surplus)) {
      bool closesNext = typeAhead(1) == closingOf(brackets.innermost().type);
      if (type != DlmLexer::K_RBRACE && !brackets.linesMatter() && !closesNext) {
        brackets.reportMismatch(type, span);
        emitClosing(span.begin);
        return;
      }
      if (type == DlmLexer::K_RBRACE)
        result.surplusBraces.push_back(span);
      else
        reportSurplusBracket(span, diagnostics);
      result.faultySpans.add(span);
      return;
    }
    for (; surplus > 0; --surplus)
      closeVirtually(span.begin, "closed from outside here", span);
    if (type == DlmLexer::K_RBRACE) {
      emitSeparator(span.begin, span.begin);
      if (startsLine) brackets.compareIndentation(span);
    }
    emit(std::move(token));
    brackets.close();
  }

  /// Whether a `}` would close a block of an earlier line, though the bracket open on its own line
  /// is closed right behind it: then its own `{` is missing, as in `f(fn(x) g(x) })`.
  bool isSurplusInside(size_t type, Span span, size_t surplus) const {
    return type == DlmLexer::K_RBRACE && surplus > 0 && brackets.opensOnLineOf(0, span) &&
           !brackets.opensOnLineOf(surplus, span) &&
           typeAhead(1) == closingOf(brackets.innermost().type);
  }

  void refuseNesting() {
    Span span = tokenSpan(file, visible[position] ? *visible[position] : *result.tokens.back());
    diagnostics
        .error(Kind::Nesting, span,
               "this is nested deeper than " + std::to_string(nestingMax) + " levels")
        .help("name parts of it with `let`");
    result.isTooLarge = true;
  }

  void refuseSize(Span span) {
    diagnostics
        .error(Kind::WorkLimit, span,
               "the file has more than " + std::to_string(tokensMax) + " words and signs")
        .help("divide it into several files, and `use` them; data belongs into files of its own");
    result.isTooLarge = true;
  }

  void finish() {
    if (!brackets.isEmpty() && !result.isTooLarge) {
      brackets.reportUnclosedAtEnd();
      while (!brackets.isEmpty())
        emitClosing(text.size());
    }
    emitSeparator(text.size(), text.size());
    emit(makeToken(endOfFile, text.size(), text.size()));
  }

  /// `width // 2`, `width // heads`: a comment that is nothing but a number, or the name of one.
  void warnOfDivision(Span comment) {
    if (visible.empty()) return;
    const antlr4::Token &last = *visible.back();
    bool isName = isNameToken(last.getType());
    if (!isName && last.getType() != DlmLexer::K_NUMBER) return;
    if (sources.line(file, spanOf(last).begin) != sources.line(file, comment.begin)) return;
    std::string_view words = sources.text(comment).substr(2);
    size_t begin = words.find_first_not_of(' ');
    size_t end = words.find_last_not_of(" \r");
    if (begin == std::string_view::npos) return;
    std::string divisor(words.substr(begin, end + 1 - begin));
    bool isNumber = divisor.find_first_not_of("0123456789") == divisor.npos;
    if (!isNumber && !isNameOfNumber(divisor)) return;
    std::string dividend(sources.text(spanOf(last)));
    diagnostics.warning(Kind::FloorDivision, comment, "this is a comment and divides nothing")
        .secondary(spanOf(last), "the value ends here")
        .help("`floor(" + (standsAlone() ? dividend + " / " + divisor : "a / b") +
              ")` rounds a quotient down");
  }

  size_t typeOfVisible(size_t back) const {
    return back < visible.size() ? visible[visible.size() - 1 - back]->getType() : endOfFile;
  }

  /// Whether the last token is all of the value in front of it: `= 33`.
  bool standsAlone() const {
    size_t before = typeOfVisible(1);
    return before == DlmLexer::K_ASSIGN || before == DlmLexer::K_LPAREN ||
           before == DlmLexer::K_COMMA || before == DlmLexer::K_LBRACK;
  }

  /// Whether a name is declared above as a number or `int`, and is not the one being declared.
  bool isNameOfNumber(const std::string &name) const {
    for (size_t i = 1; i + 2 < visible.size(); ++i) {
      if (sources.text(spanOf(*visible[i])) != name) continue;
      size_t before = visible[i - 1]->getType(), next = visible[i + 1]->getType();
      size_t behind = visible[i + 2]->getType();
      bool isLet = before == DlmLexer::K_LET || before == DlmLexer::K_OPTION;
      if (isLet && next == DlmLexer::K_ASSIGN && behind == DlmLexer::K_NUMBER)
        return i + 3 < visible.size();
      bool isInt = sources.text(spanOf(*visible[i + 2])) == "int";
      if (next == DlmLexer::K_COLON && isInt) return true;
    }
    return false;
  }

  void addDoc(const antlr4::Token &token) {
    Span span = spanOf(token);
    std::string_view words = sources.text(span).substr(3);
    words = words.substr(0, words.find_last_not_of(" \t\f\r") + 1);
    if (!words.empty() && words.front() == ' ') words.remove_prefix(1);
    uint32_t line = sources.line(file, span.begin);
    uint32_t lineBegin = sources.lineBegin(file, line);
    std::string_view before = text.substr(lineBegin, span.begin - lineBegin);
    bool standsAlone = before.find_first_not_of(" \t") == std::string_view::npos;
    result.docs.push_back({span, std::string(words), standsAlone ? 0 : line, ~0u});
  }

  /// Finds for each comment that stands alone the token it stands above.
  void placeDocs() {
    size_t next = 0;
    for (DocComment &doc : result.docs) {
      if (doc.line != 0) continue;
      while (next < visible.size() && (visible[next]->getStartIndex() < doc.span.begin ||
                                       visible[next]->getType() == DlmLexer::K_SEP ||
                                       visible[next]->getType() == DlmLexer::K_SEMI))
        ++next;
      if (next < visible.size())
        doc.nextCode = static_cast<uint32_t>(visible[next]->getStartIndex());
    }
  }

  std::optional<StrayRead> readForeign(size_t type, Span span) {
    bool mayBegin = type == DlmLexer::K_SLASH || type == DlmLexer::K_STRING ||
                    type == DlmLexer::K_LT || type == DlmLexer::K_EQ || type == DlmLexer::K_GT ||
                    type == DlmLexer::K_UNKNOWN;
    if (!mayBegin) return std::nullopt;
    return reportForeignText(span, diagnostics);
  }

  /// Reports what the lexer could make nothing of, and removes it.
  void removeFaultyTokens() {
    std::vector<std::unique_ptr<antlr4::Token>> good;
    for (size_t i = 0; i < visible.size(); ++i) {
      size_t type = visible[i]->getType();
      Span span = spanOf(*visible[i]);
      if (std::optional<StrayRead> read = readForeign(type, span)) {
        i = skipTo(read->end, i);
        if (read->token) good.push_back(makeToken(read->token, span.begin, span.begin + 2));
        if (read->isFault) result.faultySpans.add({file, span.begin, read->end});
        continue;
      }
      if (type == DlmLexer::K_UNKNOWN) {
        while (i + 1 < visible.size() && visible[i + 1]->getType() == DlmLexer::K_UNKNOWN &&
               visible[i + 1]->getStartIndex() == span.end)
          span.end = spanOf(*visible[++i]).end;
        bool operandBefore = !good.empty() && endsExpression(good.back()->getType());
        StrayRead read = reportStray(span, operandBefore, diagnostics);
        i = skipTo(read.end, i);
        if (read.token) good.push_back(makeToken(read.token, span.begin, read.end));
        if (!read.isFault) continue;
        span.end = i + 1 < visible.size() ? spanOf(*visible[i + 1]).end : read.end;
        result.faultySpans.add(span);
        continue;
      }
      if (type == DlmLexer::K_OPEN_STRING) {
        diagnostics.error(Kind::Literal, {file, span.begin, span.begin + 1},
                          "this string does not end on its line");
        result.faultySpans.add({file, span.begin, span.end + 1});
        good.push_back(makeToken(DlmLexer::K_STRING, span.begin, span.end));
        continue;
      }
      good.push_back(std::move(visible[i]));
    }
    visible = std::move(good);
  }

  /// The last token that begins before `end`; of one that goes on behind it the rest is lexed
  /// again.
  size_t skipTo(uint32_t end, size_t i) {
    while (i + 1 < visible.size() && visible[i + 1]->getStartIndex() < end)
      ++i;
    Span last = spanOf(*visible[i]);
    if (last.end <= end) return i;
    std::vector<std::unique_ptr<antlr4::Token>> rest;
    for (std::unique_ptr<antlr4::Token> &token : lexBytes(text.substr(end, last.end - end)))
      if (token->getType() != DlmLexer::K_COMMENT && token->getType() != DlmLexer::K_DOC)
        rest.push_back(makeToken(token->getType(), token->getStartIndex() + end,
                                 token->getStopIndex() + 1 + end));
    visible.insert(visible.begin() + static_cast<ptrdiff_t>(i) + 1,
                   std::make_move_iterator(rest.begin()), std::make_move_iterator(rest.end()));
    return i;
  }

  const SourceManager &sources;
  FileId file;
  DiagnosticEngine &diagnostics;
  std::string_view text;
  FilteredTokens result;
  BracketStack brackets;
  std::vector<std::unique_ptr<antlr4::Token>> visible;
  size_t position = 0;
  bool newlineBefore = false;
};

} // namespace

FilteredTokens readTokens(const SourceManager &sources, FileId file,
                          DiagnosticEngine &diagnostics) {
  ErrorLimit limit(diagnostics, syntaxErrorsMax);
  return TokenFilter(sources, file, diagnostics).run();
}

void reportSurplusBracket(Span span, DiagnosticEngine &diagnostics) {
  std::string bracket(diagnostics.sources().text(span));
  diagnostics.error(Kind::Syntax, span, "`" + bracket + "` closes nothing that is open");
}

Span tokenSpan(FileId file, const antlr4::Token &token) {
  auto begin = static_cast<uint32_t>(token.getStartIndex());
  return {file, begin, static_cast<uint32_t>(token.getStopIndex() + 1)};
}

} // namespace dlm
