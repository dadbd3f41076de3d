// Bytes are read until there is a place to cut, then everything before it goes on.
#include "runtime/data/formats/TextPieces.h"

#include "runtime/data/formats/InflatedFile.h"
#include "runtime/data/formats/Utf8.h"
#include "runtime/data/formats/WordTokenizer.h"

#include <cstdio>

namespace dlm {

namespace {

constexpr size_t ReadBytes = size_t(1) << 20, UncutBytesMax = size_t(300) << 20;
constexpr size_t CodePointBytesMax = 4;

Status notUtf8(const std::string &path, uint64_t place, char byte) {
  char text[8];
  std::snprintf(text, sizeof text, "0x%02X", unsigned(uint8_t(byte)));
  return corrupt("data file `" + path + "` is not UTF-8: byte " + std::to_string(place) + " is " +
                 text + "; `iconv -f ENCODING -t UTF-8` converts it");
}

} // namespace

Status readPieces(const std::string &path, const CutFinder &cut,
                  const std::function<Status(std::string_view)> &take,
                  const std::atomic<bool> *cancel) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  std::string text;   // what was not yet taken
  uint64_t taken = 0; // bytes before it
  size_t checked = 0; // of it: UTF-8
  for (bool isEnd = false; !isEnd;) {
    size_t begin = text.size();
    text.resize(begin + ReadBytes);
    Expected<size_t> got = file->readSome(text.data() + begin, ReadBytes, cancel);
    if (!got) return got.status();
    text.resize(begin + *got);
    isEnd = *got == 0;
    size_t searched = checked;
    checked += endOfUtf8(std::string_view(text).substr(checked));
    size_t rest = text.size() - checked; // the beginning of a code point, perhaps
    if (rest >= CodePointBytesMax || (isEnd && rest > 0))
      return notUtf8(path, taken + checked, text[checked]);
    size_t end = isEnd ? checked : cut(std::string_view(text).substr(0, checked), searched);
    if (end == 0 && text.size() > UncutBytesMax)
      return unsupported("data file `" + path + "` has a word of more than " +
                         std::to_string(UncutBytesMax >> 20) + " MiB, from byte " +
                         std::to_string(taken) + " on");
    if (end == 0) continue;
    DLM_TRY(take(std::string_view(text).substr(0, end)));
    text.erase(0, end);
    taken += end;
    checked -= end;
  }
  return Status::ok();
}

Expected<std::string> readText(const std::string &path, const std::atomic<bool> *cancel) {
  std::string text;
  auto cutAnywhere = [](std::string_view piece, size_t) { return piece.size(); };
  Status status = readPieces(
      path, cutAnywhere,
      [&](std::string_view piece) {
        text += piece;
        return Status::ok();
      },
      cancel);
  if (!status.isOk()) return status;
  return text;
}

Status encodeFile(const Tokenizer &tokenizer, const std::string &path,
                  const std::function<Status(const TokenList &)> &take,
                  const std::atomic<bool> *cancel) {
  std::unique_ptr<TextEncoder> encoder = tokenizer.encoder();
  TokenList ids(tokenizer.vocab());
  auto cut = [&](std::string_view text, size_t from) { return tokenizer.cutBehind(text, from); };
  return readPieces(
      path, cut,
      [&](std::string_view piece) {
        ids.clear();
        Status status = encoder->encode(piece, ids, cancel);
        if (!status.isOk()) return status.withContext("data file `" + path + "`");
        return take(ids);
      },
      cancel);
}

namespace {

Expected<std::unique_ptr<Tokenizer>> makeOfFiles(bool isOfChars,
                                                 const std::vector<std::string> &paths) {
  VocabularyCollector collector(isOfChars);
  for (const std::string &path : paths)
    DLM_TRY(readPieces(
        path, [&](std::string_view text, size_t from) { return collector.cutBehind(text, from); },
        [&](std::string_view piece) { return collector.add(piece); }));
  return collector.make();
}

} // namespace

Expected<std::unique_ptr<Tokenizer>>
makeCharTokenizerOfFiles(const std::vector<std::string> &paths) {
  return makeOfFiles(true, paths);
}

Expected<std::unique_ptr<Tokenizer>>
makeWordTokenizerOfFiles(const std::vector<std::string> &paths) {
  return makeOfFiles(false, paths);
}

} // namespace dlm
