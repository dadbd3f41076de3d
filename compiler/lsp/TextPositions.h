// Places as the protocol counts them: lines and UTF-16 units from zero, where the compiler counts
// bytes.
#pragma once

#include "compiler/source/Span.h"

#include <string_view>
#include <vector>

namespace dlm::lsp {

struct Position {
  uint32_t line = 0;
  uint32_t character = 0;
};

struct Range {
  Position begin;
  Position end;
};

/// Converts places of one text, which must outlive this. Making it takes a look at the whole text,
/// a conversion a binary search and a short walk.
class TextPositions {
public:
  explicit TextPositions(std::string_view text);

  /// What lies behind the end of a line or of the text counts as the end.
  uint32_t offset(Position position) const;
  Position position(uint32_t offset) const;
  Range range(Span span) const { return {position(span.begin), position(span.end)}; }

private:
  /// A character, and how many UTF-16 units are before it.
  struct Mark {
    uint32_t offset = 0;
    uint32_t units = 0;
  };
  uint32_t unitsBefore(uint32_t offset) const;
  uint32_t lineEnd(uint32_t line) const;

  std::string_view text;
  std::vector<uint32_t> lineBegins;
  std::vector<Mark> marks; // one for every 256 bytes: lines may be megabytes long
};

/// What differs between two texts: bytes [begin, oldEnd) became [begin, newEnd).
struct TextChange {
  uint32_t begin = 0;
  uint32_t oldEnd = 0;
  uint32_t newEnd = 0;

  TextChange(std::string_view before, std::string_view after);
  /// Where a place of the new text was in the old one; false if it lies in what changed.
  bool toOld(uint32_t &offset) const;
  /// Where a place of the old text is in the new one; inside of what changed: its begin.
  uint32_t toNew(uint32_t offset) const;
};

} // namespace dlm::lsp
