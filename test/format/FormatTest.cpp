// Golden pairs, and what holds for every program of the repository.

#include "test/format/FormattedText.h"

#include <gtest/gtest.h>

namespace dlm {

namespace fs = std::filesystem;

TEST(Format, GivesTheExpectedTexts) {
  size_t count = 0;
  for (const fs::directory_entry &entry : fs::directory_iterator(DLM_FORMAT_PROGRAMS)) {
    fs::path path = entry.path();
    if (path.extension() != ".dlm" || path.stem().extension() == ".expected") continue;
    SCOPED_TRACE(path.filename().string());
    std::string once = formatted(readText(path));
    EXPECT_EQ(once, readText(fs::path(path).replace_extension(".expected.dlm")));
    EXPECT_TRUE(keepsAll(readText(path), once));
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
    EXPECT_TRUE(keepsAll(text, formatted(text)));
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

/// The programs in the README files, from lines ```dlm to ```.
static std::vector<std::string> snippetsOf(const std::string &text) {
  std::vector<std::string> result;
  const std::string begin = "\n```dlm\n";
  for (size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at)) {
    at += begin.size();
    size_t end = text.find("```", at);
    result.push_back(text.substr(at, end - at));
  }
  return result;
}

TEST(Format, LeavesTheProgramsOfTheReadmeFilesAlone) {
  size_t count = 0;
  for (const char *path : {"README.md", "grammar/README.md", "stdlib/README.md"})
    for (const std::string &snippet : snippetsOf(readText(fs::path(DLM_ROOT) / path))) {
      SCOPED_TRACE(path);
      EXPECT_EQ(formatted(snippet), snippet);
      ++count;
    }
  EXPECT_GT(count, 5u);
}

TEST(Format, ReportsSyntaxErrorsAsTheCompilerDoes) {
  EXPECT_EQ(formatted("let x = (1\n").substr(0, 23), "error[unclosed-bracket]");
  EXPECT_EQ(formatted("option a = // one\n// two\n8; option b = f(2 /// eight\n)\n"),
            "error[syntax]: this `///` comment stands between parts of a statement\n"
            " --> a.dlm:3:19\n"
            "  |\n"
            "3 | 8; option b = f(2 /// eight\n"
            "  |                   ^^^^^^^^^\n"
            "help: write it above the declaration that it documents\n");
  EXPECT_EQ(formatted(""), "");
  EXPECT_EQ(formatted("\n\n"), "");
  EXPECT_EQ(formatted("// only\n\n\n  // comments"), "// only\n\n// comments\n");
}

/// `count` times the text.
static std::string repeated(const std::string &text, size_t count) {
  std::string result;
  for (size_t i = 0; i < count; ++i)
    result += text;
  return result;
}

TEST(Format, TakesLongAndDeepPrograms) {
  for (const char *link : {" + x", " - x", " |> f", ".x", "(x)", "[x]", " * f(1)", " and (x)"}) {
    size_t count = link == std::string(" + x") ? 20000 : 4000;
    std::string text = "let y = x" + repeated(link, count) + "\n";
    SCOPED_TRACE(link);
    EXPECT_TRUE(keepsAll(text, formatted(text)));
  }
  for (const char *open : {"(", "[", "f(", "f(x, y = ", "fn() { (", "-"}) {
    size_t width = std::string(open).find('{') == std::string::npos ? 250 : 120;
    std::string close = open[0] == '[' ? "]" : open[0] == '-' ? "" : width == 120 ? ") }" : ")";
    std::string text = "let y = " + repeated(open, width) + "x" + repeated(close, width) + "\n";
    SCOPED_TRACE(open);
    EXPECT_TRUE(keepsAll(text, formatted(text)));
  }
}

} // namespace dlm
