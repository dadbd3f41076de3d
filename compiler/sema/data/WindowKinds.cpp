// `data.text` and `data.tokens`: how many windows the files hold, and of which vocabulary.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/FileMemory.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/FilePattern.h"
#include "runtime/data/formats/TextPieces.h"
#include "runtime/data/formats/TokenFacts.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The argument `tokenizer`; null if it is none, which is reported.
const DataPartObject *tokenizerPart(SourceCall &call) {
  const Operand &tokenizer = *call.argument("tokenizer");
  const std::vector<std::string> kinds = {"chars", "words", "bpe"};
  bool isTokenizer = tokenizer.value.is(ValueKind::DataPart) &&
                     std::count(kinds.begin(), kinds.end(), tokenizer.value.asDataPart().kind);
  if (isTokenizer) return &tokenizer.value.asDataPart();
  call.evaluator
      .report(Kind::TypeMismatch, tokenizer.span,
              "`tokenizer` says how text becomes numbers, and this is " +
                  tokenizer.value.describe())
      .help("there are `data.chars()`, `data.words()` and `data.bpe(\"tokenizer.json\")`");
  return nullptr;
}

bool addText(SourceCall &call, DataSource &source) {
  if (!tokenizerPart(call)) return false;
  return source.vocab > 0 ? call.addWindows({"ids", "next"}, source) : call.lacks("vocab");
}

bool addTokens(SourceCall &call, DataSource &source) {
  std::vector<std::string> fields = {"ids", "next"};
  if (call.argument("pack")) fields.insert(fields.end(), {"position", "segment", "next_segment"});
  return source.vocab > 0 ? call.addWindows(fields, source) : call.lacks("vocab");
}

/// How texts become tokens: by their characters or words, or as a file says.
struct TokenizerChoice {
  std::string kind, file;
};

Expected<std::unique_ptr<Tokenizer>> makeTokenizer(const TokenizerChoice &choice,
                                                   const std::vector<std::string> &files) {
  if (choice.kind == "chars") return makeCharTokenizerOfFiles(files);
  if (choice.kind == "words") return makeWordTokenizerOfFiles(files);
  Expected<std::string> json = readText(choice.file);
  if (!json) return json.status();
  return makeBpeTokenizer(*json, choice.file);
}

/// What texts hold, or why they cannot be read.
struct TextsSeen {
  Status tokenizerFault, textFault;
  int64_t vocab = 0;
  std::string facts;
  std::vector<int64_t> tokens; // of each file
};

TextsSeen readTexts(const TokenizerChoice &choice, const std::vector<std::string> &files) {
  TextsSeen seen;
  Expected<std::unique_ptr<Tokenizer>> tokenizer = makeTokenizer(choice, files);
  bool isOfTexts = choice.kind != "bpe" && tokenizer.status().code() != Code::Unsupported;
  if (!tokenizer) (isOfTexts ? seen.textFault : seen.tokenizerFault) = tokenizer.status();
  if (!tokenizer) return seen;
  seen.vocab = (*tokenizer)->vocab();
  seen.facts = (*tokenizer)->toJson();
  for (const std::string &path : files) {
    seen.tokens.push_back(0);
    seen.textFault = encodeFile(**tokenizer, path, [&](const TokenList &ids) {
      seen.tokens.back() += ids.size();
      return Status::ok();
    });
    if (!seen.textFault.isOk()) return seen;
  }
  return seen;
}

TextsSeen recallTexts(const TokenizerChoice &choice, const std::vector<std::string> &files) {
  std::vector<std::string> all = files;
  if (!choice.file.empty()) all.push_back(choice.file);
  return fileMemory().recall<TextsSeen>("tokens by " + choice.kind, all,
                                        [&] { return readTexts(choice, files); });
}

/// The files of the parts and where their counts of samples go; the training files first.
std::vector<std::pair<std::string, int64_t *>> partsOf(DataSource &source) {
  std::vector<std::pair<std::string, int64_t *>> parts = {{source.path, &source.trainCount}};
  if (!source.validationPath.empty())
    parts.emplace_back(source.validationPath, &source.validationCount);
  if (!source.testPath.empty()) parts.emplace_back(source.testPath, &source.testCount);
  return parts;
}

/// Sets `windows` of so many tokens; false if it would be none, which is reported.
bool countWindows(SourceCall &call, const std::string &path, int64_t tokens, int64_t window,
                  int64_t &windows) {
  windows = (tokens - 1) / window; // each has one token behind it
  if (tokens > window) return true;
  call.evaluator
      .report(Kind::DataSource, call.argument("window")->span,
              "the data is shorter than one window: it has " + std::to_string(tokens) +
                  " tokens, and a window and the token behind it take " +
                  std::to_string(window + 1))
      .note("it is in " + path);
  return false;
}

/// Makes the tokenizer, which goes to the run, and counts windows as the run will.
bool surveyTexts(SourceCall &call, DataSource &source) {
  const DataPartObject *part = tokenizerPart(call);
  std::optional<int64_t> window = part ? call.window() : std::nullopt;
  if (!window) return false;
  std::vector<std::string> files;
  for (const auto &[path, count] : partsOf(source))
    files.push_back(path);
  TokenizerChoice choice{part->kind, ""};
  if (part->kind == "bpe")
    choice.file =
        pathFrom(call.evaluator, call.call.span, part->settings.fields[0].second.asString());
  TextsSeen seen = recallTexts(choice, files);
  if (!seen.tokenizerFault.isOk()) {
    call.evaluator.report(Kind::DataSource, call.argument("tokenizer")->span,
                          seen.tokenizerFault.message());
    return false;
  }
  size_t at = 0;
  for (const auto &[path, count] : partsOf(source)) {
    bool isRead = at + 1 < seen.tokens.size() || seen.textFault.isOk();
    if (!isRead) return call.fails(seen.textFault);
    if (!countWindows(call, path, seen.tokens[at++], *window, *count)) return false;
  }
  source.vocab = seen.vocab;
  source.facts = seen.facts;
  return true;
}

/// Headers only: the run looks at each id, and a corpus may be larger than this machine's memory.
bool surveyTokens(SourceCall &call, DataSource &source) {
  std::optional<int64_t> window = call.window();
  if (!window) return false;
  TokenFacts facts;
  for (const auto &[path, count] : partsOf(source)) {
    Expected<std::vector<TokenFile>> files = openTokenFiles(path, facts);
    if (!files) return call.fails(files.status());
    int64_t tokens = 0;
    for (const TokenFile &file : *files)
      tokens += file.count;
    if (!countWindows(call, path, tokens, *window, *count)) return false;
  }
  const Operand *pack = call.argument("pack");
  if (pack && facts.end < 0) {
    call.evaluator
        .report(Kind::DataSource, pack->span,
                "these token files do not say which token ends a document")
        .note("they are " + source.path)
        .help("`dlmc pack` writes it with `--end TOKEN`");
    return false;
  }
  source.vocab = facts.vocab;
  source.facts = facts.toJson();
  return true;
}

bool areTokensThere(const DataSource &source) { return !filesOf(source.path).empty(); }

const char *const example = R"({ "train": 1000, "vocab": 65 })";

} // namespace

SourceKindSteps textSteps() { return {"text", example, addText, surveyTexts}; }

SourceKindSteps tokensSteps() {
  return {"tokens", example, addTokens, surveyTokens, nullptr, areTokensThere};
}

} // namespace dlm::sema
