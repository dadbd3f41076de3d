// Texts to a token file, by a tokenizer that the file then holds: another pack can take it from
// there, so that all files of a program have one vocabulary.
#include "compiler/driver/PackCommand.h"

#include "runtime/data/formats/FilePattern.h"
#include "runtime/data/formats/TokenFile.h"
#include "runtime/data/formats/Tokenizer.h"

#include <filesystem>
#include <fstream>

namespace dlm {

namespace fs = std::filesystem;

namespace {

using MadeTokenizer = Expected<std::unique_ptr<Tokenizer>>;

bool isTokenFile(const std::string &path) {
  char begin[8] = {};
  std::ifstream(path, std::ios::binary).read(begin, sizeof begin);
  bool isPacked = begin[0] == '\x1F' && begin[1] == '\x8B'; // a compressed one, likely
  return isPacked || std::string_view(begin, sizeof begin) == "DLMTOKEN";
}

MadeTokenizer tokenizerOfFile(const std::string &path) {
  if (!isTokenFile(path)) {
    Expected<std::string> json = readText(path);
    if (!json) return json.status();
    return makeBpeTokenizer(*json, path);
  }
  Expected<TokenFile> file = openTokenFile(path);
  if (!file) return file.status();
  if (file->tokenizer.empty())
    return invalidArgument("token file `" + path + "` holds no tokenizer");
  return Tokenizer::fromJson(file->tokenizer);
}

class PackCommand {
public:
  explicit PackCommand(const DlmcArguments &arguments) : arguments(arguments) {}

  Status run(std::string &summary) {
    for (const std::string &path : arguments.files)
      DLM_TRY(add(path));
    MadeTokenizer tokenizer = makeTokenizer();
    if (!tokenizer) return tokenizer.status();
    DLM_TRY(findEnd(**tokenizer));
    TokenList ids((*tokenizer)->vocab());
    int64_t documents = 0;
    for (size_t i = 0; i < texts.size(); ++i) {
      int64_t begin = ids.size();
      Status status = (*tokenizer)->encode(texts[i], ids);
      if (!status.isOk()) return status.withContext("data file `" + paths[i] + "`");
      if (end < 0) continue;
      bool isEnded = ids.size() > begin && int64_t(ids[ids.size() - 1]) == end;
      if (!isEnded) ids.append(uint32_t(end));
      for (int64_t at = begin; at < ids.size(); ++at)
        documents += int64_t(ids[at]) == end;
    }
    DLM_TRY(write(ids, (*tokenizer)->toJson()));
    summary = arguments.output + ": " + std::to_string(ids.size()) + " tokens, vocabulary of " +
              std::to_string(ids.vocabSize());
    if (end >= 0) summary += ", " + std::to_string(documents) + " documents";
    summary += "\n";
    return Status::ok();
  }

private:
  Status add(const std::string &pattern) {
    std::vector<std::string> found = filesOf(pattern);
    if (found.empty()) return notFound("there is no file " + pattern);
    for (const std::string &path : found) {
      std::error_code error;
      if (fs::equivalent(path, arguments.output, error))
        return invalidArgument("the output " + arguments.output + " is one of the texts");
      Expected<std::string> text = readText(path);
      if (!text) return text.status();
      texts.push_back(text.take());
      paths.push_back(path);
    }
    return Status::ok();
  }

  MadeTokenizer makeTokenizer() const {
    std::vector<std::string_view> views(texts.begin(), texts.end());
    if (arguments.tokenizer == "chars") return makeCharTokenizer(views);
    if (arguments.tokenizer == "words") return makeWordTokenizer(views);
    return tokenizerOfFile(arguments.tokenizer);
  }

  Status findEnd(const Tokenizer &tokenizer) {
    if (arguments.endToken.empty()) return Status::ok();
    end = tokenizer.idOf(arguments.endToken);
    if (end >= 0) return Status::ok();
    return invalidArgument("--end " + arguments.endToken + ": the tokenizer has no such token");
  }

  /// By way of another file, so that an old one survives a failure.
  Status write(const TokenList &ids, const std::string &tokenizer) const {
    std::string fresh = arguments.output + ".partial";
    std::error_code error;
    Status status = writeTokenFile(fresh, ids, end, tokenizer);
    if (status.isOk()) {
      fs::rename(fresh, arguments.output, error);
      if (error)
        status =
            Status::error(Code::Io, "cannot write " + arguments.output + ": " + error.message());
    }
    std::error_code ignored;
    if (!status.isOk()) fs::remove(fresh, ignored);
    return status;
  }

  const DlmcArguments &arguments;
  std::vector<std::string> paths, texts;
  int64_t end = -1; // the id that ends a document
};

} // namespace

int runPack(const DlmcArguments &arguments, CommandOutput &output) {
  std::string summary;
  Status status = PackCommand(arguments).run(summary);
  if (!status.isOk()) return output.fail(status.message());
  output.print(summary);
  return 0;
}

} // namespace dlm
