// Short words tolerate fewer edits than long ones: otherwise every short name is near every other.
#include "compiler/diagnostics/NearWords.h"

#include "runtime/base/EditDistance.h"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace dlm {

namespace {

/// The letters and digits of a name, however they are joined and written: `TopK` is `top_k`.
std::string lettersOf(const std::string &name) {
  std::string result;
  for (char c : name)
    if (c != '_') result += char(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

/// Whether a word is the beginning of the other: `mem` of `memory`.
bool isShortened(const std::string &word, const std::string &candidate) {
  constexpr size_t lettersMin = 3;
  return word.size() >= lettersMin && word.size() < candidate.size() &&
         candidate.compare(0, word.size(), word) == 0;
}

} // namespace

std::vector<std::string> nearWords(const std::string &word, const std::vector<std::string> &words) {
  unsigned limit = word.size() <= 1 ? 0 : word.size() <= 4 ? 1 : 2;
  std::vector<std::pair<unsigned, std::string>> near;
  for (const std::string &candidate : words) {
    bool isSame = word != candidate && word.size() > 1 && haveSameLetters(word, candidate);
    unsigned distance = isSame ? 1 : editDistance(word, candidate, limit);
    if (distance <= limit) near.push_back({distance, candidate});
  }
  if (near.empty())
    for (const std::string &candidate : words)
      if (isShortened(word, candidate)) near.push_back({limit, candidate});
  std::sort(near.begin(), near.end());
  near.erase(std::unique(near.begin(), near.end()), near.end());
  std::vector<std::string> result;
  for (size_t i = 0; i < near.size() && i < 3; ++i)
    result.push_back(near[i].second);
  return result;
}

bool haveSameLetters(const std::string &a, const std::string &b) {
  return lettersOf(a) == lettersOf(b);
}

std::string nearestWord(const std::string &word, const std::vector<std::string> &words) {
  std::vector<std::string> near = nearWords(word, words);
  return near.empty() ? std::string() : near.front();
}

namespace {

/// `layer` and `layers` are two things, as are `loss_a` and `loss_b`.
bool isOtherWord(const std::string &a, const std::string &b) {
  if (a == b + "s" || b == a + "s") return true;
  size_t size = a.size();
  bool isLetter = size == b.size() && size > 2 && a.substr(0, size - 1) == b.substr(0, size - 1);
  auto isUpper = [](char c) { return c >= 'A' && c <= 'Z'; };
  return isLetter && (a[size - 2] == '_' || (isUpper(a.back()) && isUpper(b.back())));
}

} // namespace

std::string certainWord(const std::string &word, const std::vector<std::string> &words) {
  constexpr size_t lettersMin = 5;
  std::vector<std::string> near = nearWords(word, words);
  if (near.size() != 1 || word.size() < lettersMin) return "";
  auto digitsOf = [](const std::string &text) {
    std::string digits;
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
                 [](char c) { return c >= '0' && c <= '9'; });
    return digits;
  };
  if (isOtherWord(word, near[0])) return "";
  bool isSlip = editDistance(word, near[0], 1) == 1 && digitsOf(word) == digitsOf(near[0]);
  return isSlip ? near[0] : "";
}

} // namespace dlm
