// An interval map. Neighbours of the same owner are joined when the second is written, so a program
// that writes a buffer piece by piece in order keeps the map small.
#include "runtime/abi/ByteOwners.h"

#include <algorithm>
#include <iterator>

namespace dlm {

void ByteOwners::splitAt(uint64_t offset) {
  auto next = ranges.upper_bound(offset);
  if (next == ranges.begin()) return;
  auto found = std::prev(next);
  if (found->first >= offset || found->second.end <= offset) return;
  ranges.emplace_hint(next, offset, found->second);
  found->second.end = offset;
}

void ByteOwners::write(uint64_t begin, uint64_t end, Owner owner) {
  if (begin >= end) return;
  splitAt(begin);
  splitAt(end);
  ranges.erase(ranges.lower_bound(begin), ranges.lower_bound(end));
  auto next = ranges.lower_bound(end);
  if (next != ranges.begin()) {
    Range &before = std::prev(next)->second;
    if (before.end == begin && before.owner.buffer == owner.buffer &&
        before.owner.instruction == owner.instruction) {
      before.end = end;
      return;
    }
  }
  ranges.emplace_hint(next, begin, Range{end, owner});
}

ByteOwners::Piece ByteOwners::firstForeign(uint64_t begin, uint64_t end, uint32_t buffer) const {
  auto found = ranges.upper_bound(begin);
  if (found != ranges.begin() && std::prev(found)->second.end > begin) --found;
  for (uint64_t reached = begin; reached < end; ++found) {
    if (found == ranges.end() || found->first > reached) {
      uint64_t gapEnd = found == ranges.end() ? end : std::min(end, found->first);
      return {reached, gapEnd, false, {}};
    }
    if (found->second.owner.buffer != buffer)
      return {reached, std::min(end, found->second.end), true, found->second.owner};
    reached = found->second.end;
  }
  return {end, end, true, {}};
}

} // namespace dlm
