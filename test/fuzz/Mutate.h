// Inputs of the fuzzer: a program of the corpus with a few changes. Most are small and respect the
// grammar, so that many inputs come far; the number of an input decides everything about it.
#pragma once

#include "test/fuzz/Corpus.h"
#include "test/fuzz/Random.h"

#include <string>
#include <utility>

namespace dlm::fuzz {

/// An input: a text, and the `-D` definitions it is checked with.
struct Input {
  std::string text;
  std::vector<std::pair<std::string, std::string>> definitions;
  std::string base; // the program it was made of
};

/// The input with this number of the run with this seed.
Input makeInput(const Corpus &corpus, uint64_t seed, uint64_t number);

/// Changes parts of the tree of a program: cut, doubled, exchanged, wrapped, replaced.
std::string mutateTree(const Corpus &corpus, const CorpusProgram &program, Random &random);

/// Changes tokens of a text, whether it parses or not.
std::string mutateTokens(const Corpus &corpus, const CorpusProgram &program,
                         const std::string &text, Random &random);

} // namespace dlm::fuzz
