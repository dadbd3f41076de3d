// See TextPositions.h.
#include "compiler/lsp/TextPositions.h"

#include "compiler/source/Utf8.h"

#include <algorithm>

namespace dlm::lsp {

TextPositions::TextPositions(std::string_view text) : text(text), lineBegins{0} {
  for (size_t i = 0; i < text.size(); ++i) {
    bool isEnd = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
    if (isEnd) lineBegins.push_back(uint32_t(i + 1));
  }
}

uint32_t TextPositions::offset(Position position) const {
  if (position.line >= lineBegins.size()) return uint32_t(text.size());
  size_t at = lineBegins[position.line];
  uint32_t units = 0;
  while (at < text.size() && text[at] != '\n' && text[at] != '\r') {
    size_t length = characterLength(text, at);
    units += length == 4 ? 2 : 1;
    if (units > position.character) break;
    at += length;
  }
  return uint32_t(at);
}

Position TextPositions::position(uint32_t offset) const {
  offset = std::min<uint32_t>(offset, uint32_t(text.size()));
  auto next = std::upper_bound(lineBegins.begin(), lineBegins.end(), offset);
  Position result = {uint32_t(next - lineBegins.begin() - 1), 0};
  for (size_t at = lineBegins[result.line]; at < offset;) {
    size_t length = characterLength(text, at);
    result.character += length == 4 ? 2 : 1;
    at += length;
  }
  return result;
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
