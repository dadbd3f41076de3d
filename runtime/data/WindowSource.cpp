// A file, or all files of a pattern together, become one list of tokens, which the splits that are
// cut from them share: training first, then validation, then test. Sample i of a split is window i
// behind the first of it; what is left behind the last whole window is not used.
#include "runtime/data/WindowSource.h"

#include "runtime/data/BackgroundSource.h"
#include "runtime/data/formats/TokenFacts.h"
#include "runtime/data/formats/Tokenizer.h"

#include <algorithm>

namespace dlm {

namespace {

/// Tokens, and where documents begin.
struct Tokens {
  TokenList ids;
  int64_t end = -1;                     // the id that ends a document
  std::vector<int64_t> fileBegins = {}; // sorted

  bool beginsDocument(int64_t place) const {
    if (place > 0 && end >= 0 && int64_t(ids[place - 1]) == end) return true;
    return std::binary_search(fileBegins.begin(), fileBegins.end(), place);
  }

  /// One token more than windows hold: the last of `next`.
  int64_t windowCount(int64_t window) const {
    return std::max<int64_t>(ids.size() - 1, 0) / window;
  }
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
    int64_t begin = (first + index) * window;
    int32_t *position = nullptr, *segment = nullptr, *nextSegment = nullptr;
    for (size_t i = 0; i < specs.size(); ++i) {
      int32_t *to = static_cast<int32_t *>(out[i]);
      const std::string &name = specs[i].name;
      if (name == "ids")
        tokens->ids.copy(begin, window, to);
      else if (name == "next")
        tokens->ids.copy(begin + 1, window, to);
      else
        (name == "position" ? position : name == "segment" ? segment : nextSegment) = to;
    }
    if (position || segment || nextSegment) readDocuments(begin, position, segment, nextSegment);
    return Status::ok();
  }

private:
  /// Documents count from the beginning of the window, and so do places in the first of them.
  void readDocuments(int64_t begin, int32_t *position, int32_t *segment,
                     int32_t *nextSegment) const {
    int32_t place = 0, document = 0;
    for (int64_t i = 0; i < window; ++i) {
      if (position) position[i] = place++;
      if (segment) segment[i] = document;
      if (tokens->beginsDocument(begin + i + 1)) {
        ++document;
        place = 0;
      }
      if (nextSegment) nextSegment[i] = document;
    }
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
  auto read = [tokenizer](const std::string &path,
                          const std::atomic<bool> &cancel) -> Expected<Tokens> {
    Expected<std::string> text = readText(path, &cancel);
    if (!text) return text.status();
    Tokens tokens{TokenList(tokenizer->vocab())};
    Status status = tokenizer->encode(*text, tokens.ids, &cancel);
    if (!status.isOk()) return status.withContext("data file `" + path + "`");
    return tokens;
  };
  return makeBackgroundSource(spec, WindowReader(spec, read));
}

Expected<std::unique_ptr<DataSource>> makeTokensSource(const DataSpec &spec) {
  DLM_TRY(checkFields(spec));
  Expected<TokenFacts> facts = TokenFacts::fromJson(spec.facts);
  if (!facts) return facts.status();
  auto read = [facts = facts.take()](const std::string &pattern,
                                     const std::atomic<bool> &cancel) -> Expected<Tokens> {
    TokenFacts wanted = facts;
    Expected<std::vector<TokenFile>> files = openTokenFiles(pattern, wanted, &cancel);
    if (!files) return files.status();
    Tokens tokens{TokenList(facts.vocab), facts.end};
    for (const TokenFile &file : *files) {
      tokens.fileBegins.push_back(tokens.ids.size());
      DLM_TRY(readTokenFile(file, tokens.ids, &cancel));
    }
    return tokens;
  };
  return makeBackgroundSource(spec, WindowReader(spec, read));
}

} // namespace dlm
