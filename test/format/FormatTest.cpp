// Golden pairs, and what holds for every program of the repository.

#include "compiler/format/Format.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace dlm {

namespace fs = std::filesystem;

namespace {

std::string readText(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// The formatted text, or the messages.
std::string formatted(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  std::optional<std::string> result = formatText(sources, file, diagnostics);
  return result ? *result : renderText(diagnostics);
}

/// The tree of a text; empty if it has errors.
std::string treeOf(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::unique_ptr<ast::File> tree = parseFile(sources, sources.addFile("a.dlm", text), diagnostics);
  std::string result;
  if (tree) runOnLargeStack([&] { result = printAst(*tree); });
  return result;
}

/// How often `//` stands in a text; in strings as well.
size_t countComments(const std::string &text) {
  size_t count = 0;
  for (size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at + 2))
    ++count;
  return count;
}

/// Every .dlm file of the repository, without build folders.
std::vector<fs::path> allPrograms() {
  std::vector<fs::path> paths;
  for (const char *folder : {"stdlib", "examples", "test"})
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(fs::path(DLM_ROOT) / folder))
      if (entry.path().extension() == ".dlm") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What must hold for a text, formatted to `once`.
void expectKept(const std::string &text, const std::string &once) {
  EXPECT_EQ(treeOf(once), treeOf(text));
  EXPECT_EQ(countComments(once), countComments(text));
  EXPECT_EQ(formatted(once), once);
}

} // namespace

TEST(Format, GivesTheExpectedTexts) {
  size_t count = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(DLM_FORMAT_PROGRAMS)) {
    fs::path path = entry.path();
    if (path.extension() != ".dlm" || path.stem().extension() == ".expected") continue;
    SCOPED_TRACE(path.filename().string());
    std::string once = formatted(readText(path));
    EXPECT_EQ(once, readText(fs::path(path).replace_extension(".expected.dlm")));
    expectKept(readText(path), once);
    ++count;
  }
  EXPECT_GT(count, 0u);
}

TEST(Format, KeepsTreeAndCommentsOfEveryProgram) {
  size_t count = 0;
  for (const fs::path &path : allPrograms()) {
    std::string text = readText(path);
    if (treeOf(text).empty()) continue;
    SCOPED_TRACE(path.string());
    expectKept(text, formatted(text));
    ++count;
  }
  EXPECT_GT(count, 40u);
}

TEST(Format, LeavesTheLibraryAndTheExamplesAlone) {
  for (const fs::path &path : allPrograms()) {
    std::string folder = path.lexically_relative(DLM_ROOT).begin()->string();
    if (folder != "stdlib" && folder != "examples") continue;
    SCOPED_TRACE(path.string());
    EXPECT_EQ(formatted(readText(path)), readText(path));
  }
}

} // namespace dlm
