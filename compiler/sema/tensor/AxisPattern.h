// The little language of `einsum` and `rearrange`: "b (h p) c -> b h (p c)". Names stand for axes,
// parentheses for axes that make up one dimension, `...` for any further ones.
//
// Parsed here into axes that know their place inside of the string, so that messages can point at
// a single name.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

struct PatternAxis {
  enum Kind { Named, Count, Ellipsis } kind = Named;
  std::string name;  // of a Named one; of the others a text that no name can be
  int64_t count = 0; // of a Count: a size without a name
  Span span;
};

/// What stands for one dimension; no axes at all: a size of 1.
struct PatternGroup {
  std::vector<PatternAxis> axes;
  bool isParenthesized = false;
  Span span;
};

struct PatternSide {
  std::vector<PatternGroup> groups;
  Span span;

  /// The axes of all groups, in order.
  std::vector<PatternAxis> axes() const;
  /// The axis of this name, or null.
  const PatternAxis *find(const std::string &name) const;
};

struct AxisPattern {
  std::vector<PatternSide> inputs; // separated by commas
  PatternSide output;
  Span span;
};

/// Nothing if the text is not a pattern; then it was reported.
std::optional<AxisPattern> parseAxisPattern(Evaluator &evaluator, const Operand &text);

/// Whether the axes of one side fit a tensor's number of dimensions; reports if not.
bool checkRank(Evaluator &evaluator, const PatternSide &side, size_t rank, const Operand &operand);

/// Replaces `...` by `count` axes named "...0", "...1", and so on.
void expandEllipsis(PatternSide &side, size_t count);

} // namespace dlm::sema
