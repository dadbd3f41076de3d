// A file, or all files of a pattern together, become one list of tokens, which the splits that are
// cut from them share: training first, then validation, then test. Sample i of a split is window i
// behind the first of it; what is left behind the last whole window is not used.
#include "runtime/data/WindowSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/formats/TextPieces.h"
#include "runtime/data/formats/TokenFacts.h"
#include "runtime/data/formats/TokenSequence.h"

#include <algorithm>

namespace dlm {

namespace {

/// Tokens, and where documents begin.
struct Tokens {
  TokenSequence ids;
  int64_t end = -1;                     // the id that ends a document
  std::vector<int64_t> fileBegins = {}; // sorted

  /// Whether a document begins at `place`, `before` being the id before it.
  bool beginsDocument(int64_t place, int32_t before) const {
    if (end >= 0 && before == end) return true;
    return std::binary_search(fileBegins.begin(), fileBegins.end(), place);
  }

  /// One token more than windows hold: the last of `next`.
  int64_t windowCount(int64_t window) const {
    return std::max<int64_t>(ids.size() - 1, 0) / window;
  }
};

/// Where the fields of a sample go; null if there is none.
struct WindowFields {
  int32_t *ids = nullptr, *next = nullptr;
  int32_t *position = nullptr, *segment = nullptr, *nextSegment = nullptr;
};

class WindowDataset : public Dataset {
public:
  WindowDataset(std::vector<FieldSpec> fields, std::shared_ptr<const Tokens> tokens, int64_t first,
                int64_t count)
      : specs(std::move(fields)), tokens(std::move(tokens)), first(first), count(count),
        window(specs[0].shape[0]) {}

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
    WindowFields to;
    for (size_t i = 0; i < specs.size(); ++i) {
      const std::string &name = specs[i].name;
      int32_t *&place = name == "ids"        ? to.ids
                        : name == "next"     ? to.next
                        : name == "position" ? to.position
                        : name == "segment"  ? to.segment
                                             : to.nextSegment;
      place = static_cast<int32_t *>(out[i]);
    }
    int64_t begin = (first + index) * window;
    bool hasDocuments = to.position || to.segment || to.nextSegment;
    int32_t ids[PieceIds + 1], place = 0, document = 0;
    for (int64_t at = 0; at < window; at += PieceIds) {
      int64_t some = std::min(PieceIds, window - at);
      DLM_TRY(tokens->ids.copy(begin + at, some + 1, ids));
      if (to.ids) std::copy(ids, ids + some, to.ids + at);
      if (to.next) std::copy(ids + 1, ids + some + 1, to.next + at);
      for (int64_t i = 0; hasDocuments && i < some; ++i)
        readDocument(begin + at + i, at + i, ids[i], to, place, document);
    }
    return Status::ok();
  }

private:
  static constexpr int64_t PieceIds = 1024; // on the stack

  /// Documents count from the beginning of the window, and so do places in the first of them.
  void readDocument(int64_t token, int64_t at, int32_t id, const WindowFields &to, int32_t &place,
                    int32_t &document) const {
    if (to.position) to.position[at] = place;
    if (to.segment) to.segment[at] = document;
    bool isEnd = tokens->beginsDocument(token + 1, id);
    place = isEnd ? 0 : place + 1;
    document += isEnd;
    if (to.nextSegment) to.nextSegment[at] = document;
  }

  std::vector<FieldSpec> specs;
  std::shared_ptr<const Tokens> tokens;
  int64_t first, count, window;
};

/// Reads what a path stands for.
using TokensReader =
    std::function<Expected<Tokens>(const std::string &path, const std::atomic<bool> &cancel)>;

class WindowReader {
public:
  WindowReader(const DataSpec &spec, TokensReader readTokens)
      : spec(spec), readTokens(std::move(readTokens)) {}

  Expected<std::unique_ptr<Dataset>> operator()(Split split, const std::atomic<bool> &cancel) {
    const std::string &path = spec.pathOf(split);
    if (path != openPath) {
      openPath = path;
      Expected<Tokens> got = readTokens(path, cancel);
      failure = got.status();
      tokens = got ? std::make_shared<const Tokens>(got.take()) : nullptr;
    }
    if (!failure.isOk()) return failure;
    int64_t there = tokens->windowCount(spec.fields[0].shape[0]);
    int64_t first = 0;
    bool isLast = true; // of those cut from this file: it has to end with it
    for (int other = 0; other < SplitCount; ++other) {
      if (spec.counts[other] == 0 || spec.pathOf(Split(other)) != path) continue;
      first += other < int(split) ? spec.counts[other] : 0;
      isLast = isLast && other <= int(split);
    }
    first = std::min(first, there);
    int64_t count = isLast ? there - first : std::min(spec.counts[int(split)], there - first);
    auto dataset = std::make_unique<WindowDataset>(spec.fields, tokens, first, count);
    return std::unique_ptr<Dataset>(std::move(dataset));
  }

private:
  DataSpec spec;
  TokensReader readTokens;
  std::string openPath;
  Status failure; // of the file that is open
  std::shared_ptr<const Tokens> tokens;
};

Status checkFields(const DataSpec &spec) {
  const std::vector<std::string> names = {"ids", "next", "position", "segment", "next_segment"};
  bool isFine = !spec.fields.empty();
  for (const FieldSpec &field : spec.fields)
    isFine = isFine && std::count(names.begin(), names.end(), field.name) &&
             field.dtype == DType::I32 && field.shape.size() == 1 && field.shape[0] >= 1 &&
             field.shape == spec.fields[0].shape;
  if (isFine) return Status::ok();
  return invalidArgument("data `" + spec.name + "`: the fields of a window are i32[window]");
}

} // namespace

Expected<std::unique_ptr<DataSource>> makeTextSource(const DataSpec &spec) {
  DLM_TRY(checkFields(spec));
  Expected<std::unique_ptr<Tokenizer>> made = Tokenizer::fromJson(spec.facts);
  if (!made) return made.status();
  std::shared_ptr<const Tokenizer> tokenizer = made.take();
  // The counts of the splits are those of windows: so many tokens, and less than one window more.
  auto read = [tokenizer, spec](const std::string &path,
                                const std::atomic<bool> &cancel) -> Expected<Tokens> {
    int64_t window = spec.fields[0].shape[0], expected = window;
    for (Split split : {Split::Train, Split::Validation, Split::Test})
      if (spec.pathOf(split) == path) expected += spec.counts[int(split)] * window;
    TokenList ids(tokenizer->vocab());
    ids.reserve(size_t(expected) + 1);
    DLM_TRY(encodeFile(
        *tokenizer, path,
        [&](const TokenList &piece) {
          ids.append(piece);
          return Status::ok();
        },
        &cancel));
    Tokens tokens{TokenSequence(tokenizer->vocab())};
    tokens.ids.append(std::move(ids));
    return tokens;
  };
  return makeBackgroundSource(spec, WindowReader(spec, read));
}

Expected<std::unique_ptr<DataSource>> makeTokensSource(const DataSpec &spec) {
  DLM_TRY(checkFields(spec));
  Expected<TokenFacts> facts = TokenFacts::fromJson(spec.facts);
  if (!facts) return facts.status();
  auto read = [facts = facts.take(), keptMax = spec.keptBytesMax](
                  const std::string &pattern, const std::atomic<bool> &cancel) -> Expected<Tokens> {
    TokenFacts wanted = facts;
    Expected<std::vector<TokenFile>> files = openTokenFiles(pattern, wanted, &cancel);
    if (!files) return files.status();
    uint64_t bytes = 0;
    for (const TokenFile &file : *files)
      bytes += uint64_t(file.count) * uint64_t(file.idBytes);
    Tokens tokens{TokenSequence(facts.vocab), facts.end};
    for (const TokenFile &file : *files) {
      tokens.fileBegins.push_back(tokens.ids.size());
      DLM_TRY(tokens.ids.append(file, bytes <= keptMax, &cancel));
    }
    return tokens;
  };
  return makeBackgroundSource(spec, WindowReader(spec, read));
}

} // namespace dlm
