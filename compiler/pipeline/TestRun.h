// `dlmc test`: checks a file and runs its tests.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "runtime/base/Status.h"

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace dlm {

struct TestOutcome {
  enum State { Passed, Failed, NotRun } state = Passed;
  std::string title;
  std::string reason; // why it was not run
  double milliseconds = 0;
};

struct TestRunOptions {
  /// `-D NAME=VALUE`, in order.
  std::vector<std::pair<std::string, std::string>> definitions;
  /// Only tests whose title holds this text.
  std::string filter;
  /// Is told of each test as soon as it is done.
  std::function<void(const TestOutcome &)> tell = [](const TestOutcome &) {};
};

/// Runs the tests of the file at `path`, each apart from the others. An `expect` that does not hold
/// is an error in `diagnostics`. Errors of the file itself are there, too; then the tests were run
/// that they do not reach, and where not even its tests are known, the status is InvalidArgument
/// with an empty message.
Expected<std::vector<TestOutcome>> runTests(const std::string &path, const TestRunOptions &options,
                                            SourceManager &sources, DiagnosticEngine &diagnostics);

} // namespace dlm
