// Tokenizers whose vocabulary is what stands in the texts: characters or words.
#pragma once

#include "runtime/data/formats/Tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <deque>
#include <unordered_set>

namespace dlm {

/// Collects the different characters, or words, of texts.
class VocabularyCollector {
public:
  explicit VocabularyCollector(bool isOfChars) : isOfChars(isOfChars) {}

  /// Where a text may be cut, as in `Tokenizer::cutBehind`.
  size_t cutBehind(std::string_view text, size_t from) const;

  Status add(std::string_view piece);

  Expected<std::unique_ptr<Tokenizer>> make() const;

private:
  bool isOfChars;
  std::deque<std::string> tokens; // stay where they are
  std::unordered_set<std::string_view> seen;
  std::vector<bool> seenBytes = std::vector<bool>(0x80); // most tokens are one byte
  size_t bytes = 0;
};

/// From what `toJson` gave.
Expected<std::unique_ptr<Tokenizer>> wordTokenizerOf(const nlohmann::json &json);

} // namespace dlm
