// Which of the words that exist somebody may have meant; used by every phase that looks up names.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// The nearest word within two edits (one for words of up to four letters, none for a single
/// letter), or an empty text. Capitals and underscores count as one edit together; if no word is
/// near, one that begins with at least three letters is.
std::string nearestWord(const std::string &word, const std::vector<std::string> &words);

/// The at most three nearest words within that distance, nearest first.
std::vector<std::string> nearWords(const std::string &word, const std::vector<std::string> &words);

/// Whether two names differ in capitals and underscores only: `TopK` and `top_k`.
bool haveSameLetters(const std::string &a, const std::string &b);

/// The one near word if it is certainly the one that was meant, or an empty text: no other is near,
/// one edit leads to it, the word has at least five letters, and what differs is no digit, no
/// plural and no letter that stands for itself (`layer1` is not a slip for `layer2`, nor `layer`
/// for `layers`, nor `loss_a` for `loss_b`).
std::string certainWord(const std::string &word, const std::vector<std::string> &words);

} // namespace dlm
