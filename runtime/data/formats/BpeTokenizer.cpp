// A word is a chain of tokens, at first one for each byte. Its pairs that merge stand in a heap by
// the order of the merges, then from left to right; a pair that is no longer there when its turn
// comes is skipped. So a word of n bytes takes O(n log n), also one of a million spaces. Most words
// of a text were seen before: what short ones became is kept while a text is encoded.
#include "runtime/data/formats/BpeTokenizer.h"

#include "runtime/data/formats/ByteLevelWords.h"
#include "runtime/data/formats/UnicodeClasses.h"
#include "runtime/data/formats/Utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <queue>
#include <unordered_map>

namespace dlm {

namespace {

using Json = nlohmann::json;

constexpr uint32_t None = UINT32_MAX;
constexpr size_t WordBytesMax = size_t(16) << 20; // places in a word are of 32 bits
constexpr size_t KeptWordBytesMax = 48, KeptWordsMax = size_t(1) << 17;
constexpr size_t WordsBetweenLooks = 1 << 12; // at `cancel`

/// Only ASCII spaces: they are enough for places to cut.
bool isAsciiSpace(char byte) { return byte == ' ' || (byte >= '\t' && byte <= '\r'); }

/// Whether the character that ends at `end` is no space.
bool endsInNoSpace(std::string_view text, size_t end) {
  if (uint8_t(text[end - 1]) < 0x80) return text[end - 1] > ' ' && text[end - 1] < 0x7F;
  size_t begin = end - 1;
  while (begin > 0 && (uint8_t(text[begin]) & 0xC0) == 0x80)
    --begin;
  return !isSpace(codePointAt(text, begin).value);
}

/// Tokens that are found as they are, by their first byte; the longer ones first.
class AddedTokens {
public:
  void add(const BpeModel::Added &token) {
    std::vector<BpeModel::Added> &list = byFirst[uint8_t(token.content[0])];
    auto place = std::find_if(list.begin(), list.end(), [&](const BpeModel::Added &each) {
      return each.content.size() < token.content.size();
    });
    list.insert(place, token);
    isEmpty = false;
  }

  /// The first token in the text from `begin` on, and where it begins; null if there is none.
  const BpeModel::Added *find(std::string_view text, size_t &begin) const {
    if (isEmpty) return nullptr;
    for (; begin < text.size(); ++begin)
      for (const BpeModel::Added &token : byFirst[uint8_t(text[begin])])
        if (text.compare(begin, token.content.size(), token.content) == 0) return &token;
    return nullptr;
  }

private:
  std::array<std::vector<BpeModel::Added>, 256> byFirst;
  bool isEmpty = true;
};

class BpeTokenizer : public Tokenizer {
public:
  struct Merge {
    uint32_t rank = 0, result = 0;
  };

  BpeTokenizer(BpeModel given, std::unordered_map<uint64_t, Merge> merges)
      : model(std::move(given)), merges(std::move(merges)) {
    byteIds.fill(None);
    for (const std::string &written : model.written) {
      std::optional<std::string> named = bytesOfToken(written);
      if (named && named->size() == 1) byteIds[uint8_t((*named)[0])] = uint32_t(bytes.size());
      bytes.push_back(named.value_or(written)); // a token that is only ever added may be anything
    }
    for (const BpeModel::Added &token : model.added) {
      bytes[token.id] = token.content;
      (token.isNormalized ? later : sooner).add(token);
      addedBytesMax = std::max(addedBytesMax, token.content.size());
    }
  }

  int64_t vocab() const override { return int64_t(model.written.size()); }

  std::unique_ptr<TextEncoder> encoder() const override;

  /// Before a space that follows a word: there the words part, whatever follows. No added token may
  /// lie across it, and to see that, what follows has to be there.
  size_t cutBehind(std::string_view text, size_t from) const override {
    if (text.size() <= addedBytesMax) return 0;
    from -= std::min(from, addedBytesMax); // what follows was not there the last time
    for (size_t place = text.size() - addedBytesMax; place > from; --place)
      if (place < text.size() && isAsciiSpace(text[place]) && endsInNoSpace(text, place) &&
          !isInAdded(text, place))
        return place;
    return 0;
  }

  std::string decode(const std::vector<int32_t> &ids) const override {
    std::string text;
    for (int32_t id : ids)
      text += bytes[size_t(id)];
    return text;
  }

  int64_t idOf(std::string_view token) const override {
    auto found = std::find(bytes.begin(), bytes.end(), token);
    return found == bytes.end() ? -1 : found - bytes.begin();
  }

  std::string toJson() const override {
    Json pairs = Json::array(), added = Json::array();
    for (const auto &[left, right] : model.merges) {
      pairs.push_back(left);
      pairs.push_back(right);
    }
    for (const BpeModel::Added &token : model.added)
      added.push_back(
          {{"content", token.content}, {"id", token.id}, {"normalized", token.isNormalized}});
    return Json{{"kind", "bpe"},
                {"tokens", model.written},
                {"merges", pairs},
                {"added", added},
                {"prefix_space", model.addsPrefixSpace}}
        .dump();
  }

  const Merge *mergeOf(uint32_t left, uint32_t right) const {
    auto found = merges.find(uint64_t(left) << 32 | right);
    return found == merges.end() ? nullptr : &found->second;
  }

  /// Whether a space that is added before a text has an id.
  bool canPrefix() const { return !model.addsPrefixSpace || byteIds[uint8_t(' ')] != None; }

private:
  friend class BpeEncoder;

  /// Whether an added token lies across a place.
  bool isInAdded(std::string_view text, size_t place) const {
    for (const BpeModel::Added &token : model.added)
      for (size_t before = 1; before < token.content.size() && before <= place; ++before)
        if (text.compare(place - before, token.content.size(), token.content) == 0) return true;
    return false;
  }

  BpeModel model;
  std::unordered_map<uint64_t, Merge> merges; // by the ids of the pair
  std::vector<std::string> bytes;             // that each id stands for
  std::array<uint32_t, 256> byteIds;
  AddedTokens sooner, later;
  size_t addedBytesMax = 0; // of an added token
};

class BpeEncoder : public TextEncoder {
public:
  explicit BpeEncoder(const BpeTokenizer &tokenizer) : tokenizer(tokenizer) {}

  Status encode(std::string_view piece, TokenList &ids,
                const std::atomic<bool> *cancelled) override {
    list = &ids;
    cancel = cancelled;
    DLM_TRY(encode(piece, offsetOfNext, false));
    offsetOfNext += piece.size();
    return Status::ok();
  }

private:
  /// `piece` is at `offset` of the text. Added tokens are looked for in two rounds.
  Status encode(std::string_view piece, size_t offset, bool isLater) {
    const AddedTokens &added = isLater ? tokenizer.later : tokenizer.sooner;
    for (size_t begin = 0; begin < piece.size();) {
      size_t end = begin;
      const BpeModel::Added *token = added.find(piece, end);
      if (!token) end = piece.size();
      std::string_view between = piece.substr(begin, end - begin);
      if (!between.empty()) {
        if (isLater)
          DLM_TRY(encodeWords(between, offset + begin));
        else
          DLM_TRY(encode(between, offset + begin, true));
      }
      if (token) list->append(token->id);
      isWithinWords &= !token;
      begin = end + (token ? token->content.size() : 0);
    }
    return Status::ok();
  }

  Status encodeWords(std::string_view text, size_t offset) {
    std::string prefixed;
    if (tokenizer.model.addsPrefixSpace && !isWithinWords && text[0] != ' ') {
      prefixed = " " + std::string(text);
      text = prefixed;
      offset -= 1; // wraps at 0, and comes back with the place in the text: a space has a token
    }
    isWithinWords = true;
    for (size_t begin = 0; begin < text.size();) {
      if (wordCount++ % WordsBetweenLooks == 0) DLM_TRY(checkCancelled(cancel));
      size_t end = endOfByteLevelWord(text, begin);
      DLM_TRY(encodeWord(text.substr(begin, end - begin), offset + begin));
      begin = end;
    }
    return Status::ok();
  }

  Status encodeWord(std::string_view word, size_t offset) {
    if (word.size() > WordBytesMax)
      return unsupported("byte " + std::to_string(offset) + ": a word of " +
                         std::to_string(word.size()) + " bytes, and the longest allowed is " +
                         std::to_string(WordBytesMax));
    bool isKept = word.size() <= KeptWordBytesMax;
    if (isKept) {
      key.assign(word);
      auto found = kept.find(key);
      if (found != kept.end()) {
        for (uint32_t id : found->second)
          list->append(id);
        return Status::ok();
      }
    }
    DLM_TRY(merge(word, offset));
    std::vector<uint32_t> made;
    for (uint32_t at = 0; at != None; at = chain[at].next) {
      list->append(chain[at].id);
      if (isKept) made.push_back(chain[at].id);
    }
    if (isKept && kept.size() < KeptWordsMax) kept.emplace(key, std::move(made));
    return Status::ok();
  }

  /// Leaves in `chain` the tokens of a word.
  Status merge(std::string_view word, size_t offset) {
    chain.resize(word.size());
    for (uint32_t i = 0; i < word.size(); ++i) {
      uint32_t id = tokenizer.byteIds[uint8_t(word[i])];
      if (id == None) return noToken(uint8_t(word[i]), offset + i);
      chain[i] = {id, i - 1, i + 1 < word.size() ? i + 1 : None};
    }
    for (uint32_t i = 0; i + 1 < word.size(); ++i)
      propose(i);
    while (!heap.empty()) {
      auto [rank, left] = heap.top();
      heap.pop();
      Link &link = chain[left];
      if (link.id == None || link.next == None) continue;
      const BpeTokenizer::Merge *merge = tokenizer.mergeOf(link.id, chain[link.next].id);
      if (!merge || merge->rank != rank) continue;
      Link &right = chain[link.next];
      link.id = merge->result;
      right.id = None;
      link.next = right.next;
      if (link.next != None) {
        chain[link.next].previous = left;
        propose(left);
      }
      if (left != 0) propose(link.previous);
    }
    return Status::ok();
  }

  /// Puts the pair that begins here into the heap, if it merges.
  void propose(uint32_t left) {
    const BpeTokenizer::Merge *merge =
        tokenizer.mergeOf(chain[left].id, chain[chain[left].next].id);
    if (merge) heap.emplace(merge->rank, left);
  }

  static Status noToken(uint8_t byte, size_t offset) {
    char text[8];
    std::snprintf(text, sizeof text, "0x%02X", unsigned(byte));
    return invalidArgument("byte " + std::to_string(offset) + " is " + text +
                           ", and the tokenizer has no token for it");
  }

  struct Link {
    uint32_t id = None; // None: it was joined to the one before
    uint32_t previous = None, next = None;
  };
  using Proposal = std::pair<uint32_t, uint32_t>; // rank, place of the left token

  const BpeTokenizer &tokenizer;
  TokenList *list = nullptr;
  const std::atomic<bool> *cancel = nullptr;
  size_t offsetOfNext = 0;    // of the next piece in its text
  bool isWithinWords = false; // no added token stands before what comes next
  size_t wordCount = 0;
  std::vector<Link> chain;
  std::priority_queue<Proposal, std::vector<Proposal>, std::greater<Proposal>> heap;
  std::unordered_map<std::string, std::vector<uint32_t>> kept;
  std::string key;
};

std::unique_ptr<TextEncoder> BpeTokenizer::encoder() const {
  return std::make_unique<BpeEncoder>(*this);
}

} // namespace

Expected<std::unique_ptr<Tokenizer>> makeBpeTokenizer(BpeModel model) {
  std::unordered_map<std::string_view, uint32_t> ids;
  for (const std::string &token : model.written)
    if (!token.empty()) ids.emplace(token, uint32_t(&token - model.written.data()));
  std::unordered_map<uint64_t, BpeTokenizer::Merge> merges;
  uint32_t rank = 0;
  for (const auto &[left, right] : model.merges) {
    size_t count = model.written.size();
    if (left >= count || right >= count) return corrupt("a merge joins a token that is not there");
    auto joined = ids.find(model.written[left] + model.written[right]);
    if (joined == ids.end()) return corrupt("a merge makes a token that is not there");
    merges[uint64_t(left) << 32 | right] = {rank++, joined->second};
  }
  for (const BpeModel::Added &token : model.added)
    if (token.id >= model.written.size() || token.content.empty())
      return corrupt("an added token is not there");
  auto tokenizer = std::make_unique<BpeTokenizer>(std::move(model), std::move(merges));
  if (!tokenizer->canPrefix())
    return corrupt("it adds a space before a text, and has no token for a space");
  return std::unique_ptr<Tokenizer>(std::move(tokenizer));
}

Expected<std::unique_ptr<Tokenizer>> bpeTokenizerOf(const Json &json) {
  BpeModel model;
  try {
    model.written = json.at("tokens").get<std::vector<std::string>>();
    std::vector<uint32_t> pairs = json.at("merges").get<std::vector<uint32_t>>();
    for (size_t i = 0; i + 1 < pairs.size(); i += 2)
      model.merges.emplace_back(pairs[i], pairs[i + 1]);
    for (const Json &token : json.at("added"))
      model.added.push_back({token.at("content").get<std::string>(), token.at("id").get<uint32_t>(),
                             token.at("normalized").get<bool>()});
    model.addsPrefixSpace = json.at("prefix_space").get<bool>();
  } catch (const Json::exception &) {
    return corrupt("the program's description of its tokenizer is damaged");
  }
  return makeBpeTokenizer(std::move(model));
}

} // namespace dlm
