// How far two words are apart: behind every "there is a ... named".
#pragma once

#include <string>

namespace dlm {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one word into
/// the other; stops counting above `limit`, and is then `limit + 1`.
unsigned editDistance(const std::string &from, const std::string &to, unsigned limit);

} // namespace dlm
