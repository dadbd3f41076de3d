// Comments are compared as a sequence, found without the formatter's own code.

#include "test/format/FormattedText.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/format/Format.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"

#include <algorithm>
#include <fstream>
#include <regex>
#include <sstream>

namespace dlm {

namespace fs = std::filesystem;

std::string readText(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  return text.str();
}

std::string formatted(const std::string &text) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("a.dlm", text);
  std::optional<std::string> result = formatText(sources, file, diagnostics);
  return result ? *result : renderText(diagnostics);
}

static std::string treeOf(const std::string &text, bool &hasWarnings) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::unique_ptr<ast::File> tree = parseFile(sources, sources.addFile("a.dlm", text), diagnostics);
  std::string result;
  if (tree) runOnLargeStack([&] { result = printAst(*tree); });
  hasWarnings = diagnostics.warningCount() > 0;
  return result;
}

std::string treeOf(const std::string &text) {
  bool hasWarnings = false;
  return treeOf(text, hasWarnings);
}

/// Whether the trees are equal, but for what is documented if some `///` documented nothing before.
static bool hasSameTree(const std::string &text, const std::string &once) {
  bool hasWarnings = false;
  std::string before = treeOf(text, hasWarnings);
  std::string after = treeOf(once);
  if (!hasWarnings) return before == after;
  static const std::regex docs(" *///[^\n]*\n");
  return std::regex_replace(before, docs, "") == std::regex_replace(after, docs, "");
}

std::vector<fs::path> allPrograms() {
  std::vector<fs::path> paths;
  for (const char *folder : {"stdlib", "examples", "test"})
    for (const fs::directory_entry &entry :
         fs::recursive_directory_iterator(fs::path(DLM_ROOT) / folder))
      if (entry.path().extension() == ".dlm") paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// From each `//` to the end of its line, in order; also those in strings, which are kept as well.
static std::vector<std::string> commentsOf(const std::string &text) {
  std::vector<std::string> result;
  for (size_t at = text.find("//"); at != std::string::npos; at = text.find("//", at)) {
    size_t end = std::min(text.find_first_of("\r\n", at), text.size());
    std::string comment = text.substr(at, end - at);
    comment.resize(comment.find_last_not_of(" \t") + 1);
    result.push_back(comment);
    at = end;
  }
  return result;
}

bool keepsAll(const std::string &text, const std::string &once) {
  return hasSameTree(text, once) && commentsOf(once) == commentsOf(text) && formatted(once) == once;
}

} // namespace dlm
