// One line a test on standard output; what failed, like any other message, on standard error.
#include "compiler/driver/TestCommand.h"

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
  bool hasFaults = false; // errors of files, whatever their tests say
};

void printOutcome(const TestOutcome &outcome, CommandOutput &output, Tally &tally) {
  static const char *const words[] = {"ok", "FAILED", "not run"};
  std::string line = std::string("  ") + words[outcome.state];
  line.resize(11, ' ');
  line += outcome.title;
  if (outcome.reason.empty()) {
    line.resize(std::max<size_t>(line.size() + 1, 60), ' ');
    char time[32];
    std::snprintf(time, sizeof time, "%6.0f ms\n", outcome.milliseconds);
    output.print(line + time);
  } else {
    output.print(line + ": " + outcome.reason + "\n");
  }
  int *counts[] = {&tally.passed, &tally.failed, &tally.notRun};
  ++*counts[outcome.state];
}

void runFile(const std::string &path, const DlmcArguments &arguments, CommandOutput &output,
             Tally &tally) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  TestRunOptions options{arguments.pipeline.definitions, arguments.filter};
  bool isFirst = true;
  options.tell = [&](const TestOutcome &outcome) {
    if (isFirst) output.print(path + "\n");
    isFirst = false;
    printOutcome(outcome, output, tally);
    std::fflush(stdout); // a later test may take seconds
  };
  auto outcomes = runTests(path, options, sources, diagnostics);
  output.show(diagnostics, arguments.errorsMax);
  tally.hasFaults |= diagnostics.hasErrors();
  if (outcomes) return;
  tally.hasFaults = true;
  std::string reason = outcomes.status().message();
  if (!reason.empty()) output.fail(reason);
}

} // namespace

int runTestCommand(const DlmcArguments &arguments, CommandOutput &output) {
  Tally tally;
  for (const std::string &path : filesOf(arguments.files))
    runFile(path, arguments, output, tally);
  int count = tally.passed + tally.failed + tally.notRun;
  if (count == 0 && !tally.hasFaults) {
    std::string which =
        arguments.filter.empty() ? "" : " with `" + arguments.filter + "` in its title";
    return output.fail("there is no test" + which);
  }
  output.print(std::to_string(tally.passed) + " passed, " + std::to_string(tally.failed) +
               " failed, " + std::to_string(tally.notRun) + " not run\n");
  return count == tally.passed && !tally.hasFaults ? 0 : 1;
}

} // namespace dlm
