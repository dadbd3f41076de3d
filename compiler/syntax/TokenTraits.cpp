// Sets of token types, written as lists.

#include "compiler/syntax/TokenTraits.h"

#include "grammar/DlmLexer.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace dlm {

using grammar::DlmLexer;

bool isOpeningBracket(size_t type) {
  return type == DlmLexer::K_LPAREN || type == DlmLexer::K_LBRACK || type == DlmLexer::K_LBRACE;
}

bool isClosingBracket(size_t type) {
  return type == DlmLexer::K_RPAREN || type == DlmLexer::K_RBRACK || type == DlmLexer::K_RBRACE;
}

size_t closingOf(size_t opening) {
  switch (opening) {
  case DlmLexer::K_LPAREN:
    return DlmLexer::K_RPAREN;
  case DlmLexer::K_LBRACK:
    return DlmLexer::K_RBRACK;
  default:
    return DlmLexer::K_RBRACE;
  }
}

bool isReservedWord(size_t type) { return type >= DlmLexer::K_LET && type <= DlmLexer::K_EXPECT; }

bool isNameToken(size_t type) {
  return type == DlmLexer::K_IDENT || (type >= DlmLexer::K_USE && type <= DlmLexer::K_AS);
}

bool endsExpression(size_t type) {
  switch (type) {
  case DlmLexer::K_NUMBER:
  case DlmLexer::K_QUANTITY:
  case DlmLexer::K_PERCENT:
  case DlmLexer::K_STRING:
  case DlmLexer::K_TRUE:
  case DlmLexer::K_FALSE:
  case DlmLexer::K_NONE:
  case DlmLexer::K_RPAREN:
  case DlmLexer::K_RBRACK:
  case DlmLexer::K_RBRACE:
  case DlmLexer::K_ELLIPSIS:
  case DlmLexer::K_QUESTION:
    return true;
  default:
    return isNameToken(type);
  }
}

bool beginsExpression(size_t type) {
  switch (type) {
  case DlmLexer::K_NUMBER:
  case DlmLexer::K_QUANTITY:
  case DlmLexer::K_PERCENT:
  case DlmLexer::K_STRING:
  case DlmLexer::K_TRUE:
  case DlmLexer::K_FALSE:
  case DlmLexer::K_NONE:
  case DlmLexer::K_IF:
  case DlmLexer::K_FN:
  case DlmLexer::K_NOT:
  case DlmLexer::K_MINUS:
  case DlmLexer::K_LPAREN:
  case DlmLexer::K_LBRACK:
    return true;
  default:
    return isNameToken(type);
  }
}

bool continuesExpression(size_t type) {
  switch (type) {
  case DlmLexer::K_PIPE:
  case DlmLexer::K_DOT:
  case DlmLexer::K_DOTDOT:
  case DlmLexer::K_PLUS:
  case DlmLexer::K_STAR:
  case DlmLexer::K_SLASH:
  case DlmLexer::K_AT:
  case DlmLexer::K_MOD:
  case DlmLexer::K_POW:
  case DlmLexer::K_EQ:
  case DlmLexer::K_NE:
  case DlmLexer::K_LT:
  case DlmLexer::K_LE:
  case DlmLexer::K_GT:
  case DlmLexer::K_GE:
  case DlmLexer::K_IN:
  case DlmLexer::K_AND:
  case DlmLexer::K_OR:
  case DlmLexer::K_ELSE:
  case DlmLexer::K_ARROW:
  case DlmLexer::K_FATARROW:
  case DlmLexer::K_ASSIGN:
  case DlmLexer::K_COLON:
  case DlmLexer::K_COMMA:
  case DlmLexer::K_RPAREN:
  case DlmLexer::K_RBRACK:
  case DlmLexer::K_LBRACE:
    return true;
  default:
    return false;
  }
}

bool beginsStatementOnly(size_t first, size_t second) {
  switch (first) {
  case DlmLexer::K_LET:
  case DlmLexer::K_REQUIRE:
  case DlmLexer::K_EXPECT:
    return true;
  case DlmLexer::K_FN:
  case DlmLexer::K_PARAM:
  case DlmLexer::K_BUFFER:
  case DlmLexer::K_STATE:
  case DlmLexer::K_NEXT:
  case DlmLexer::K_UPDATE:
  case DlmLexer::K_COMMAND:
    return isNameToken(second);
  default:
    return beginsDeclarationOnly(first, second);
  }
}

bool beginsDeclarationOnly(size_t first, size_t second) {
  switch (first) {
  case DlmLexer::K_USE:
  case DlmLexer::K_OPTION:
  case DlmLexer::K_MODEL:
  case DlmLexer::K_OPTIMIZER:
  case DlmLexer::K_TRAIN:
  case DlmLexer::K_SEARCH:
  case DlmLexer::K_EXPORT:
    return isNameToken(second);
  case DlmLexer::K_TEST:
    return second == DlmLexer::K_STRING;
  default:
    return false;
  }
}

bool isTypeWord(const std::string &name) {
  static const std::set<std::string> words = {"int",  "float", "double", "f16", "bf16",
                                              "f32",  "f64",   "i32",    "i64", "u8",
                                              "bool", "auto",  "string"};
  return words.count(name) > 0;
}

bool isName(const std::string &text) {
  auto isPlain = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text[0]))) return false;
  for (size_t type = DlmLexer::K_LET; isReservedWord(type); ++type)
    if (text == spelling(type)) return false;
  return std::all_of(text.begin(), text.end(), isPlain);
}

std::string spelling(size_t type) {
  static const antlr4::dfa::Vocabulary vocabulary = [] {
    antlr4::ANTLRInputStream nothing;
    return DlmLexer(&nothing).getVocabulary();
  }();
  std::string quoted = vocabulary.getLiteralName(type);
  return quoted.size() > 2 ? quoted.substr(1, quoted.size() - 2) : quoted;
}

} // namespace dlm
