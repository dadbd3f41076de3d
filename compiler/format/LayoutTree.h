// What the layout works on: brackets within brackets, and between them flat sequences of tokens
// with the places where a line may break. The grammar is not needed for more: statements are what
// separators part, elements what commas part, and an operator has the level of its binding.
#pragma once

#include "compiler/format/CommentedTokens.h"

namespace dlm::format {

/// The levels at which a line may break, loosest first. What stands in the condition of an `if`
/// breaks later than everything outside of it.
namespace level {
constexpr uint8_t comma = 0, clause = 1, pipe = 2, either = 3, both = 4, comparison = 5, sum = 6,
                  product = 7, condition = 20, never = 255;
}

/// One token, or a whole bracket.
struct Item {
  uint32_t token = 0;                // the opening token of a bracket
  int32_t bracket = -1;              // its index, if it is one
  uint32_t width = 0;                // on one line
  uint8_t breakLevel = level::never; // at which a line may begin with this item
  bool spaceBefore = false;
  bool isWanted = false; // the author began a line here
  bool isForced = false; // a comment ends the line before
  bool isResult = false; // of the type behind a `->`
};

/// A statement or an element of a list.
struct Sequence {
  std::vector<Item> items;
  uint32_t width = 0;     // on one line
  bool mustBreak = false; // a bracket in it does not fit on one line whatever the width
  bool hasComment = false;
  bool hasOperators = false; // at which it could break, outside of conditions
  int32_t name = -1, type = -1, assign = -1, block = -1; // items that people align
};

enum class BracketKind { Paren, List, Block };

struct Bracket {
  BracketKind kind = BracketKind::Paren;
  uint32_t open = 0;
  uint32_t close = 0; // of the file: the EOF
  std::vector<Sequence> elements;
  uint32_t width = 0;
  bool isBrokenByAuthor = false;
  bool hasComment = false; // between its elements, not deeper
  bool mustBreak = false;
  bool takesComma = false; // a comma may stand behind the last element
  bool keepsComma = false; // one stands behind the only element
  bool isFilled = false;   // only numbers and strings: as many on a line as fit
};

struct LayoutTree {
  std::vector<CommentedToken> tokens;
  std::vector<Bracket> brackets;
  Bracket file; // its elements are the declarations
};

/// Builds the tree of the tokens of a file without errors.
LayoutTree buildLayoutTree(std::vector<CommentedToken> tokens);

} // namespace dlm::format
