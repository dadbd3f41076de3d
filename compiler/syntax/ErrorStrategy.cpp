// The generated parser calls `reportError` and `recover` in every rule that an exception passes.

#include "compiler/syntax/ErrorStrategy.h"

#include "compiler/syntax/SyntaxErrors.h"
#include "grammar/DlmParser.h"

#include <algorithm>

namespace dlm {

using grammar::DlmParser;

namespace {

/// Rules that end with K_SEP.
bool isStatementRule(size_t rule) {
  return rule == DlmParser::RuleDecl || rule == DlmParser::RuleMember ||
         rule == DlmParser::RuleItem || rule == DlmParser::RuleStmt;
}

/// Rules that hold statements.
bool isContainerRule(size_t rule) {
  return rule == DlmParser::RuleSourceFile || rule == DlmParser::RuleMembers ||
         rule == DlmParser::RuleItems || rule == DlmParser::RuleBlock;
}

} // namespace

antlr4::Token *ErrorStrategy::recoverInline(antlr4::Parser *parser) {
  throw antlr4::InputMismatchException(parser);
}

void ErrorStrategy::recover(antlr4::Parser *parser, std::exception_ptr error) {
  antlr4::ParserRuleContext *context = parser->getContext();
  if (!isStatementRule(context->getRuleIndex())) std::rethrow_exception(error);
  skipStatement(parser, filtered.depths[context->start->getTokenIndex()]);
  isRecovering = false;
}

/// Called where a container may go on with another statement or end. What can do neither is
/// skipped.
void ErrorStrategy::sync(antlr4::Parser *parser) {
  size_t rule = parser->getContext()->getRuleIndex();
  if (isRecovering || !isContainerRule(rule)) return;
  const antlr4::atn::ATN &atn = parser->getATN();
  antlr4::TokenStream *stream = parser->getTokenStream();
  const antlr4::misc::IntervalSet &expected = atn.nextTokens(atn.states[parser->getState()]);
  while (!expected.contains(stream->LA(1)) && stream->LA(1) != antlr4::Token::EOF) {
    antlr4::Token *token = stream->LT(1);
    SyntaxErrorSite site{file, *stream, token, rule, rule, expected, true};
    failedAt.insert(static_cast<uint32_t>(token->getStartIndex()));
    if (!isAlreadyReported(syntaxErrorSpan(site))) reportAt(site);
    skipStatement(parser, filtered.depths[token->getTokenIndex()]);
  }
}

void ErrorStrategy::reportError(antlr4::Parser *parser, const antlr4::RecognitionException &error) {
  if (isRecovering) return;
  isRecovering = true;
  auto *context = dynamic_cast<antlr4::ParserRuleContext *>(error.getCtx());
  size_t rule = context ? context->getRuleIndex() : size_t(DlmParser::RuleSourceFile);
  size_t statementRule = DlmParser::RuleSourceFile;
  antlr4::Token *token = error.getOffendingToken();
  for (antlr4::ParserRuleContext *outer = parser->getContext(); outer;
       outer = static_cast<antlr4::ParserRuleContext *>(outer->parent)) {
    if (!isStatementRule(outer->getRuleIndex())) continue;
    statementRule = outer->getRuleIndex();
    failedAt.insert(static_cast<uint32_t>(outer->start->getStartIndex()));
    break;
  }
  antlr4::misc::IntervalSet expected = error.getExpectedTokens();
  bool atDecision = true;
  if (auto *noAlternative = dynamic_cast<const antlr4::NoViableAltException *>(&error))
    atDecision = noAlternative->getStartToken() == token;
  if (!atDecision) expected = {};
  SyntaxErrorSite site{file, *parser->getTokenStream(), token, rule, statementRule, expected,
                       false};
  if (isAlreadyReported(syntaxErrorSpan(site))) return;
  bool opensBlock = reportAt(site);
  if (opensBlock || expected.contains(size_t(DlmParser::K_LBRACE)))
    claimSurplusBrace(syntaxErrorSpan(site));
}

/// Returns whether the fault opens a block of Python.
bool ErrorStrategy::reportAt(const SyntaxErrorSite &site) {
  if (reported > syntaxErrorsMax) return false;
  if (++reported <= syntaxErrorsMax)
    reportSyntaxError(site, diagnostics);
  else
    diagnostics.error(Kind::Syntax, syntaxErrorSpan(site),
                      "behind " + std::to_string(syntaxErrorsMax) +
                          " errors no more are told; there are others from here on");
  return claimIndentedLines(syntaxErrorSpan(site));
}

/// If `{` is missing here and a later `}` has no partner, the two are one fault, and what lies
/// between them was read at the wrong depth.
void ErrorStrategy::claimSurplusBrace(Span fault) {
  auto &braces = filtered.surplusBraces;
  auto brace = std::find_if(braces.begin(), braces.end(),
                            [&](Span span) { return span.begin > fault.begin; });
  if (brace == braces.end()) return;
  filtered.faultySpans.add(cover(fault, *brace));
  braces.erase(brace);
}

/// A line that ends with `:` opens a block of Python, and all of it is one fault. False if it is
/// no such line.
bool ErrorStrategy::claimIndentedLines(Span fault) {
  const SourceManager &sources = diagnostics.sources();
  auto indentation = [](std::string_view text) { return text.find_first_not_of(" \t"); };
  uint32_t line = sources.position(file, fault.begin).line;
  std::string_view first = sources.lineText(file, line);
  size_t end = first.find_last_not_of(" \t\r");
  if (end == std::string_view::npos || first[end] != ':') return false;
  uint32_t last = line;
  for (uint32_t next = line + 1; next <= sources.lineCount(file); ++next) {
    std::string_view text = sources.lineText(file, next);
    size_t at = indentation(text);
    if (at == std::string_view::npos) continue;
    bool goesOn = false;
    for (const char *word : {"else", "elif", "except", "finally"})
      goesOn |= text.compare(at, std::string_view(word).size(), word) == 0;
    if (at < indentation(first) || (at == indentation(first) && !goesOn)) break;
    last = next;
  }
  auto size = static_cast<uint32_t>(sources.lineText(file, last).size());
  filtered.faultySpans.add({file, fault.begin, sources.lineBegin(file, last) + size});
  return true;
}

void ErrorStrategy::skipStatement(antlr4::Parser *parser, uint32_t depth) {
  antlr4::TokenStream *stream = parser->getTokenStream();
  for (;; stream->consume()) {
    antlr4::Token *token = stream->LT(1);
    if (token->getType() == antlr4::Token::EOF) return;
    uint32_t tokenDepth = filtered.depths[token->getTokenIndex()];
    if (tokenDepth > depth) continue;
    if (token->getType() == DlmParser::K_RBRACE) return;
    if (token->getType() != DlmParser::K_SEP) continue;
    stream->consume();
    return;
  }
}

bool ErrorStrategy::isAlreadyReported(Span span) const {
  return filtered.faultySpans.contains(span.begin);
}

} // namespace dlm
