// A place in a source file: what every node, diagnostic and operation of a program points at.
#pragma once

#include <cstdint>

namespace dlm {

/// Names a file of a `SourceManager`.
using FileId = uint32_t;

/// The half-open byte range [begin, end) of a file. The default span is no place at all.
struct Span {
  FileId file = ~0u;
  uint32_t begin = 0;
  uint32_t end = 0;

  bool isValid() const { return file != ~0u; }
  bool operator==(const Span &other) const {
    return file == other.file && begin == other.begin && end == other.end;
  }
};

/// The smallest span that covers both; they lie in the same file.
inline Span cover(Span first, Span second) {
  if (!first.isValid()) return second;
  if (!second.isValid()) return first;
  return {first.file, first.begin < second.begin ? first.begin : second.begin,
          first.end > second.end ? first.end : second.end};
}

} // namespace dlm
