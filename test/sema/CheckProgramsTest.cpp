// Runs the programs of this folder through the checker and compares all it says with the text
// that stands beside each.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/PrintTyped.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

std::string readText(const fs::path &path) {
  std::ifstream stream(path);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

CheckOptions flagsOf(const std::string &program) {
  CheckOptions options;
  const std::string mark = "// flags:";
  if (program.compare(0, mark.size(), mark) != 0) return options;
  std::istringstream words(program.substr(mark.size(), program.find('\n') - mark.size()));
  for (std::string word; words >> word;) {
    size_t equals = word.find('=');
    if (word.rfind("--train=", 0) == 0)
      options.train = word.substr(equals + 1);
    else
      options.definitions.emplace_back(word.substr(2, equals - 2), word.substr(equals + 1));
  }
  return options;
}

std::vector<std::string> programNames() {
  std::vector<std::string> names;
  for (const auto &entry : fs::directory_iterator(DLM_SEMA_PROGRAMS))
    if (entry.path().extension() == ".dlm") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class CheckPrograms : public ::testing::TestWithParam<std::string> {};

} // namespace

TEST_P(CheckPrograms, SaysWhatStandsBesideTheProgram) {
  TinyData data;
  for (const auto &entry : fs::directory_iterator(fs::path(DLM_SEMA_PROGRAMS) / "schemas"))
    fs::copy_file(entry.path(), fs::path(data.folder()) / entry.path().filename());
  fs::path path = fs::path(DLM_SEMA_PROGRAMS) / (GetParam() + ".dlm");
  std::string text = readText(path);
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile(GetParam() + ".dlm", text);
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  ASSERT_TRUE(tree) << renderText(diagnostics);
  std::optional<TypedProgram> program = check(*tree, sources, diagnostics, flagsOf(text));
  bool shouldFail = GetParam().rfind("fail-", 0) == 0;
  EXPECT_EQ(program.has_value(), !shouldFail);
  EXPECT_EQ(diagnostics.warningCount() > 0, GetParam().rfind("warn-", 0) == 0);
  std::string said = renderText(diagnostics);
  if (said.empty() && program) said = printTyped(*program);
  for (size_t at; (at = said.find(data.folder())) != std::string::npos;)
    said.replace(at, data.folder().size(), "FOLDER");
  EXPECT_EQ(said, readText(path.replace_extension(".txt")));
}

INSTANTIATE_TEST_SUITE_P(Programs, CheckPrograms, ::testing::ValuesIn(programNames()),
                         [](const auto &info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

} // namespace dlm::sema
