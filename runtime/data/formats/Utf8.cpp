// By the table of well-formed sequences of the Unicode standard (chapter 3, table 3-7).
#include "runtime/data/formats/Utf8.h"

#include <cstdio>

namespace dlm {

CodePoint codePointAt(std::string_view text, size_t place) {
  auto byte = [&](size_t i) { return uint8_t(text[place + i]); };
  uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() - place < size) return {};
  char32_t value = lead & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    value = value << 6 | (byte(i) & 0x3F);
  }
  bool isOverlong = (size == 3 && value < 0x800) || (size == 4 && value < 0x10000);
  bool isSurrogate = value >= 0xD800 && value <= 0xDFFF;
  if (isOverlong || isSurrogate || value > 0x10FFFF) return {};
  return {value, size};
}

size_t endOfUtf8(std::string_view text) {
  size_t place = 0;
  while (place < text.size()) {
    CodePoint point = codePointAt(text, place);
    if (point.size == 0) break;
    place += point.size;
  }
  return place;
}

void appendUtf8(std::string &text, char32_t point) {
  if (point < 0x80) {
    text += char(point);
    return;
  }
  int rest = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3; // bytes behind the first
  static const uint8_t leads[] = {0, 0xC0, 0xE0, 0xF0};
  text += char(leads[rest] | point >> (6 * rest));
  while (rest-- > 0)
    text += char(0x80 | (point >> (6 * rest) & 0x3F));
}

std::string shownPoint(char32_t point) {
  char name[16];
  std::snprintf(name, sizeof name, "U+%04X", unsigned(point));
  bool isSeen = point > 0x20 && (point < 0x7F || point > 0xA0);
  if (!isSeen) return name;
  std::string text = "`";
  appendUtf8(text, point);
  return text + "` (" + name + ")";
}

} // namespace dlm
