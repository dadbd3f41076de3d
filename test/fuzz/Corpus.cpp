// Data sources are redirected to the tiny one beside the fuzzer, and a text without a train block
// gets one, so that as many programs as possible go all the way.
#include "test/fuzz/Corpus.h"

#include "compiler/sema/Check.h"
#include "compiler/sema/builtins/Builtin.h"
#include "compiler/syntax/Parser.h"
#include "test/fuzz/Tokens.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>

namespace dlm::fuzz {

namespace {

namespace fs = std::filesystem;

std::string readFile(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The `dlm` blocks of a text in Markdown.
std::vector<std::string> blocksOf(const std::string &text) {
  std::vector<std::string> blocks;
  std::istringstream lines(text);
  bool isInside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.compare(0, 3, "```") == 0) {
      isInside = !isInside && line == "```dlm";
      if (isInside) blocks.emplace_back();
    } else if (isInside) {
      blocks.back() += line + "\n";
    }
  }
  return blocks;
}

/// The path of an IDX source outside of the tests becomes that of the 28 x 28 images beside us.
std::string withOwnData(std::string text) {
  const std::string call = "data.idx(\"/";
  for (size_t at = 0; (at = text.find(call, at)) != std::string::npos; at += call.size()) {
    size_t end = text.find('"', at + call.size());
    if (end == std::string::npos) break;
    text.replace(at + call.size() - 1, end - at - call.size() + 1, "large");
  }
  return text;
}

const char *const trainBlock = R"(
train fuzz_t {
  let fuzz_net = nn.Linear(6, 3)
  data = data.idx("tiny")
  batch = 2
  fn loss(b) { cross_entropy(fuzz_net(reshape(cast(b.image, f32), [batch, 6])), b.label) }
  optimizer = optim.SGD(lr = 0.1)
  duration = 2 steps
}
)";

bool doesCheck(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::unique_ptr<ast::File> tree =
      parseFile(sources, sources.addFile("input.dlm", text), diagnostics);
  return tree && sema::check(*tree, sources, diagnostics, {});
}

void addProgram(Corpus &corpus, const std::string &name, const std::string &text) {
  CorpusProgram program;
  program.name = name;
  program.text = withOwnData(text);
  program.checks = doesCheck(program.text);
  uint64_t kinds = 0;
  program.pieces = piecesOf(program.text, kinds);
  for (uint32_t i = 0; i < program.pieces.size(); ++i)
    program.byKind[size_t(program.pieces[i].kind)].push_back(i);
  std::set<std::string> words, numbers;
  for (const Token &token : tokensOf(program.text)) {
    if (token.kind == TokenKind::Word) words.insert(token.text);
    if (token.kind == TokenKind::Number) numbers.insert(token.text);
  }
  words.insert("batch");
  numbers.insert("3");
  program.words.assign(words.begin(), words.end());
  program.numbers.assign(numbers.begin(), numbers.end());
  corpus.programs.push_back(std::move(program));
}

void addText(Corpus &corpus, const std::string &name, const std::string &text) {
  if (text.size() > 30'000) return;
  addProgram(corpus, name, text);
  bool hasTrain = text.compare(0, 6, "train ") == 0 || text.find("\ntrain ") != std::string::npos;
  bool usesAny = text.find("use ") != std::string::npos;
  if (!hasTrain)
    addProgram(corpus, name + " + train",
               (usesAny ? "" : "use nn, optim, data, schedule\n") + text + trainBlock);
}

std::vector<std::string> namesKnownEverywhere() {
  std::vector<std::string> words = {"bool",     "u8",    "i32",   "i64",   "f32",  "int",
                                    "step",     "steps", "epoch", "batch", "seed", "training",
                                    "new",      "data",  "nn",    "optim", "init", "schedule",
                                    "duration", "every", "true",  "none",  "over"};
  for (const sema::BuiltinTable *table :
       {&sema::pointwiseBuiltins(), &sema::reductionBuiltins(), &sema::shapeBuiltins(),
        &sema::creationBuiltins(), &sema::initialiserBuiltins()})
    for (const sema::Builtin &builtin : *table)
      words.emplace_back(builtin.name);
  return words;
}

} // namespace

std::string_view textOf(const CorpusProgram &program, const Piece &piece) {
  return std::string_view(program.text).substr(piece.begin, piece.end - piece.begin);
}

Corpus readCorpus(const std::string &root) {
  Corpus corpus;
  std::vector<fs::path> paths;
  for (const char *folder : {"stdlib", "examples", "grammar", "test", "compiler/diagnostics"}) {
    if (!fs::exists(fs::path(root) / folder)) continue;
    for (const auto &entry : fs::recursive_directory_iterator(fs::path(root) / folder))
      if (entry.is_regular_file()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  for (const fs::path &path : paths) {
    std::string name = fs::relative(path, root).string();
    if (path.extension() == ".dlm") addText(corpus, name, readFile(path));
    if (path.extension() != ".md") continue;
    for (const std::string &block : blocksOf(readFile(path)))
      addText(corpus, name, block);
  }
  if (corpus.programs.empty()) throw std::runtime_error("no DLM text below " + root);
  corpus.knownWords = namesKnownEverywhere();
  for (uint32_t i = 0; i < corpus.programs.size(); ++i) {
    if (corpus.programs[i].checks) corpus.clean.push_back(i);
  }
  return corpus;
}

} // namespace dlm::fuzz
