// What the front end needs to know about UTF-8: whether a text is valid, and how many characters
// it has. Nothing else looks inside a code point.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace dlm {

/// Offset of the first byte that is not part of well-formed UTF-8 (overlong forms, surrogates and
/// values above U+10FFFF are not well-formed), or nothing.
std::optional<size_t> firstInvalidUtf8(std::string_view text);

/// Number of code points of a text; a stray byte counts as one.
size_t characterCount(std::string_view text);

/// Length in bytes of the character at `offset`, at least 1 and never past the end of the text.
size_t characterLength(std::string_view text, size_t offset);

/// Appends a code point in UTF-8; returns false, appending nothing, for a value that is none.
bool appendCodePoint(std::string &text, uint32_t codePoint);

/// A copy in which every stray byte is replaced by U+FFFD.
std::string replaceInvalidUtf8(std::string_view text);

} // namespace dlm
