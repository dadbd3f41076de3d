// Changes below the grammar, the choice between them and those of the tree, and the bytes.
#include "test/fuzz/Mutate.h"

#include "test/fuzz/Tokens.h"
#include "test/fuzz/Words.h"

#include <algorithm>

namespace dlm::fuzz {

namespace {

constexpr size_t textSizeMax = 200'000;

std::string replacementOf(const Corpus &corpus, const CorpusProgram &program, const Token &token,
                          Random &random) {
  switch (token.kind) {
  case TokenKind::Word:
    return random.oneIn(3) ? random.pick(corpus.knownWords) : random.pick(program.words);
  case TokenKind::Number:
    return random.oneIn(2) ? random.pick(program.numbers) : extremeNumber(random);
  case TokenKind::String:
    return extremeString(random);
  default:
    break;
  }
  static const std::vector<std::string> signs = {
      "+", "-",  "*", "/", "%", "**", "@", "..", "...", "|>", "->", "=>", "==", "!=", "<", "<=",
      ">", ">=", "=", "(", ")", "[",  "]", "{",  "}",   ",",  ";",  ":",  ".",  "?",  " ", "\n"};
  return random.pick(signs);
}

void changeTokens(const Corpus &corpus, const CorpusProgram &program, std::vector<Token> &tokens,
                  Random &random) {
  size_t at = random.below(tokens.size()), other = random.below(tokens.size());
  switch (random.below(7)) {
  case 0:
    tokens.erase(tokens.begin() + ptrdiff_t(at));
    break;
  case 1:
    tokens.insert(tokens.begin() + ptrdiff_t(at), tokens[at]);
    break;
  case 2:
    std::swap(tokens[at], tokens[other]);
    break;
  case 3:
    tokens.insert(tokens.begin() + ptrdiff_t(at), tokens[other]);
    break;
  case 4: { // a run of tokens of this text again, or of another
    std::vector<Token> source =
        random.oneIn(2) ? tokens : tokensOf(random.pick(corpus.programs).text);
    if (source.empty()) break;
    size_t begin = random.below(source.size());
    size_t count = std::min(source.size() - begin, 1 + random.below(30));
    tokens.insert(tokens.begin() + ptrdiff_t(at), source.begin() + ptrdiff_t(begin),
                  source.begin() + ptrdiff_t(begin + count));
    break;
  }
  default:
    tokens[at].text = replacementOf(corpus, program, tokens[at], random);
  }
}

std::string mutateBytes(std::string text, Random &random) {
  for (size_t i = 1 + random.below(4); i > 0; --i) {
    size_t at = random.below(text.size() + 1);
    std::string bytes = rawBytes(random);
    if (random.oneIn(2))
      text.insert(at, bytes);
    else
      text.replace(at, std::min(text.size() - at, bytes.size()), bytes);
  }
  if (random.oneIn(8)) text.resize(random.below(text.size() + 1));
  return text;
}

} // namespace

std::string mutateTokens(const Corpus &corpus, const CorpusProgram &program,
                         const std::string &text, Random &random) {
  std::vector<Token> tokens = tokensOf(text);
  for (size_t i = 1 + (random.oneIn(2) ? 0 : random.below(5)); i > 0 && !tokens.empty(); --i)
    changeTokens(corpus, program, tokens, random);
  return joined(tokens);
}

Input makeInput(const Corpus &corpus, uint64_t seed, uint64_t number) {
  Random random(seed, number);
  bool isOfClean = !corpus.clean.empty() && !random.oneIn(3);
  const CorpusProgram &program =
      isOfClean ? corpus.programs[random.pick(corpus.clean)] : random.pick(corpus.programs);
  Input input;
  input.base = program.name;
  input.text = program.text;
  size_t way = random.below(20);
  if (way < 13 && !program.pieces.empty()) input.text = mutateTree(corpus, program, random);
  if (way >= 11 && way < 19) input.text = mutateTokens(corpus, program, input.text, random);
  if (way == 19) input.text = mutateBytes(input.text, random);
  if (input.text.size() > textSizeMax) input.text.resize(textSizeMax);
  if (random.oneIn(10))
    input.definitions.emplace_back(random.pick(program.words),
                                   random.oneIn(3) ? extremeString(random) : extremeNumber(random));
  return input;
}

} // namespace dlm::fuzz
