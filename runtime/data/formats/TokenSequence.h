// The ids of a source one behind the other, wherever they lie: in memory, or in files that stay
// where they are because they are too large for it.
#pragma once

#include "runtime/data/formats/SeekableFile.h"
#include "runtime/data/formats/TokenFile.h"

#include <optional>
#include <vector>

namespace dlm {

class TokenSequence {
public:
  explicit TokenSequence(int64_t vocab) : vocab(vocab) {}

  /// Appends ids that are kept in memory.
  void append(TokenList ids);

  /// Appends the ids of a token file of this vocabulary. They are all looked at once; those of one
  /// that is not compressed stay in the file, unless `isKept`.
  Status append(const TokenFile &file, bool isKept, const std::atomic<bool> *cancel = nullptr);

  int64_t size() const { return count; }

  /// Copies ids [first, first + number), all of which are there. May be called from several
  /// threads.
  Status copy(int64_t first, int64_t number, int32_t *out) const;

private:
  struct Part {
    int64_t begin = 0, count = 0;
    TokenList ids;
    std::optional<SeekableFile> file;
    uint64_t place = 0; // of its first id in the file
    size_t width = 0;   // bytes of an id there
  };
  Status copyFromFile(const Part &part, int64_t first, int64_t number, int32_t *out) const;
  void add(Part part);

  int64_t vocab;
  int64_t count = 0;
  std::vector<Part> parts;
};

} // namespace dlm
