// Code points of a text in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace dlm {

struct CodePoint {
  char32_t value = 0;
  size_t size = 0; // in bytes; 0: no code point begins here
};

/// The code point that begins at `place`, which is in the text. Overlong forms, surrogates and what
/// lies beyond U+10FFFF are none.
CodePoint codePointAt(std::string_view text, size_t place);

/// The first byte that is not UTF-8; the size of the text if all is.
size_t endOfUtf8(std::string_view text);

void appendUtf8(std::string &text, char32_t point);

/// How a message shows a code point: `x` (U+0078), or U+000A where nothing would be seen.
std::string shownPoint(char32_t point);

} // namespace dlm
