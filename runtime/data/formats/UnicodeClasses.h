// Which code points are letters, numbers and spaces, as regular expressions ask it of them by
// `\p{L}`, `\p{N}` and `\s`.
#pragma once

namespace dlm {

bool isLetter(char32_t point);
bool isNumber(char32_t point);
bool isSpace(char32_t point);

} // namespace dlm
