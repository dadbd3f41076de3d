// Text from a file in a message: short, one line, valid UTF-8, and nothing that a terminal would
// act on.
#pragma once

#include <string>
#include <string_view>

namespace dlm {

/// The text, whatever does not fit replaced by `?`, and cut with `...` behind about `bytesMax`.
std::string shownText(std::string_view text, size_t bytesMax = 60);

/// Whether the text is valid UTF-8.
bool isUtf8(std::string_view text);

} // namespace dlm
