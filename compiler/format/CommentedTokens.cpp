// One walk over the text, from token or comment to the next, counting lines and columns on the way.

#include "compiler/format/CommentedTokens.h"

#include "compiler/source/Utf8.h"
#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmLexer.h"

namespace dlm::format {

using grammar::DlmLexer;

namespace {

class TokenWalk {
public:
  explicit TokenWalk(std::string_view text) : text(text) {}

  std::vector<CommentedToken> run(const FilteredTokens &filtered) {
    auto comment = filtered.comments.begin();
    for (size_t i = 0; i < filtered.tokens.size(); ++i) {
      const antlr4::Token *token = filtered.tokens[i].get();
      size_t type = token->getType();
      bool leadsLine = type == DlmLexer::K_COMMA && mustLeadLine(filtered, i);
      size_t begin = filtered.tokens[leadsLine ? i + 1 : i]->getStartIndex();
      for (; comment != filtered.comments.end() && comment->begin < begin; ++comment)
        takeComment(*comment);
      if (type == DlmLexer::K_SEP) {
        result.emplace_back();
        result.back().type = type;
        continue;
      }
      bool isCarrier = type != DlmLexer::K_COMMA || leadsLine;
      takeToken(type, token->getStartIndex(), token->getStopIndex() + 1, isCarrier);
    }
    return std::move(result);
  }

private:
  /// Whether no line can begin with what stands behind a comma, as in `use a, model as m`.
  static bool mustLeadLine(const FilteredTokens &filtered, size_t comma) {
    auto typeAt = [&](size_t i) { return filtered.tokens[i]->getType(); };
    return comma + 2 < filtered.tokens.size() &&
           beginsStatementOnly(typeAt(comma + 1), typeAt(comma + 2));
  }

  /// Moves on to `offset`; counts the line ends passed and the spaces right in front of it.
  void advance(size_t offset) {
    spaces = 0;
    for (; at < offset; ++at) {
      auto byte = static_cast<unsigned char>(text[at]);
      spaces = byte == ' ' || byte == '\t' ? spaces + 1 : 0;
      if (byte == '\n') {
        ++newlines;
        column = 0;
      } else if ((byte & 0xC0) != 0x80) {
        ++column;
      }
    }
  }

  void takeComment(Span span) {
    advance(span.begin);
    std::string_view words = text.substr(span.begin, span.end - span.begin);
    words = words.substr(0, words.find_last_not_of(" \t\f\r") + 1);
    Comment comment{words, newlines, column};
    bool isBehind = newlines == 0 && previous != none;
    if (isBehind && result[previous].behind.empty())
      result[previous].behind.push_back(comment);
    else
      above.push_back(comment);
    advance(span.end);
    newlines = 0;
  }

  /// `isCarrier`: comments in front of the token and behind it belong to it.
  void takeToken(size_t type, size_t begin, size_t end, bool isCarrier) {
    advance(begin);
    CommentedToken token;
    token.type = type;
    token.text = text.substr(begin, end - begin);
    token.width = static_cast<uint32_t>(characterCount(token.text));
    token.column = column;
    token.isPadded = newlines == 0 && spaces > 1;
    token.newlinesBefore = newlines;
    advance(end);
    if (isCarrier) {
      token.above = std::move(above);
      above.clear();
      newlines = 0;
      previous = result.size();
    }
    result.push_back(std::move(token));
  }

  static constexpr size_t none = ~size_t(0);
  std::string_view text;
  std::vector<CommentedToken> result;
  std::vector<Comment> above; // waiting for the token below
  size_t previous = none;     // the token that a comment on its line belongs to
  size_t at = 0;
  uint32_t column = 0;
  uint32_t newlines = 0; // since the token or comment before
  uint32_t spaces = 0;   // in front of `at`
};

} // namespace

std::vector<CommentedToken> commentedTokens(std::string_view text, const FilteredTokens &filtered) {
  return TokenWalk(text).run(filtered);
}

} // namespace dlm::format
