// A long sequence of token ids in as few bytes as its vocabulary allows: two an id up to 65,536
// tokens, else four. An id outside the vocabulary never gets in.
#pragma once

#include "runtime/base/Assert.h"

#include <cstdint>
#include <vector>

namespace dlm {

class TokenList {
public:
  explicit TokenList(int64_t vocab = 1) : vocab(vocab) {}

  void append(uint32_t id) {
    DLM_ASSERT(int64_t(id) < vocab, "a token id outside its vocabulary");
    if (isNarrow())
      narrow.push_back(uint16_t(id));
    else
      wide.push_back(id);
  }

  /// Appends the ids of a list of the same vocabulary.
  void append(const TokenList &other) {
    DLM_ASSERT(other.vocab == vocab, "token ids of another vocabulary");
    narrow.insert(narrow.end(), other.narrow.begin(), other.narrow.end());
    wide.insert(wide.end(), other.wide.begin(), other.wide.end());
  }

  void clear() {
    narrow.clear();
    wide.clear();
  }

  void reserve(size_t count) { isNarrow() ? narrow.reserve(count) : wide.reserve(count); }

  int64_t size() const { return int64_t(isNarrow() ? narrow.size() : wide.size()); }
  int64_t vocabSize() const { return vocab; }
  bool isNarrow() const { return bytesOfId(vocab) == 2; }

  /// Bytes that an id of such a vocabulary takes.
  static constexpr int bytesOfId(int64_t vocab) { return vocab <= NarrowMax ? 2 : 4; }

  uint32_t operator[](int64_t place) const {
    return isNarrow() ? narrow[size_t(place)] : wide[size_t(place)];
  }

  /// Copies ids [first, first + count), all of which are there.
  void copy(int64_t first, int64_t count, int32_t *out) const {
    DLM_ASSERT(first >= 0 && count >= 0 && first + count <= size(), "tokens behind the last");
    for (int64_t i = 0; i < count; ++i)
      out[i] = int32_t((*this)[first + i]);
  }

private:
  static constexpr int64_t NarrowMax = 65536;

  int64_t vocab;
  std::vector<uint16_t> narrow;
  std::vector<uint32_t> wide;
};

} // namespace dlm
