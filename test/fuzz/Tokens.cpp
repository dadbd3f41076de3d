// One loop that asks how long the token at an offset is.
#include "test/fuzz/Tokens.h"

#include <cctype>

namespace dlm::fuzz {

namespace {

bool isSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool isLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }

template <class Test> size_t runFrom(std::string_view text, size_t begin, Test test) {
  size_t end = begin;
  while (end < text.size() && test(text[end]))
    ++end;
  return end;
}

size_t stringEnd(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  while (end < text.size() && text[end] != '"' && text[end] != '\n')
    end += text[end] == '\\' && end + 1 < text.size() ? 2 : 1;
  return std::min(text.size(), end + (end < text.size() && text[end] == '"'));
}

size_t signEnd(std::string_view text, size_t begin) {
  for (std::string_view sign : {"...", "..", "|>", "->", "=>", "**", "==", "!=", "<=", ">="})
    if (text.substr(begin, sign.size()) == sign) return begin + sign.size();
  return begin + 1;
}

Token tokenAt(std::string_view text, size_t begin) {
  auto make = [&](TokenKind kind, size_t end) {
    return Token{kind, std::string(text.substr(begin, end - begin))};
  };
  char c = text[begin];
  if (isSpace(c)) return make(TokenKind::Space, runFrom(text, begin, isSpace));
  if (isLetter(c))
    return make(TokenKind::Word,
                runFrom(text, begin, [](char d) { return isLetter(d) || isDigit(d); }));
  if (isDigit(c)) {
    size_t end = runFrom(text, begin, [](char d) { return isDigit(d) || d == '_'; });
    bool isReal = end + 1 < text.size() && text[end] == '.' && isDigit(text[end + 1]);
    if (isReal) end = runFrom(text, end + 1, isDigit);
    return make(TokenKind::Number,
                runFrom(text, end, [](char d) { return isLetter(d) || isDigit(d) || d == '%'; }));
  }
  if (c == '"') return make(TokenKind::String, stringEnd(text, begin));
  if (text.substr(begin, 2) == "//")
    return make(TokenKind::Comment, runFrom(text, begin, [](char d) { return d != '\n'; }));
  return make(TokenKind::Sign, signEnd(text, begin));
}

} // namespace

std::vector<Token> tokensOf(std::string_view text) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < text.size(); at += tokens.back().text.size())
    tokens.push_back(tokenAt(text, at));
  return tokens;
}

std::string joined(const std::vector<Token> &tokens) {
  std::string text;
  for (const Token &token : tokens)
    text += token.text;
  return text;
}

} // namespace dlm::fuzz
