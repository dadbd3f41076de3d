// What a program knows of its token files beside their counts.
#pragma once

#include "runtime/data/formats/TokenFile.h"

#include <vector>

namespace dlm {

struct TokenFacts {
  int64_t vocab = 0;
  int64_t end = -1;      // the id that ends a document; -1: none does
  std::string tokenizer; // empty: it is not known

  std::string toJson() const;
  static Expected<TokenFacts> fromJson(const std::string &text);
};

/// Opens the files of a pattern, in order. At least one fits it, and they agree with `facts`, which
/// is filled in from the first file if it has no vocabulary yet.
Expected<std::vector<TokenFile>> openTokenFiles(const std::string &pattern, TokenFacts &facts,
                                                const std::atomic<bool> *cancel = nullptr);

} // namespace dlm
