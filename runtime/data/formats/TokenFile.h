// Files of packed token ids. All numbers are little-endian:
//
//     bytes     holds
//     0 - 7     "DLMTOKEN"
//     8 - 11    1, the version of this form
//     12 - 15   bytes an id: 2 or 4
//     16 - 23   number of tokens in the vocabulary
//     24 - 31   number of ids in the file
//     32 - 39   the id that ends a document; 2^64 - 1 if none does
//     40 - 47   bytes of the tokenizer, 0 if it is not in the file
//     48 - 51   CRC-32 of all that follows the header
//     52 - 59   0
//     60 - 63   CRC-32 of the bytes 0 - 59
//     64 -      the tokenizer, as `Tokenizer::toJson` writes it; then the ids
//
// The file may be compressed by gzip.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/data/formats/TokenList.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>

namespace dlm {

/// What the beginning of a file says.
struct TokenFile {
  std::string path;
  int64_t vocab = 0;
  int64_t count = 0;     // of ids
  int64_t end = -1;      // the id that ends a document; -1: none does
  std::string tokenizer; // empty: not in the file
  uint32_t crc = 0;      // of what follows the header
  int idBytes = 0;
  bool isCompressed = false;

  /// Where the ids begin, in a file that is not compressed.
  uint64_t idsPlace() const { return 64 + tokenizer.size(); }
};

/// Reads the header and the tokenizer, and compares the counts with the size of the file.
Expected<TokenFile> openTokenFile(const std::string &path,
                                  const std::atomic<bool> *cancel = nullptr);

/// Reads the ids of the file piece by piece. An id outside of its vocabulary, and a checksum that
/// does not agree, are failures.
Status readTokenFile(const TokenFile &file, const std::function<void(const TokenList &)> &take,
                     const std::atomic<bool> *cancel = nullptr);

/// Appends the ids of the file to `ids`, which is of its vocabulary.
Status readTokenFile(const TokenFile &file, TokenList &ids,
                     const std::atomic<bool> *cancel = nullptr);

/// Writes a file piece by piece; `end` and `tokenizer` as in TokenFile. It is no token file before
/// `finish` has written its header.
class TokenFileWriter {
public:
  /// Failures name `shownPath`, if it is given, in the place of `path`.
  static Expected<TokenFileWriter> create(const std::string &path, int64_t vocab, int64_t end,
                                          const std::string &tokenizer,
                                          const std::string &shownPath = "");

  TokenFileWriter(TokenFileWriter &&) noexcept;
  ~TokenFileWriter();

  /// Number of ids so far.
  int64_t count() const;

  /// The ids are of the file's vocabulary.
  Status add(const TokenList &ids);
  Status finish();

private:
  struct State;
  explicit TokenFileWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

/// Writes a whole file.
Status writeTokenFile(const std::string &path, const TokenList &ids, int64_t end,
                      const std::string &tokenizer);

} // namespace dlm
