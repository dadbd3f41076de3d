// Texts that are read piece by piece, so that none has to fit in memory. A piece ends where a
// tokenizer may be interrupted: it gives the tokens of the whole text.
#pragma once

#include "runtime/data/formats/Tokenizer.h"

#include <functional>

namespace dlm {

/// Where a text may be cut, as `Tokenizer::cutBehind` says it.
using CutFinder = std::function<size_t(std::string_view text, size_t from)>;

/// Reads a UTF-8 text, plain or gzip, and gives its pieces to `take`.
Status readPieces(const std::string &path, const CutFinder &cut,
                  const std::function<Status(std::string_view)> &take,
                  const std::atomic<bool> *cancel = nullptr);

/// Encodes the text of a file. `take` gets the ids piece by piece.
Status encodeFile(const Tokenizer &tokenizer, const std::string &path,
                  const std::function<Status(const TokenList &)> &take,
                  const std::atomic<bool> *cancel = nullptr);

/// `makeCharTokenizer` and `makeWordTokenizer` of texts in files.
Expected<std::unique_ptr<Tokenizer>>
makeCharTokenizerOfFiles(const std::vector<std::string> &paths);
Expected<std::unique_ptr<Tokenizer>>
makeWordTokenizerOfFiles(const std::vector<std::string> &paths);

} // namespace dlm
