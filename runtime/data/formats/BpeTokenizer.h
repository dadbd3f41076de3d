// Byte-level byte-pair encoding: a word's bytes are joined pair by pair, always the pair that comes
// first in the list of merges.
#pragma once

#include "runtime/data/formats/Tokenizer.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

/// What a `tokenizer.json` says.
struct BpeModel {
  /// A token that is found in a text as it is, before words are looked for.
  struct Added {
    std::string content;
    uint32_t id = 0;
    bool isNormalized = false; // looked for after those that are not
  };

  std::vector<std::string> written;                  // by id, bytes as `bytesOfToken` reads them
  std::vector<std::pair<uint32_t, uint32_t>> merges; // the first goes first
  std::vector<Added> added;
  bool addsPrefixSpace = false; // before a piece of text that begins with none
};

/// Reads a `tokenizer.json`. What this tokenizer does not do is a failure that names it.
Expected<BpeModel> readBpeFile(const std::string &json, const std::string &path);

/// A token of the vocabulary has to be what the two of each merge make together.
Expected<std::unique_ptr<Tokenizer>> makeBpeTokenizer(BpeModel model);

/// From what `toJson` gave.
Expected<std::unique_ptr<Tokenizer>> bpeTokenizerOf(const nlohmann::json &json);

} // namespace dlm
