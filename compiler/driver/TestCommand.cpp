// One line a test on standard output; what failed, like any other message, on standard error.
#include "compiler/driver/TestCommand.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/pipeline/TestRun.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace dlm {

namespace {

namespace fs = std::filesystem;

/// A folder stands for the programs in it and in its folders.
std::vector<std::string> filesOf(const std::vector<std::string> &paths) {
  std::vector<std::string> result;
  for (const std::string &path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      result.push_back(path);
      continue;
    }
    std::vector<std::string> found;
    for (const auto &entry : fs::recursive_directory_iterator(path, error))
      if (entry.path().extension() == ".dlm") found.push_back(entry.path().string());
    std::sort(found.begin(), found.end());
    result.insert(result.end(), found.begin(), found.end());
  }
  return result;
}

struct Tally {
  int passed = 0, failed = 0, notRun = 0;
  bool hasFaults = false; // files that could not be checked
};

void printOutcome(const TestOutcome &outcome, Tally &tally) {
  static const char *const words[] = {"ok", "FAILED", "not run"};
  std::string line = std::string("  ") + words[outcome.state];
  line.resize(11, ' ');
  line += outcome.title;
  if (outcome.reason.empty()) {
    line.resize(std::max<size_t>(line.size() + 1, 60), ' ');
    std::printf("%s%6.0f ms\n", line.c_str(), outcome.milliseconds);
  } else {
    std::printf("%s: %s\n", line.c_str(), outcome.reason.c_str());
  }
  int *counts[] = {&tally.passed, &tally.failed, &tally.notRun};
  ++*counts[outcome.state];
}

void runFile(const std::string &path, const DlmcArguments &arguments, Tally &tally) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  TestRunOptions options{arguments.pipeline.definitions, arguments.filter};
  auto outcomes = runTests(path, options, sources, diagnostics);
  std::string messages = arguments.json ? renderJson(diagnostics) : renderText(diagnostics);
  if (outcomes && !outcomes->empty()) std::printf("%s\n", path.c_str());
  if (outcomes)
    for (const TestOutcome &outcome : *outcomes)
      printOutcome(outcome, tally);
  std::fflush(stdout);
  std::fputs(messages.c_str(), stderr);
  if (outcomes) return;
  tally.hasFaults = true;
  std::string reason = outcomes.status().message();
  if (!reason.empty()) std::fprintf(stderr, "error: %s\n", reason.c_str());
}

} // namespace

int runTestCommand(const DlmcArguments &arguments) {
  Tally tally;
  for (const std::string &path : filesOf(arguments.files))
    runFile(path, arguments, tally);
  int count = tally.passed + tally.failed + tally.notRun;
  if (count == 0 && !tally.hasFaults) {
    std::string which =
        arguments.filter.empty() ? "" : " with `" + arguments.filter + "` in its title";
    std::fprintf(stderr, "error: there is no test%s\n", which.c_str());
    return 1;
  }
  std::printf("%d passed, %d failed, %d not run\n", tally.passed, tally.failed, tally.notRun);
  return count == tally.passed && !tally.hasFaults ? 0 : 1;
}

} // namespace dlm
