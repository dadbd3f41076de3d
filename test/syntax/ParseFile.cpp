// Parses a file and prints its tree, or what is wrong with it: the tool of the tests in this
// folder.

#include "compiler/diagnostics/Render.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"

#include <cstdio>
#include <filesystem>
#include <string>

int main(int argumentCount, char **arguments) {
  if (argumentCount != 2) {
    std::fprintf(stderr, "usage: dlm-parse-test FILE\n");
    return 2;
  }
  dlm::SourceManager sources;
  dlm::DiagnosticEngine diagnostics(sources);
  std::string reason;
  std::optional<dlm::FileId> file = sources.load(arguments[1], reason);
  if (!file) {
    std::fprintf(stderr, "%s: %s\n", arguments[1], reason.c_str());
    return 2;
  }
  std::unique_ptr<dlm::ast::File> tree = dlm::parseFile(sources, *file, diagnostics);
  std::fputs(dlm::renderText(diagnostics).c_str(), stderr);
  if (!tree) return 1;
  dlm::runOnLargeStack([&] { std::fputs(dlm::printAst(*tree).c_str(), stdout); });
  return 0;
}
