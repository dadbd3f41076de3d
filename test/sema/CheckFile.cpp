// Checks a file and prints the typed program, or what is wrong with it: the tool of the tests in
// this folder.

#include "compiler/diagnostics/Render.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/PrintTyped.h"
#include "compiler/syntax/Parser.h"

#include <cstdio>
#include <string>

int main(int argumentCount, char **arguments) {
  dlm::sema::CheckOptions options;
  std::string path, reason;
  for (int i = 1; i < argumentCount; ++i) {
    std::string argument = arguments[i];
    size_t equals = argument.find('=');
    if (argument.rfind("--train=", 0) == 0)
      options.train = argument.substr(8);
    else if (argument == "--every-train")
      options.everyTrain = true;
    else if (argument == "--run")
      options.purpose = dlm::sema::Purpose::Run;
    else if (argument.rfind("-D", 0) == 0 && equals != std::string::npos)
      options.definitions.emplace_back(argument.substr(2, equals - 2), argument.substr(equals + 1));
    else
      path = argument;
  }
  dlm::SourceManager sources;
  dlm::DiagnosticEngine diagnostics(sources);
  std::optional<dlm::FileId> file = sources.load(path, reason);
  if (!file) {
    std::fprintf(stderr, "usage: dlm-check-test [-Dname=value] [--train=NAME] FILE: %s\n",
                 reason.c_str());
    return 2;
  }
  std::unique_ptr<dlm::ast::File> tree = dlm::parseFile(sources, *file, diagnostics);
  std::optional<dlm::sema::TypedProgram> program;
  if (tree) program = dlm::sema::check(*tree, sources, diagnostics, options);
  std::fputs(dlm::renderText(diagnostics).c_str(), stderr);
  if (!program) return 1;
  std::fputs(dlm::sema::printTyped(*program).c_str(), stdout);
  return 0;
}
