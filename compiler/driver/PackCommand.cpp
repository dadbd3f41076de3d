// Texts to a token file, by a tokenizer that the file then holds: another pack can take it from
// there, so that all files of a program have one vocabulary. Texts are read piece by piece and need
// not fit in memory.
#include "compiler/driver/PackCommand.h"

#include "runtime/base/FreshFile.h"
#include "runtime/data/formats/FilePattern.h"
#include "runtime/data/formats/TextPieces.h"
#include "runtime/data/formats/TokenFile.h"

#include <filesystem>
#include <fstream>

namespace dlm {

namespace fs = std::filesystem;

namespace {

using MadeTokenizer = Expected<std::unique_ptr<Tokenizer>>;

bool isTokenFile(const std::string &path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false; // to open a pipe would wait for its writer
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
    int64_t count = 0;
    DLM_TRY(write(**tokenizer, count));
    summary = arguments.output + ": " + std::to_string(count) + " tokens, vocabulary of " +
              std::to_string((*tokenizer)->vocab());
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
      paths.push_back(path);
    }
    return Status::ok();
  }

  MadeTokenizer makeTokenizer() const {
    if (arguments.tokenizer == "chars") return makeCharTokenizerOfFiles(paths);
    if (arguments.tokenizer == "words") return makeWordTokenizerOfFiles(paths);
    return tokenizerOfFile(arguments.tokenizer);
  }

  Status findEnd(const Tokenizer &tokenizer) {
    if (arguments.endToken.empty()) return Status::ok();
    end = tokenizer.idOf(arguments.endToken);
    if (end >= 0) return Status::ok();
    return invalidArgument("--end " + arguments.endToken + ": the tokenizer has no such token");
  }

  /// By way of another file, so that an old one survives a failure.
  Status write(const Tokenizer &tokenizer, int64_t &count) {
    Expected<FreshFile> fresh = FreshFile::create(arguments.output);
    if (!fresh) return fresh.status();
    if (fresh->placeUntilThen().empty())
      return invalidArgument("cannot write `" + arguments.output + "`: it is not a file");
    DLM_TRY(writeTo(fresh->placeUntilThen(), tokenizer, count));
    return fresh->finish();
  }

  Status writeTo(const std::string &path, const Tokenizer &tokenizer, int64_t &count) {
    Expected<TokenFileWriter> writer =
        TokenFileWriter::create(path, tokenizer.vocab(), end, tokenizer.toJson(), arguments.output);
    if (!writer) return writer.status();
    for (const std::string &text : paths) {
      bool isEnded = false;
      DLM_TRY(encodeFile(tokenizer, text, [&](const TokenList &ids) {
        for (int64_t at = 0; end >= 0 && at < ids.size(); ++at) {
          isEnded = int64_t(ids[at]) == end;
          documents += isEnded;
        }
        return writer->add(ids);
      }));
      if (end < 0 || isEnded) continue;
      TokenList last(tokenizer.vocab());
      last.append(uint32_t(end));
      DLM_TRY(writer->add(last));
      ++documents;
    }
    count = writer->count();
    if (count == 0)
      return invalidArgument("there is nothing to pack: no token comes of the text `" +
                             paths.front() + "`" +
                             (paths.size() > 1 ? ", and none of the other texts" : ""));
    return writer->finish();
  }

  const DlmcArguments &arguments;
  std::vector<std::string> paths;
  int64_t end = -1; // the id that ends a document
  int64_t documents = 0;
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
