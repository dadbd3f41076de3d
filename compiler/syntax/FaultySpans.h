// Where a fault was reported already: the parser stays silent there. A file may have as many faults
// as lines, so both questions are answered without looking at all of them.
#pragma once

#include "compiler/source/Span.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace dlm {

class FaultySpans {
public:
  void add(Span span) {
    begins.insert(span.begin);
    uint32_t begin = span.begin, end = std::max(span.begin, span.end);
    auto next = merged.upper_bound(begin);
    if (next != merged.begin() && std::prev(next)->second >= begin) --next;
    for (; next != merged.end() && next->first <= end; next = merged.erase(next)) {
      begin = std::min(begin, next->first);
      end = std::max(end, next->second);
    }
    merged[begin] = end;
  }

  /// Whether a fault holds the offset, or ends there.
  bool contains(uint32_t offset) const {
    auto next = merged.upper_bound(offset);
    return next != merged.begin() && std::prev(next)->second >= offset;
  }

  /// Where the first fault from an offset on begins.
  std::optional<uint32_t> nextBegin(uint32_t offset) const {
    auto next = begins.lower_bound(offset);
    return next == begins.end() ? std::nullopt : std::optional<uint32_t>(*next);
  }

private:
  std::set<uint32_t> begins;
  std::map<uint32_t, uint32_t> merged; // begin and end of what is covered
};

} // namespace dlm
