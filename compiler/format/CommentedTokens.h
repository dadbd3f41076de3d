// The tokens of a file with everything that is no token tied to one of them: comments, line ends,
// columns. Whoever moves a token moves its comments with it, so none can be lost.
#pragma once

#include "compiler/syntax/TokenFilter.h"

#include <string_view>
#include <vector>

namespace dlm::format {

struct Comment {
  std::string_view text; // without white space at its end
  uint32_t newlinesBefore = 0;
  uint32_t column = 0; // in characters, from 0
};

struct CommentedToken {
  size_t type = 0;
  std::string_view text;
  uint32_t width = 0;          // in characters
  uint32_t column = 0;         // in the source, in characters, from 0
  uint32_t newlinesBefore = 0; // since the token or comment before; a comma counts as none
  bool isPadded = false;       // more than one space stands before it on its line
  std::vector<Comment> above;  // on lines of their own
  std::vector<Comment> behind; // on the same line: one or none
};

/// The tokens as the parser sees them (statements end with K_SEP, the file with EOF). Separators
/// and commas carry no comments: those behind one belong to the token before it, others to the
/// token after it (but a comma does whose next token could not begin a line).
std::vector<CommentedToken> commentedTokens(std::string_view text, const FilteredTokens &filtered);

} // namespace dlm::format
