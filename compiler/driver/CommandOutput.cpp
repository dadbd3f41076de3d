// See CommandOutput.h.
#include "compiler/driver/CommandOutput.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/source/Utf8.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <cstdlib>
#include <unistd.h>

namespace dlm {

void CommandOutput::print(const std::string &text) {
  std::fwrite(text.data(), 1, text.size(), stdout); // `finish` asks whether all could be written
}

/// Colours are for people at a terminal who have not asked for none (no-color.org).
static bool isColoured() {
  const char *noColour = std::getenv("NO_COLOR");
  return !(noColour && *noColour) && isatty(STDERR_FILENO) == 1;
}

void CommandOutput::show(const DiagnosticEngine &diagnostics, unsigned errorsMax) {
  std::string text =
      isJson ? renderJson(diagnostics) : renderText(diagnostics, {errorsMax, isColoured()});
  std::fflush(stdout); // so that they stand behind what led to them, where both are one
  std::fputs(text.c_str(), stderr);
}

/// The same fields as of a message about a program, in diagnostics/README.md.
void CommandOutput::say(const char *word, const char *severity, const std::string &message) {
  auto none = nlohmann::ordered_json::array();
  nlohmann::ordered_json object = {
      {"kind", word},   {"severity", severity}, {"message", replaceInvalidUtf8(message)},
      {"labels", none}, {"notes", none},        {"helps", none}};
  std::fprintf(stderr, "%s\n", object.dump().c_str());
}

int CommandOutput::fail(const std::string &message) {
  bool isInternal = message.rfind("internal error", 0) == 0;
  if (isJson)
    say(isInternal ? internalErrorWord : commandWord, "error", message);
  else
    std::fprintf(stderr, "%s%s\n", isInternal ? "" : "error: ", message.c_str());
  return 1;
}

void CommandOutput::note(const std::string &message) {
  if (isJson)
    say(commandWord, "note", message);
  else
    std::fprintf(stderr, "note: %s\n", message.c_str());
}

int CommandOutput::finish(int status) {
  bool isWritten = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  return isWritten ? status : fail("cannot write to standard output");
}

} // namespace dlm
