// Runs the programs of this folder through the checker and compares all it says with the text
// that stands beside each.

#include "test/sema/TinyData.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/PrintTyped.h"
#include "compiler/syntax/Parser.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
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
    else if (word == "--every-train")
      options.everyTrain = true;
    else if (word == "--run")
      options.purpose = Purpose::Run;
    else
      options.definitions.emplace_back(word.substr(2, equals - 2), word.substr(equals + 1));
  }
  return options;
}

/// `programs/two-layers` and so on: the programs of the three folders.
std::vector<std::string> programNames() {
  std::vector<std::string> names;
  for (const char *folder : {"programs", "mistakes", "library"})
    for (const auto &entry : fs::directory_iterator(fs::path(DLM_SEMA_FOLDER) / folder))
      if (entry.path().extension() == ".dlm")
        names.push_back(folder + ("/" + entry.path().stem().string()));
  std::sort(names.begin(), names.end());
  return names;
}

/// Descriptions of data and modules go beside the program.
void copyNeeded(const fs::path &from, const TinyData &data) {
  for (const auto &entry : fs::directory_iterator(from))
    if (entry.path().extension() != ".txt")
      fs::copy(entry.path(), fs::path(data.folder()) / entry.path().filename(),
               fs::copy_options::overwrite_existing | fs::copy_options::recursive);
}

class CheckPrograms : public ::testing::TestWithParam<std::string> {};

} // namespace

TEST_P(CheckPrograms, SaysWhatStandsBesideTheProgram) {
  TinyData data;
  fs::path path = fs::path(DLM_SEMA_FOLDER) / (GetParam() + ".dlm");
  std::string name = path.stem().string();
  bool isPrograms = path.parent_path().filename() == "programs";
  copyNeeded(fs::path(DLM_SEMA_FOLDER) / "programs" / "schemas", data);
  if (!isPrograms) copyNeeded(path.parent_path(), data);
  std::string text = readText(path);
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile(name + ".dlm", text);
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  ASSERT_TRUE(tree) << renderText(diagnostics);
  std::optional<TypedProgram> program = check(*tree, sources, diagnostics, flagsOf(text));
  std::string said = renderText(diagnostics);
  if (isPrograms) {
    EXPECT_EQ(program.has_value(), name.rfind("fail-", 0) != 0);
    EXPECT_EQ(diagnostics.warningCount() > 0, name.rfind("warn-", 0) == 0);
    if (said.empty() && program) said = printTyped(*program);
  }
  for (size_t at; (at = said.find(data.folder())) != std::string::npos;)
    said.replace(at, data.folder().size(), "FOLDER");
  EXPECT_EQ(said, readText(path.replace_extension(".txt")));
}

INSTANTIATE_TEST_SUITE_P(Programs, CheckPrograms, ::testing::ValuesIn(programNames()),
                         [](const auto &info) {
                           std::string name = info.param;
                           for (char &c : name)
                             if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
                           return name;
                         });

} // namespace dlm::sema
