// Which of the words that exist somebody may have meant; used by every phase that looks up names.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// The nearest word within two edits (one for words of up to four letters, none for a single
/// letter), or an empty text.
std::string nearestWord(const std::string &word, const std::vector<std::string> &words);

/// The at most three nearest words within that distance, nearest first.
std::vector<std::string> nearWords(const std::string &word, const std::vector<std::string> &words);

/// The one near word if it is certainly the one that was meant, or an empty text: no other is near,
/// one edit leads to it, the word has at least five letters, and no digit is touched (`layer1` is
/// not a slip for `layer2`).
std::string certainWord(const std::string &word, const std::vector<std::string> &words);

} // namespace dlm
