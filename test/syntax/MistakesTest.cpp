// What the parser says to people who write as in another language. A file of mistakes/ holds cases:
// a title, a program and, below `----`, every word of the answer.

#include "compiler/diagnostics/FixIts.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace dlm {

namespace {

struct Mistake {
  std::string title;
  std::string program;
  std::string answer;
};

std::vector<Mistake> readMistakes(const std::filesystem::path &path) {
  std::ifstream stream(path);
  std::vector<Mistake> mistakes;
  std::string *part = nullptr;
  for (std::string line; std::getline(stream, line);) {
    if (line.compare(0, 5, "==== ") == 0) {
      mistakes.push_back({line.substr(5), "", ""});
      part = &mistakes.back().program;
    } else if (line == "----" && part == &mistakes.back().program) {
      part = &mistakes.back().answer;
    } else {
      *part += line + "\n";
    }
  }
  return mistakes;
}

const std::string noLineEnd = "(no line end)";

std::string programOf(const Mistake &mistake) {
  bool isCut = mistake.title.size() > noLineEnd.size() &&
               mistake.title.compare(mistake.title.size() - noLineEnd.size(), noLineEnd.size(),
                                     noLineEnd) == 0;
  return isCut ? mistake.program.substr(0, mistake.program.size() - 1) : mistake.program;
}

/// The answer, with the empty line that ends every case.
std::string answerTo(const std::string &program, std::string *edited = nullptr) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", program);
  bool parses = parseFile(sources, file, diagnostics) != nullptr;
  if (edited) *edited = applyFixIts(program, exactFixIts(diagnostics, file));
  return renderText(diagnostics) + (parses ? "(no error)\n\n" : "\n");
}

std::vector<std::filesystem::path> mistakeFiles() {
  std::vector<std::filesystem::path> paths;
  for (const auto &entry : std::filesystem::directory_iterator(DLM_SYNTAX_MISTAKES))
    if (entry.path().extension() == ".txt") paths.push_back(entry.path());
  return paths;
}

} // namespace

TEST(Mistakes, EveryAnswerIsTheExpectedOne) {
  size_t count = 0;
  for (const auto &path : mistakeFiles())
    for (const Mistake &mistake : readMistakes(path)) {
      EXPECT_EQ(answerTo(programOf(mistake)), mistake.answer) << mistake.title;
      ++count;
    }
  EXPECT_GE(count, 60u);
}

/// The same text means something else at another place or in another language: no edit of it is
/// made without a person looking.
TEST(Mistakes, WhatMayMeanSomethingElseIsNotEdited) {
  const char *const programs[] = {
      "let a = tensor([1, 2; 3, 4])\n",
      "let a = tensor([0; 3])\n",
      "fn f(x) { cast(x f32) }\n",
      "let a = w' * x'\n",
      "let a = f'{x}'\n",
      "fn f(x) = x * 2\n",
      "let a = b = 2\n",
      "let const a = 2\n",
      "fn f(x) where x { x }\n",
      "let a = 0 < random.uniform([3]) < 1\n",
      "let a = 1 < 2 == true\n",
      "let a = 0...3\n",
      "let a = xs[b::c]\n",
      "let a = [\n  \"one\"\n  \"two\"\n]\n",
      "let a = f(x: f32)\n",
      "let a = g(10% 3)\n",
      "Net(classes) {\n}\n",
      "model Net() {\n  w = zeros([3])\n}\n",
      "train t {\n  optimizer = { lr = 3 }\n}\n",
      "test \"t\" {\n  assert 1 == 1\n}\n",
      "test f() {\n}\n",
      "let a = 1, b = 2\n",
  };
  for (const char *program : programs) {
    std::string edited;
    std::string answer = answerTo(program, &edited);
    EXPECT_EQ(edited, program) << answer;
    EXPECT_EQ(answer.find("(no error)"), std::string::npos) << program;
  }
}

/// After some rounds of exact edits, as `dlmc --fix` makes them, none is proposed any more.
TEST(Mistakes, ExactEditsMendWhatTheyAreProposedFor) {
  constexpr int roundsMax = 10;
  for (const auto &path : mistakeFiles())
    for (const Mistake &mistake : readMistakes(path)) {
      std::string text = programOf(mistake), edited;
      std::string answer = answerTo(text, &edited);
      for (int round = 0; round < roundsMax && edited != text; ++round) {
        text = edited;
        answer = answerTo(text, &edited);
      }
      EXPECT_EQ(edited, text) << mistake.title << "\n" << answer;
    }
}

} // namespace dlm
