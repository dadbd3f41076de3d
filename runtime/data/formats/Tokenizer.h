// How a text becomes token ids, and ids a text. Tokenizers are made when a program is compiled, of
// the source's texts or of a file, and go into the plan as text, so that a run needs no file of a
// tokenizer and cannot find another one than the program was compiled for.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/data/formats/TokenList.h"

#include <atomic>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dlm {

/// Encodes one text, which comes in pieces that were cut where the tokenizer allows.
class TextEncoder {
public:
  virtual ~TextEncoder() = default;

  /// Appends the ids of a piece of UTF-8 to `ids`, which is of the tokenizer's vocabulary. What has
  /// no id is a failure that names its byte in the text. `cancel`, if given and set by another
  /// thread, ends it with `Interrupted`.
  virtual Status encode(std::string_view piece, TokenList &ids,
                        const std::atomic<bool> *cancel = nullptr) = 0;
};

class Tokenizer {
public:
  virtual ~Tokenizer() = default;

  /// Number of ids. They are below it, and fit an `i32`.
  virtual int64_t vocab() const = 0;

  /// An encoder of one text. The tokenizer outlives it.
  virtual std::unique_ptr<TextEncoder> encoder() const = 0;

  /// The last place where a text may be cut, so that its pieces have the tokens of the whole,
  /// whatever follows; 0 if there is none. There was none up to `from` in what is there of it.
  virtual size_t cutBehind(std::string_view text, size_t from) const = 0;

  /// Encodes a text that is in memory.
  Status encode(std::string_view text, TokenList &ids,
                const std::atomic<bool> *cancel = nullptr) const {
    return encoder()->encode(text, ids, cancel);
  }

  /// The bytes that the ids stand for, one after the other. All ids are below `vocab()`.
  virtual std::string decode(const std::vector<int32_t> &ids) const = 0;

  /// The id of a token, by what it is in a text; -1 if there is none.
  virtual int64_t idOf(std::string_view token) const = 0;

  virtual std::string toJson() const = 0;
  static Expected<std::unique_ptr<Tokenizer>> fromJson(const std::string &text);
};

/// One token for each code point, in their order.
Expected<std::unique_ptr<Tokenizer>> makeCharTokenizer(const std::vector<std::string_view> &texts);

/// One token for each word, which is a longest run of ASCII letters and digits and of anything
/// beyond ASCII, and for each other character; in the order of their bytes.
Expected<std::unique_ptr<Tokenizer>> makeWordTokenizer(const std::vector<std::string_view> &texts);

/// Byte-level BPE from the contents of a `tokenizer.json`; `path` is for messages.
Expected<std::unique_ptr<Tokenizer>> makeBpeTokenizer(const std::string &json,
                                                      const std::string &path);

/// The text of a file, plain or gzip, which is UTF-8.
Expected<std::string> readText(const std::string &path, const std::atomic<bool> *cancel = nullptr);

/// `Interrupted` if `cancel` is given and set.
Status checkCancelled(const std::atomic<bool> *cancel);

} // namespace dlm
