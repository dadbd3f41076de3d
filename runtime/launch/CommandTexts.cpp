// What a text is refused for is said of its flag; a result that is no text is the program's fault,
// as an `argmax` over more classes than there are tokens would be.
#include "runtime/launch/CommandTexts.h"

#include "runtime/data/formats/TokenFacts.h"
#include "runtime/data/formats/Utf8.h"
#include "runtime/launch/ValueTests.h"

#include <cstdio>

namespace dlm {

namespace {

Status checkUtf8(const std::string &flag, const std::string &text) {
  size_t place = endOfUtf8(text);
  if (place == text.size()) return Status::ok();
  char byte[8];
  std::snprintf(byte, sizeof byte, "0x%02X", unsigned(uint8_t(text[place])));
  return invalidArgument(flag + " is not UTF-8: byte " + std::to_string(place) + " is " + byte +
                         "; `iconv -f ENCODING -t UTF-8` converts a text");
}

} // namespace

Status CommandTexts::open() {
  if (tokenizer) return Status::ok();
  if (!recipe.data) return corrupt("the plan does not say what data it reads");
  std::string json = recipe.data->facts;
  if (recipe.data->kind == "tokens") {
    Expected<TokenFacts> facts = TokenFacts::fromJson(json);
    if (!facts) return facts.status();
    json = facts->tokenizer;
    if (json.empty())
      return invalidArgument("the token files of `" + recipe.data->name + "` do not say which " +
                             "tokenizer made them, so no text can be given or written; files " +
                             "that `dlmc pack` makes say it");
  }
  Expected<std::unique_ptr<Tokenizer>> made = Tokenizer::fromJson(json);
  if (!made) return made.status();
  tokenizer = made.take();
  return Status::ok();
}

Expected<std::vector<int32_t>> CommandTexts::encode(const plan::CommandT &command,
                                                    const plan::CommandArgumentT &argument,
                                                    const std::string &text) {
  DLM_TRY(open());
  std::string flag = "--" + argument.name;
  DLM_TRY(checkUtf8(flag, text));
  TokenList tokens(tokenizer->vocab());
  DLM_TRY(tokenizer->encode(text, tokens).withContext(flag));
  std::vector<ValueTest> tests;
  for (const auto &test : command.tests)
    if (test->argument == argument.name) tests.push_back({test->op, test->bound, test->message});
  DLM_TRY(checkValue("the number of tokens of " + flag, double(tokens.size()), false, tests));
  if (tokens.size() > argument.tokens_max)
    return invalidArgument(flag + " has " + std::to_string(tokens.size()) + " tokens, and `" +
                           command.name + "` takes up to " + std::to_string(argument.tokens_max));
  std::vector<int32_t> ids(size_t(tokens.size()));
  tokens.copy(0, tokens.size(), ids.data());
  return ids;
}

Expected<std::string> CommandTexts::decode(const std::string &result,
                                           const std::vector<int32_t> &ids) {
  DLM_TRY(open());
  for (int32_t id : ids)
    if (id < 0 || id >= tokenizer->vocab())
      return Status::error(Code::InvalidArgument, "`" + result + "` is no text: it has the id " +
                                                      std::to_string(id) +
                                                      ", and the ids of tokens go from 0 to " +
                                                      std::to_string(tokenizer->vocab() - 1));
  return tokenizer->decode(ids);
}

} // namespace dlm
