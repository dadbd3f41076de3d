// Which of the words that exist somebody may have meant; used by every phase that looks up names.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one word into
/// the other; stops counting above `limit`, which it then exceeds.
unsigned editDistance(const std::string &from, const std::string &to, unsigned limit);

/// The nearest word within a distance of 2 (1 for words up to three letters), or an empty text.
std::string nearestWord(const std::string &word, const std::vector<std::string> &words);

/// The at most three nearest words within that distance, nearest first.
std::vector<std::string> nearWords(const std::string &word, const std::vector<std::string> &words);

} // namespace dlm
