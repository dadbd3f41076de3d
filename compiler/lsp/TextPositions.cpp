// See TextPositions.h.
#include "compiler/lsp/TextPositions.h"

#include "compiler/source/Utf8.h"

#include <algorithm>

namespace dlm::lsp {

static constexpr size_t markDistance = 256;

static uint32_t unitsOf(size_t characterBytes) { return characterBytes == 4 ? 2 : 1; }

TextPositions::TextPositions(std::string_view text) : text(text), lineBegins{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    bool isEnd = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
    if (isEnd) lineBegins.push_back(uint32_t(i + 1));
  }
  Mark here;
  while (here.offset < text.size()) {
    if (here.offset >= marks.size() * markDistance) marks.push_back(here);
    size_t length = characterLength(text, here.offset);
    here.offset += uint32_t(length);
    here.units += unitsOf(length);
  }
}

uint32_t TextPositions::unitsBefore(uint32_t offset) const {
  if (marks.empty()) return 0;
  size_t index = std::min(offset / markDistance, marks.size() - 1);
  if (marks[index].offset > offset) --index; // a character lies across the distance
  Mark here = marks[index];
  while (here.offset < offset) {
    size_t length = characterLength(text, here.offset);
    here.offset += uint32_t(length);
    here.units += unitsOf(length);
  }
  return here.units;
}

uint32_t TextPositions::lineEnd(uint32_t line) const {
  if (line + 1 >= lineBegins.size()) return uint32_t(text.size());
  uint32_t end = lineBegins[line + 1] - 1;
  bool isTwo = end > lineBegins[line] && text[end] == '\n' && text[end - 1] == '\r';
  return isTwo ? end - 1 : end;
}

uint32_t TextPositions::offset(Position position) const {
  if (position.line >= lineBegins.size()) return uint32_t(text.size());
  Mark here = {lineBegins[position.line], unitsBefore(lineBegins[position.line])};
  uint32_t end = lineEnd(position.line);
  uint64_t wanted = uint64_t(here.units) + position.character;
  auto next = std::upper_bound(marks.begin(), marks.end(), wanted,
                               [](uint64_t units, const Mark &mark) { return units < mark.units; });
  if (next != marks.begin() && std::prev(next)->offset > here.offset) here = *std::prev(next);
  while (here.offset < end) {
    size_t length = characterLength(text, here.offset);
    if (here.units + unitsOf(length) > wanted) break;
    here.offset += uint32_t(length);
    here.units += unitsOf(length);
  }
  return std::min(here.offset, end);
}

Position TextPositions::position(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, uint32_t(text.size()));
  auto next = std::upper_bound(lineBegins.begin(), lineBegins.end(), offset);
  auto line = uint32_t(next - lineBegins.begin() - 1);
  return {line, unitsBefore(offset) - unitsBefore(lineBegins[line])};
}

TextChange::TextChange(std::string_view before, std::string_view after) {
  size_t shorter = std::min(before.size(), after.size());
  size_t front = 0, back = 0;
  while (front < shorter && before[front] == after[front])
    ++front;
  while (back < shorter - front &&
         before[before.size() - 1 - back] == after[after.size() - 1 - back])
    ++back;
  begin = uint32_t(front);
  oldEnd = uint32_t(before.size() - back);
  newEnd = uint32_t(after.size() - back);
}

bool TextChange::toOld(uint32_t &offset) const {
  if (offset < begin) return true;
  if (offset < newEnd) return false;
  offset = offset - newEnd + oldEnd;
  return true;
}

uint32_t TextChange::toNew(uint32_t offset) const {
  if (offset < begin) return offset;
  return offset < oldEnd ? begin : offset - oldEnd + newEnd;
}

} // namespace dlm::lsp
