#include "runtime/data/formats/ShownText.h"

namespace dlm {

namespace {

/// Bytes of the character that begins here; 0 if none does.
size_t characterBytes(std::string_view text) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned first = byte(0);
  if (first < 0x80) return 1;
  size_t count = first >= 0xF5 ? 0 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 0;
  for (size_t i = 1; i < count; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Longer forms than needed, surrogates, and what lies beyond the last character.
  bool isBad = (first == 0xE0 && byte(1) < 0xA0) || (first == 0xED && byte(1) >= 0xA0) ||
               (first == 0xF0 && byte(1) < 0x90) || (first == 0xF4 && byte(1) >= 0x90);
  return isBad ? 0 : count;
}

bool isControl(std::string_view character) {
  auto first = static_cast<unsigned char>(character[0]);
  bool isHigh = first == 0xC2 && static_cast<unsigned char>(character[1]) < 0xA0;
  return first < ' ' || first == 0x7F || isHigh;
}

} // namespace

std::string shownText(std::string_view text, size_t bytesMax) {
  std::string result;
  while (!text.empty()) {
    if (result.size() >= bytesMax) return result + "...";
    size_t bytes = characterBytes(text);
    bool isShown = bytes > 0 && !isControl(text.substr(0, bytes));
    result += isShown ? text.substr(0, bytes) : std::string_view("?");
    text.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  return result;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    size_t bytes = characterBytes(text);
    if (bytes == 0) return false;
    text.remove_prefix(bytes);
  }
  return true;
}

} // namespace dlm
