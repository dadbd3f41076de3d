// Tokens are walked backwards from the fault.
#include "compiler/syntax/SyntaxContext.h"

#include "compiler/syntax/TokenFilter.h"
#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmParser.h"

namespace dlm {

using grammar::DlmParser;

bool isNamedAbove(const SyntaxErrorSite &site, const SourceManager &sources,
                  const antlr4::Token &name) {
  auto textOf = [&](const antlr4::Token &token) {
    return sources.text(tokenSpan(site.file, token));
  };
  bool isInHead = false; // walking up: in the `( )` behind `fn f`
  for (size_t i = name.getTokenIndex(); i-- > 0;) {
    size_t token = site.tokens.get(i)->getType();
    size_t next = site.tokens.get(i + 1)->getType();
    if (token == DlmParser::K_FN && isNameToken(next)) return false;
    if (next == DlmParser::K_LBRACE && token == DlmParser::K_RPAREN) isInHead = true;
    bool isSame = textOf(*site.tokens.get(i + 1)) == textOf(name);
    bool isParameter = token == DlmParser::K_LPAREN || token == DlmParser::K_COMMA;
    if (isSame && (token == DlmParser::K_LET || (isInHead && isParameter))) return true;
  }
  return false;
}

namespace {

/// The name of the function whose body a token is the first of; null if there is none.
const antlr4::Token *functionBegunAt(const SyntaxErrorSite &site, const antlr4::Token &first) {
  size_t at = first.getTokenIndex();
  auto typeAt = [&](size_t index) { return site.tokens.get(index)->getType(); };
  while (at > 0 && typeAt(at - 1) == DlmParser::K_SEP)
    --at;
  if (at < 2 || typeAt(at - 1) != DlmParser::K_LBRACE || typeAt(at - 2) != DlmParser::K_RPAREN)
    return nullptr;
  for (at -= 2; at-- > 1;) {
    if (typeAt(at) == DlmParser::K_LPAREN)
      return at > 1 && typeAt(at - 2) == DlmParser::K_FN ? site.tokens.get(at - 1) : nullptr;
    if (typeAt(at) == DlmParser::K_SEP || typeAt(at) == DlmParser::K_LBRACE) return nullptr;
  }
  return nullptr;
}

} // namespace

bool helpRecord(const SyntaxErrorSite &site, const SourceManager &sources,
                const antlr4::Token &name, DiagnosticBuilder &message) {
  auto textOf = [&](const antlr4::Token &token) {
    return std::string(sources.text(tokenSpan(site.file, token)));
  };
  const antlr4::Token *function = functionBegunAt(site, name);
  if (!function || (textOf(*function) != "metrics" && textOf(*function) != "predict")) return false;
  std::string help = "what `" + textOf(*function) + "` gives is a record: `(" + textOf(name) +
                     " = ...)`, with `,` between its fields";
  int depth = 0; // of brackets
  size_t at = name.getTokenIndex();
  for (;; ++at) {
    size_t type = site.tokens.get(at)->getType();
    bool isEnd = type == DlmParser::K_SEP || type == DlmParser::K_RBRACE;
    if (type == antlr4::Token::EOF || (depth == 0 && isEnd)) break;
    depth += isOpeningBracket(type) - isClosingBracket(type);
  }
  Span statement =
      cover(tokenSpan(site.file, name), tokenSpan(site.file, *site.tokens.get(at - 1)));
  while (site.tokens.get(at)->getType() == DlmParser::K_SEP)
    ++at;
  if (site.tokens.get(at)->getType() == DlmParser::K_RBRACE)
    message.help(help, statement, "(" + std::string(sources.text(statement)) + ")");
  else
    message.help(help);
  return true;
}

const char *elementNoun(size_t rule) {
  switch (rule) {
  case DlmParser::RuleParams:
  case DlmParser::RulePattern:
    return "a name";
  case DlmParser::RuleTypeRef:
    return "a type";
  default:
    return "an expression";
  }
}

} // namespace dlm
