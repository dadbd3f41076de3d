// Files of different vocabularies, or of different tokenizers, would train one model on two
// languages without a sign that something is wrong.
#include "runtime/data/formats/TokenFacts.h"

#include "runtime/data/formats/FilePattern.h"

#include <nlohmann/json.hpp>

namespace dlm {

namespace {

std::string endText(int64_t end) {
  return end < 0 ? "no id ends a document" : "id " + std::to_string(end) + " ends a document";
}

Status checkAgrees(const TokenFile &file, const TokenFacts &facts) {
  std::string name = "token file `" + file.path + "`";
  std::string others = "the program and the files before it have ";
  if (file.vocab != facts.vocab)
    return invalidArgument(name + " has a vocabulary of " + std::to_string(file.vocab) +
                           " tokens; " + others + std::to_string(facts.vocab));
  if (file.end != facts.end)
    return invalidArgument(name + ": " + endText(file.end) + "; in the files before it, or when " +
                           "the program was compiled, " + endText(facts.end));
  if (!file.tokenizer.empty() && !facts.tokenizer.empty() && file.tokenizer != facts.tokenizer)
    return invalidArgument(name + " was made by another tokenizer than the files before it, or " +
                           "than those the program was compiled for");
  return Status::ok();
}

} // namespace

std::string TokenFacts::toJson() const {
  return nlohmann::json{{"vocab", vocab}, {"end", end}, {"tokenizer", tokenizer}}.dump();
}

Expected<TokenFacts> TokenFacts::fromJson(const std::string &text) {
  try {
    nlohmann::json json = nlohmann::json::parse(text);
    TokenFacts facts;
    facts.vocab = json.at("vocab").get<int64_t>();
    facts.end = json.at("end").get<int64_t>();
    facts.tokenizer = json.at("tokenizer").get<std::string>();
    return facts;
  } catch (const nlohmann::json::exception &) {
    return corrupt("the program's description of its tokens is damaged");
  }
}

Expected<std::vector<TokenFile>> openTokenFiles(const std::string &pattern, TokenFacts &facts,
                                                const std::atomic<bool> *cancel) {
  std::vector<TokenFile> files;
  for (const std::string &path : filesOf(pattern)) {
    Expected<TokenFile> file = openTokenFile(path, cancel);
    if (!file) return file.status();
    if (facts.vocab == 0) facts = {file->vocab, file->end, file->tokenizer};
    DLM_TRY(checkAgrees(*file, facts));
    if (facts.tokenizer.empty()) facts.tokenizer = file->tokenizer;
    files.push_back(file.take());
  }
  if (files.empty()) return notFound("no token file fits `" + pattern + "`");
  return files;
}

} // namespace dlm
