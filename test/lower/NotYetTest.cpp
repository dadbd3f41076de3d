// What the checker accepts and lowering refuses: for each text in `not-yet`, the program of that
// name among those of the tests of the checker, and all that is said about it.
#include "compiler/lower/NotYet.h"
#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/syntax/Parser.h"
#include "test/sema/TinyData.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace dlm {
namespace {

namespace fs = std::filesystem;

std::string textOf(const fs::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::vector<std::string> textNames() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(DLM_NOT_YET_TEXTS))
    names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class NotYet : public testing::TestWithParam<std::string> {};

TEST_P(NotYet, SaysWhatHasToWait) {
  sema::TinyData data;
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile(GetParam() + ".dlm",
                                textOf(fs::path(DLM_SEMA_PROGRAMS) / (GetParam() + ".dlm")));
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  ASSERT_TRUE(tree);
  std::optional<sema::TypedProgram> program = sema::check(*tree, sources, diagnostics, {});
  ASSERT_TRUE(program) << renderText(diagnostics);
  DiagnosticEngine later(sources);
  lower::reportNotYet(*program, later);
  EXPECT_EQ(renderText(later), textOf(fs::path(DLM_NOT_YET_TEXTS) / (GetParam() + ".txt")));
}

INSTANTIATE_TEST_SUITE_P(Programs, NotYet, testing::ValuesIn(textNames()), [](const auto &info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

} // namespace
} // namespace dlm
