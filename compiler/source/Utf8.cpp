// Table 3-7 of the Unicode standard ("well-formed UTF-8 byte sequences") as code.

#include "compiler/source/Utf8.h"

#include <algorithm>
#include <cstdint>

namespace dlm {

namespace {

/// Length of the well-formed sequence at `offset`, or 0.
size_t wellFormedLength(std::string_view text, size_t offset) {
  auto byteAt = [&](size_t i) -> unsigned {
    return offset + i < text.size() ? static_cast<unsigned char>(text[offset + i]) : 0u;
  };
  auto continues = [&](size_t i) { return (byteAt(i) & 0xC0) == 0x80; };
  unsigned first = byteAt(0);
  unsigned second = byteAt(1);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && second < 0xA0) return 0;
    if (first == 0xED && second > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && second < 0x90) return 0;
    if (first == 0xF4 && second > 0x8F) return 0;
    return 4;
  }
  return 0;
}

} // namespace

std::optional<size_t> firstInvalidUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size();) {
    size_t length = wellFormedLength(text, i);
    if (length == 0) return i;
    i += length;
  }
  return std::nullopt;
}

size_t characterLength(std::string_view text, size_t offset) {
  return std::max<size_t>(1, wellFormedLength(text, offset));
}

size_t characterCount(std::string_view text) {
  size_t count = 0;
  for (size_t i = 0; i < text.size(); i += characterLength(text, i))
    ++count;
  return count;
}

bool appendCodePoint(std::string &text, uint32_t codePoint) {
  if (codePoint > 0x10FFFF || (codePoint >= 0xD800 && codePoint <= 0xDFFF)) return false;
  if (codePoint < 0x80) {
    text += static_cast<char>(codePoint);
    return true;
  }
  int extra = codePoint < 0x800 ? 1 : codePoint < 0x10000 ? 2 : 3;
  static constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
  text += static_cast<char>(leads[extra] | (codePoint >> (6 * extra)));
  for (int i = extra - 1; i >= 0; --i)
    text += static_cast<char>(0x80 | ((codePoint >> (6 * i)) & 0x3F));
  return true;
}

std::string replaceInvalidUtf8(std::string_view text) {
  std::string result;
  for (size_t i = 0; i < text.size();) {
    size_t length = wellFormedLength(text, i);
    if (length == 0) {
      result += "\xEF\xBF\xBD";
      ++i;
      continue;
    }
    result.append(text.substr(i, length));
    i += length;
  }
  return result;
}

} // namespace dlm
