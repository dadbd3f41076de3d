// A text as words, numbers, strings, signs and what lies between them. Unlike the compiler's lexer
// this one keeps every byte: joined again, the tokens are the text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dlm::fuzz {

enum class TokenKind { Word, Number, String, Comment, Space, Sign };

struct Token {
  TokenKind kind;
  std::string text;
};

std::vector<Token> tokensOf(std::string_view text);
std::string joined(const std::vector<Token> &tokens);

} // namespace dlm::fuzz
