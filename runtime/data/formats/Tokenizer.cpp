// What all tokenizers share: the form in which a plan holds them, and reading texts.
#include "runtime/data/formats/Tokenizer.h"

#include "runtime/data/formats/BpeTokenizer.h"
#include "runtime/data/formats/InflatedFile.h"
#include "runtime/data/formats/Utf8.h"
#include "runtime/data/formats/WordTokenizer.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace dlm {

Expected<std::unique_ptr<Tokenizer>> Tokenizer::fromJson(const std::string &text) {
  nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_object() && json.contains("kind")) {
    if (json["kind"] == "chars" || json["kind"] == "words") return wordTokenizerOf(json);
    if (json["kind"] == "bpe") return bpeTokenizerOf(json);
  }
  return corrupt("the program's description of its tokenizer is damaged");
}

Expected<std::string> readText(const std::string &path, const std::atomic<bool> *cancel) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  std::string text;
  if (!file->isCompressed()) text.reserve(size_t(file->remainingBytesMax()) + 1);
  constexpr size_t pieceBytes = size_t(1) << 20;
  for (;;) {
    size_t begin = text.size();
    text.resize(begin + pieceBytes);
    Expected<size_t> got = file->readSome(text.data() + begin, pieceBytes, cancel);
    if (!got) return got.status();
    text.resize(begin + *got);
    if (*got == 0) break;
  }
  size_t end = endOfUtf8(text);
  if (end < text.size()) {
    char byte[8];
    std::snprintf(byte, sizeof byte, "0x%02X", unsigned(uint8_t(text[end])));
    return corrupt("data file `" + path + "` is not UTF-8: byte " + std::to_string(end) + " is " +
                   byte + "; `iconv -f ENCODING -t UTF-8` converts it");
  }
  return text;
}

Status checkCancelled(const std::atomic<bool> *cancel) {
  if (!cancel || !cancel->load(std::memory_order_relaxed)) return Status::ok();
  return Status::error(Code::Interrupted, "reading was interrupted");
}

} // namespace dlm
