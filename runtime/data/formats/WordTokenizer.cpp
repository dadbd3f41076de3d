// Both cut a text into tokens without looking at a vocabulary, so that decoding is to write the
// tokens one behind the other: every byte of a text is in exactly one.
#include "runtime/data/formats/WordTokenizer.h"

#include "runtime/data/formats/Utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <unordered_map>

namespace dlm {

namespace {

using Json = nlohmann::json;

/// All different tokens together: what goes into an executable.
constexpr size_t VocabularyBytesMax = size_t(256) << 20;
constexpr int64_t TokensBetweenLooks = 1 << 16; // at `cancel`

bool isOfWord(char byte) {
  bool isLetter = (byte | 0x20) >= 'a' && (byte | 0x20) <= 'z';
  return uint8_t(byte) >= 0x80 || isLetter || (byte >= '0' && byte <= '9');
}

size_t endOfWord(std::string_view text, size_t begin) {
  size_t end = begin + 1;
  if (!isOfWord(text[begin])) return end;
  while (end < text.size() && isOfWord(text[end]))
    ++end;
  return end;
}

size_t endOfToken(bool isOfChars, std::string_view text, size_t begin) {
  if (!isOfChars) return endOfWord(text, begin);
  return begin + std::max<size_t>(codePointAt(text, begin).size, 1);
}

/// Behind any character, or beside one that is a word by itself.
size_t placeToCut(bool isOfChars, std::string_view text, size_t from) {
  if (isOfChars) return text.size();
  for (size_t place = text.size(); place > from; --place)
    if (!isOfWord(text[place - 1]) || (place < text.size() && !isOfWord(text[place]))) return place;
  return 0;
}

class WordTokenizer : public Tokenizer {
public:
  WordTokenizer(bool isOfChars, std::vector<std::string> sorted)
      : isOfChars(isOfChars), tokens(std::move(sorted)) {
    ids.reserve(tokens.size());
    for (const std::string &token : tokens) {
      uint32_t id = uint32_t(ids.size());
      ids.emplace(token, id);
      if (token.size() == 1 && uint8_t(token[0]) < 0x80) ofByte[size_t(token[0])] = id;
    }
  }

  int64_t vocab() const override { return int64_t(tokens.size()); }

  std::unique_ptr<TextEncoder> encoder() const override;

  size_t cutBehind(std::string_view text, size_t from) const override {
    return placeToCut(isOfChars, text, from);
  }

  /// The piece is at `offset` of its text.
  Status encodePiece(std::string_view text, uint64_t offset, TokenList &list,
                     const std::atomic<bool> *cancel) const {
    for (size_t at = 0; at < text.size();) {
      if (list.size() % TokensBetweenLooks == 0) DLM_TRY(checkCancelled(cancel));
      size_t end = endOfToken(isOfChars, text, at);
      bool isByte = end - at == 1 && uint8_t(text[at]) < 0x80;
      if (isByte && ofByte[size_t(text[at])] != None) {
        list.append(ofByte[size_t(text[at])]);
      } else {
        auto found = ids.find(text.substr(at, end - at));
        if (found == ids.end()) return unknown(text, at, end, offset);
        list.append(found->second);
      }
      at = end;
    }
    return Status::ok();
  }

  std::string decode(const std::vector<int32_t> &list) const override {
    std::string text;
    for (int32_t id : list)
      text += tokens[size_t(id)];
    return text;
  }

  int64_t idOf(std::string_view token) const override {
    auto found = ids.find(token);
    return found == ids.end() ? -1 : int64_t(found->second);
  }

  std::string toJson() const override {
    return Json{{"kind", isOfChars ? "chars" : "words"}, {"tokens", tokens}}.dump();
  }

private:
  Status unknown(std::string_view text, size_t at, size_t end, uint64_t offset) const {
    constexpr size_t shownMax = 60;
    std::string shown = isOfChars ? "the character " + shownPoint(codePointAt(text, at).value)
                                  : "the word `" + std::string(text.substr(at, end - at)) + "`";
    if (end - at > shownMax) shown = "a word of " + std::to_string(end - at) + " bytes";
    return invalidArgument("byte " + std::to_string(offset + at) + ": " + shown +
                           " is none of the " + std::to_string(vocab()) +
                           " tokens that the texts gave when the vocabulary was made");
  }

  bool isOfChars;
  std::vector<std::string> tokens; // by id
  std::unordered_map<std::string_view, uint32_t> ids;
  static constexpr uint32_t None = UINT32_MAX;
  std::vector<uint32_t> ofByte = std::vector<uint32_t>(0x80, None); // most tokens are one byte
};

class WordEncoder : public TextEncoder {
public:
  explicit WordEncoder(const WordTokenizer &tokenizer) : tokenizer(tokenizer) {}

  Status encode(std::string_view piece, TokenList &ids, const std::atomic<bool> *cancel) override {
    DLM_TRY(tokenizer.encodePiece(piece, offset, ids, cancel));
    offset += piece.size();
    return Status::ok();
  }

private:
  const WordTokenizer &tokenizer;
  uint64_t offset = 0; // of the next piece
};

std::unique_ptr<TextEncoder> WordTokenizer::encoder() const {
  return std::make_unique<WordEncoder>(*this);
}

Expected<std::unique_ptr<Tokenizer>> makeOf(bool isOfChars,
                                            const std::vector<std::string_view> &texts) {
  VocabularyCollector collector(isOfChars);
  for (std::string_view text : texts)
    DLM_TRY(collector.add(text));
  return collector.make();
}

} // namespace

size_t VocabularyCollector::cutBehind(std::string_view text, size_t from) const {
  return placeToCut(isOfChars, text, from);
}

Status VocabularyCollector::add(std::string_view piece) {
  for (size_t at = 0, end; at < piece.size(); at = end) {
    end = endOfToken(isOfChars, piece, at);
    bool isByte = end - at == 1 && uint8_t(piece[at]) < 0x80;
    if (isByte && seenBytes[size_t(piece[at])]) continue;
    if (isByte) seenBytes[size_t(piece[at])] = true;
    std::string_view token = piece.substr(at, end - at);
    if (seen.count(token)) continue;
    seen.insert(tokens.emplace_back(token));
    bytes += token.size();
    if (bytes > VocabularyBytesMax)
      return unsupported("the different words of this text take more than " +
                         std::to_string(VocabularyBytesMax >> 20) +
                         " MiB; `data.bpe` gives any text few tokens");
  }
  return Status::ok();
}

Expected<std::unique_ptr<Tokenizer>> VocabularyCollector::make() const {
  std::vector<std::string> sorted(tokens.begin(), tokens.end());
  std::sort(sorted.begin(), sorted.end()); // of UTF-8, the bytes have the order of the points
  return std::unique_ptr<Tokenizer>(new WordTokenizer(isOfChars, std::move(sorted)));
}

Expected<std::unique_ptr<Tokenizer>> makeCharTokenizer(const std::vector<std::string_view> &texts) {
  return makeOf(true, texts);
}

Expected<std::unique_ptr<Tokenizer>> makeWordTokenizer(const std::vector<std::string_view> &texts) {
  return makeOf(false, texts);
}

Expected<std::unique_ptr<Tokenizer>> wordTokenizerOf(const Json &json) {
  Status wrong = corrupt("the program's description of its tokenizer is damaged");
  auto list = json.find("tokens");
  if (list == json.end() || !list->is_array()) return wrong;
  std::vector<std::string> tokens;
  for (const Json &token : *list) {
    if (!token.is_string()) return wrong;
    tokens.push_back(token.get<std::string>());
  }
  return std::unique_ptr<Tokenizer>(new WordTokenizer(json["kind"] == "chars", std::move(tokens)));
}

} // namespace dlm
