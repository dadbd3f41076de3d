// Any sequence of bytes ends in a tree or in messages: cut programs, random changes, noise, depth.

#include "compiler/diagnostics/Render.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

namespace dlm {

namespace {

const char *const programNames[] = {"constructs.dlm", "lines.dlm", "names.dlm"};

std::string readProgram(const std::string &name) {
  std::ifstream stream(std::string(DLM_SYNTAX_PROGRAMS) + "/" + name, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

struct Outcome {
  std::string tree; // empty if there were errors
  std::string messages;
};

Outcome outcomeOf(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  Outcome outcome;
  runOnLargeStack([&] {
    std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
    if (tree) outcome.tree = printAst(*tree);
    EXPECT_EQ(tree == nullptr, diagnostics.hasErrors());
  });
  for (const Diagnostic *diagnostic : diagnostics.sorted())
    EXPECT_EQ(diagnostic->message.find("internal error"), std::string::npos) << text;
  outcome.messages = renderText(diagnostics);
  return outcome;
}

std::string repeated(const std::string &piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i)
    text += piece;
  return text;
}

} // namespace

TEST(Robustness, ProgramsParseAndPrintToTheSameTree) {
  for (const char *name : programNames) {
    Outcome first = outcomeOf(readProgram(name));
    EXPECT_EQ(first.messages, "") << name;
    EXPECT_FALSE(first.tree.empty()) << name;
    EXPECT_EQ(outcomeOf(first.tree).tree, first.tree) << name;
  }
}

TEST(Robustness, AnOperatorInTheMiddleOfABlockPrintsToTheSameTree) {
  std::string text = "fn f(x) {\n  let y = x\n  0.5 * x\n  y + if x { 1 } else { y\n }\n  y\n}\n";
  Outcome first = outcomeOf(text);
  EXPECT_EQ(first.messages, "");
  EXPECT_EQ(outcomeOf(first.tree).tree, first.tree);
}

TEST(Robustness, EveryPrefixOfAProgramIsTakenOrExplained) {
  for (const char *name : programNames) {
    std::string text = readProgram(name);
    for (size_t size = 0; size < text.size(); size += 7)
      outcomeOf(text.substr(0, size));
  }
}

TEST(Robustness, EveryRemovedTokenIsTakenOrExplained) {
  std::string text = readProgram("constructs.dlm");
  for (size_t i = 0; i < text.size(); ++i) {
    if (std::string("()[]{},;=:.\"\n").find(text[i]) == std::string::npos) continue;
    outcomeOf(text.substr(0, i) + text.substr(i + 1));
  }
}

TEST(Robustness, RandomChangesAreTakenOrExplained) {
  std::mt19937 random(1);
  const std::string pieces = "(){}[];:=.,+-*/%@<>|\"\\ \n#$?x1\t";
  for (int round = 0; round < 400; ++round) {
    std::string text = readProgram(programNames[round % 3]);
    for (int change = 0; change < 3; ++change)
      text[random() % text.size()] = pieces[random() % pieces.size()];
    outcomeOf(text);
  }
}

TEST(Robustness, NoiseIsExplained) {
  std::mt19937 random(2);
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int i = 0; i < 300; ++i)
      text += static_cast<char>(random() % (round % 2 ? 128 : 256));
    outcomeOf(text);
  }
}

TEST(Robustness, NestingBeyondTheLimitIsRefused) {
  for (const char *piece : {"(", "[", "f(", "- ", "not ", "a ** ", "if ", "fn(x) { ", "-(", "[(",
                            "if a { 1 } else ", "x[", "fn() -> "}) {
    Outcome outcome = outcomeOf("let x = " + repeated(piece, 20'000) + "1\n");
    EXPECT_EQ(outcome.messages.substr(0, 15), "error[nesting]:") << piece;
  }
}

TEST(Robustness, NestingUpToTheLimitIsTaken) {
  EXPECT_FALSE(outcomeOf("let x = " + repeated("(", 250) + "1" + repeated(")", 250)).tree.empty());
  EXPECT_FALSE(outcomeOf("let x = " + repeated("-", 250) + "1").tree.empty());
  EXPECT_FALSE(outcomeOf("let x = " + repeated("a ** ", 250) + "1").tree.empty());
}

TEST(Robustness, LongChainsToTheLeftAreTaken) {
  for (const char *piece : {" + a", " |> a", ".a", "[a]", " - a ** 2"}) {
    Outcome outcome = outcomeOf("let x = a" + repeated(piece, 20'000) + "\n");
    EXPECT_FALSE(outcome.tree.empty()) << piece << "\n" << outcome.messages;
  }
}

TEST(Robustness, LongListsAndTextsAreTaken) {
  EXPECT_FALSE(outcomeOf("let x = [" + repeated("1, ", 20'000) + "]\n").tree.empty());
  EXPECT_FALSE(outcomeOf("let x = " + std::string(100'000, '9') + "\n").tree.empty());
  EXPECT_FALSE(outcomeOf("let x = \"" + std::string(100'000, 'a') + "\"\n").tree.empty());
  EXPECT_FALSE(outcomeOf(repeated("let x = 1\n", 5'000)).tree.empty());
}

} // namespace dlm
