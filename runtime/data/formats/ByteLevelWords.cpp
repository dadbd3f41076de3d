// The regular expression by hand: its alternatives in their order, each as far as it goes.
#include "runtime/data/formats/ByteLevelWords.h"

#include "runtime/data/formats/UnicodeClasses.h"
#include "runtime/data/formats/Utf8.h"

#include <algorithm>

namespace dlm {

namespace {

enum class CharacterClass { Letter, Number, Space, Other };

CharacterClass classOf(char32_t point) {
  if (isLetter(point)) return CharacterClass::Letter;
  if (isNumber(point)) return CharacterClass::Number;
  return isSpace(point) ? CharacterClass::Space : CharacterClass::Other;
}

CodePoint pointAt(std::string_view text, size_t place) {
  CodePoint point = codePointAt(text, place);
  return {point.value, std::max<size_t>(point.size, 1)};
}

/// The size of `'s`, `'re` and the like at the beginning of the text; 0 if there is none.
size_t sizeOfContraction(std::string_view text) {
  for (std::string_view each : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"})
    if (text.substr(0, each.size()) == each) return each.size();
  return 0;
}

size_t endOfRun(std::string_view text, size_t begin, CharacterClass wanted) {
  while (begin < text.size()) {
    CodePoint point = pointAt(text, begin);
    if (classOf(point.value) != wanted) break;
    begin += point.size;
  }
  return begin;
}

/// Bytes that can be seen are written as themselves, the others from U+0100 on.
bool isWrittenAsItself(char32_t byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) ||
         (byte >= 0xAE && byte <= 0xFF);
}

} // namespace

size_t endOfByteLevelWord(std::string_view text, size_t begin) {
  if (text[begin] == '\'') {
    if (size_t size = sizeOfContraction(text.substr(begin))) return begin + size;
  }
  size_t word = begin + (text[begin] == ' '); // a space may stand before a run
  if (word < text.size()) {
    CharacterClass first = classOf(pointAt(text, word).value);
    if (first != CharacterClass::Space) return endOfRun(text, word, first);
  }
  // Spaces, of which the last goes with what follows, unless it is the only one.
  size_t end = endOfRun(text, begin, CharacterClass::Space);
  if (end == text.size()) return end;
  size_t last = end - 1;
  while ((uint8_t(text[last]) & 0xC0) == 0x80)
    --last;
  return last > begin ? last : end;
}

std::optional<std::string> bytesOfToken(std::string_view written) {
  static const std::array<int, 0x144> byteOf = [] {
    std::array<int, 0x144> table;
    table.fill(-1);
    char32_t next = 0x100;
    for (char32_t byte = 0; byte < 0x100; ++byte)
      table[isWrittenAsItself(byte) ? byte : next++] = int(byte);
    return table;
  }();
  std::string bytes;
  for (size_t at = 0; at < written.size();) {
    CodePoint point = pointAt(written, at);
    if (point.value >= byteOf.size() || byteOf[point.value] < 0) return std::nullopt;
    bytes += char(byteOf[point.value]);
    at += point.size;
  }
  return bytes;
}

} // namespace dlm
