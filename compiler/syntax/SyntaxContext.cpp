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
