// Between the lexer and the parser: decides which line ends end a statement, pairs brackets, limits
// nesting, and reports the faults that are easier to explain here than in a grammar.
//
// What the parser gets is regular: brackets are balanced (missing ones are added, after a report),
// and every statement ends with exactly one K_SEP, also in front of `}` and at the end of the file.
// The parser therefore needs no rule for line ends, and always finds its way to the next statement.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/FaultySpans.h"

#include <antlr4-runtime.h>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// How deep brackets, and prefix and right-associative operators, may nest.
constexpr unsigned nestingMax = 256;

/// How many words, signs, line ends and comments a file may have: each takes about 600 bytes and
/// some microseconds until the tree is built.
constexpr size_t tokensMax = 500'000;

/// How many errors in words and brackets are told, then in statements, then in what these hold. Who
/// reads a thousand messages reads no more; a text that is no program has a fault in every line.
constexpr unsigned syntaxErrorsMax = 1000;

/// A `///` comment: it documents the declaration on its line or, if it stands alone, the next one.
struct DocComment {
  Span span;
  std::string text;
  uint32_t line = 0;       // of a comment behind code; 0 if it stands alone
  uint32_t nextCode = ~0u; // of one that stands alone: where the next token begins
};

struct FilteredTokens {
  std::vector<std::unique_ptr<antlr4::Token>> tokens; // ends with EOF; positions are byte offsets
  std::vector<uint32_t> depths;    // for each token the number of brackets around it
  FaultySpans faultySpans;         // where a fault was reported already: the parser stays silent
  std::vector<Span> surplusBraces; // `}` that close nothing, left out of `tokens`, not reported yet
  std::vector<DocComment> docs;
  std::vector<Span> comments; // all of them, `//` and `///`, in order
  bool isTooLarge = false;    // has too many tokens, or too deep ones, to be parsed; reported
};

/// Lexes and filters a file whose text is valid UTF-8.
FilteredTokens readTokens(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics);

/// Reports a closing bracket that has no partner.
void reportSurplusBracket(Span span, DiagnosticEngine &diagnostics);

/// The place of a token. Tokens made by the filter are empty and stand where they are missing.
Span tokenSpan(FileId file, const antlr4::Token &token);

} // namespace dlm
