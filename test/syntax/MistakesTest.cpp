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
