// dlm-format-test FILE: the formatted text on standard output, or the messages.
#include "compiler/diagnostics/Render.h"
#include "compiler/format/Format.h"

#include <cstdio>

int main(int argc, char **argv) {
  dlm::SourceManager sources;
  std::string reason;
  std::optional<dlm::FileId> file = sources.load(argc > 1 ? argv[1] : "", reason);
  if (!file) {
    std::fprintf(stderr, "%s\n", reason.c_str());
    return 1;
  }
  dlm::DiagnosticEngine diagnostics(sources);
  std::optional<std::string> text = dlm::formatText(sources, *file, diagnostics);
  if (!text) std::fputs(dlm::renderText(diagnostics).c_str(), stderr);
  std::fputs(text.value_or("").c_str(), stdout);
  return text ? 0 : 1;
}
