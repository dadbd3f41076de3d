// The tests of one file, and what is said of an `expect` that does not hold: how many elements
// differ, where the first one is, and how far the two sides are apart.
#include "compiler/pipeline/TestRun.h"

#include "compiler/lower/Lower.h"
#include "compiler/lower/NotYet.h"
#include "compiler/pipeline/TestEvaluation.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/modules/ModuleFiles.h"
#include "compiler/sema/value/Number.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "runtime/base/Clock.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace dlm {

using reference::Tensor;

namespace {

using Values = std::map<std::string, Tensor>;

double elementAt(const Tensor &tensor, int64_t index) {
  switch (tensor.dtype) {
  case DType::Bool:
  case DType::U8:
    return tensor.as<uint8_t>()[index];
  case DType::I32:
    return tensor.as<int32_t>()[index];
  case DType::I64:
    return double(tensor.as<int64_t>()[index]);
  case DType::F64:
    return tensor.as<double>()[index];
  default:
    return tensor.as<float>()[index];
  }
}

/// As few digits as tell the value from its neighbours of type f32.
std::string elementText(const Tensor &tensor, int64_t index) {
  if (tensor.dtype == DType::Bool) return elementAt(tensor, index) != 0 ? "true" : "false";
  if (tensor.dtype != DType::F32) return sema::formatReal(elementAt(tensor, index));
  char text[32];
  std::to_chars_result end = std::to_chars(text, text + sizeof(text), tensor.as<float>()[index]);
  return std::string(text, end.ptr);
}

/// "[0, 2]", the place of an element in row-major order.
std::string indexText(const Tensor &tensor, int64_t index) {
  std::vector<int64_t> strides = reference::rowMajorStrides(tensor.shape);
  std::string text = "[";
  for (size_t axis = 0; axis < strides.size(); ++axis)
    text += (axis ? ", " : "") + std::to_string(index / strides[axis] % tensor.shape[axis]);
  return text + "]";
}

struct Differences {
  int64_t count = 0;
  int64_t first = -1;
  int64_t farthest = -1; // of the elements that differ, where both sides are finite
  double distance = -1;
};

Differences findDifferences(const Tensor &holds, const Tensor *left, const Tensor *right) {
  Differences result;
  for (int64_t i = 0; i < holds.elementCount(); ++i) {
    if (holds.as<uint8_t>()[i]) continue;
    if (result.count++ == 0) result.first = i;
    if (!left || !right) continue;
    double distance = std::abs(elementAt(*left, i) - elementAt(*right, i));
    if (!(distance > result.distance)) continue;
    result.distance = distance;
    result.farthest = i;
  }
  return result;
}

class FailureReport {
public:
  FailureReport(SourceManager &sources, DiagnosticEngine &diagnostics)
      : sources(sources), diagnostics(diagnostics) {}

  DiagnosticBuilder report(const sema::Expectation &expectation) {
    std::string text(sources.text(expectation.span));
    std::string message =
        expectation.text.empty() ? "`" + text + "` does not hold" : expectation.text;
    if (message.find('\n') != std::string::npos) message = "what is expected does not hold";
    return diagnostics.report(Kind::ExpectFailed, expectation.span, message);
  }

  void known(const sema::Expectation &expectation) {
    DiagnosticBuilder message = report(expectation);
    for (const auto &[place, side] : expectation.notes)
      place.isValid() ? message.note(place, side) : message.note(side);
  }

  /// Whether the computed condition `name` holds everywhere.
  bool computed(const sema::Expectation &expectation, const Values &values,
                const std::string &name) {
    auto side = [&](const char *which) {
      auto found = values.find(name + which);
      return found == values.end() ? nullptr : &found->second;
    };
    const Tensor &holds = values.at(name), *left = side(".left"), *right = side(".right");
    Differences found = findDifferences(holds, left, right);
    if (found.count == 0) return true;
    DiagnosticBuilder message = report(expectation);
    auto both = [&](int64_t index) {
      return elementText(*left, index) + " and " + elementText(*right, index);
    };
    if (holds.shape.empty()) {
      if (left) message.note("the two sides are " + both(0));
      return false;
    }
    std::string text = "it fails at " + std::to_string(found.count) + " of " +
                       std::to_string(holds.elementCount()) + " elements, first at " +
                       indexText(holds, found.first);
    message.note(left ? text + ": " + both(found.first) : text);
    if (found.farthest >= 0 && found.count > 1)
      message.note("the sides are farthest apart at " + indexText(holds, found.farthest) + ": " +
                   both(found.farthest));
    return false;
  }

private:
  SourceManager &sources;
  DiagnosticEngine &diagnostics;
};

/// What of the test nothing computes yet; empty if there is nothing.
std::string whyNotRun(const sema::TypedTest &test, const SourceManager &sources) {
  DiagnosticEngine messages(sources);
  lower::reportNotYet(test, messages);
  return messages.hasErrors() ? messages.sorted().front()->message : "";
}

TestOutcome runTest(const sema::TypedTest &test, mlir::MLIRContext &context, SourceManager &sources,
                    DiagnosticEngine &diagnostics) {
  TestOutcome outcome;
  outcome.title = test.title;
  int64_t start = monotonicNs();
  FailureReport report(sources, diagnostics);
  bool isComputed = false, holds = true;
  for (const sema::Expectation &each : test.expectations) {
    isComputed |= !each.isKnown;
    if (!each.isKnown || each.holds) continue;
    report.known(each);
    holds = false;
  }
  if (isComputed) {
    outcome.reason = whyNotRun(test, sources);
    Values values;
    if (outcome.reason.empty()) {
      auto evaluated = evaluateTest(test, context, sources, diagnostics);
      if (evaluated)
        values = evaluated.take();
      else
        outcome.reason = evaluated.status().message();
    }
    for (size_t i = 0; i < test.expectations.size() && outcome.reason.empty(); ++i)
      if (!test.expectations[i].isKnown)
        holds &= report.computed(test.expectations[i], values, std::to_string(i));
  }
  outcome.state = !holds                   ? TestOutcome::Failed
                  : outcome.reason.empty() ? TestOutcome::Passed
                                           : TestOutcome::NotRun;
  outcome.milliseconds = double(monotonicNs() - start) * 1e-6;
  return outcome;
}

/// The tests of one file, and what it takes to check and to run them.
class FileTests {
public:
  FileTests(const TestRunOptions &options, SourceManager &sources, DiagnosticEngine &diagnostics)
      : options(options), sources(sources), diagnostics(diagnostics), modules(sources, diagnostics),
        context(mlir::MLIRContext::Threading::DISABLED) {
    checkOptions.definitions = options.definitions;
    checkOptions.purpose = sema::Purpose::Test;
    lower::loadDialects(context);
  }

  Expected<std::vector<TestOutcome>> run(const std::string &path);

private:
  void runEach(const ast::File &file);
  TestOutcome runAlone(FileId file, size_t test);
  void add(TestOutcome outcome) {
    options.tell(outcome);
    outcomes.push_back(std::move(outcome));
  }
  bool isChosen(const std::string &title) const {
    return title.find(options.filter) != std::string::npos;
  }

  const TestRunOptions &options;
  SourceManager &sources;
  DiagnosticEngine &diagnostics;
  sema::ModuleFiles modules;
  sema::CheckOptions checkOptions;
  mlir::MLIRContext context;
  std::vector<TestOutcome> outcomes;
};

/// Checks and runs a test of a file with errors as if it were the only one there, so that what is
/// wrong elsewhere does not count. Only what a test asks for is evaluated, and in a check of its
/// own nothing is left unsaid because it was said before.
TestOutcome FileTests::runAlone(FileId id, size_t test) {
  DiagnosticEngine messages(sources);
  std::unique_ptr<ast::File> file = parseFile(sources, id, messages);
  std::vector<ast::Test> only;
  only.push_back(std::move(file->tests[test]));
  file->tests = std::move(only);
  std::optional<sema::TypedProgram> program =
      sema::check(*file, sources, modules, messages, checkOptions);
  if (program) return runTest(program->tests.front(), context, sources, diagnostics);
  return {TestOutcome::NotRun, file->tests.front().title, "it has an error, or uses what has one"};
}

void FileTests::runEach(const ast::File &file) {
  bool areRead = true; // syntax errors of modules are said once, and not of each test
  for (const auto &entry : modules.all())
    areRead &= entry.second.file != nullptr;
  for (size_t i = 0; i < file.tests.size(); ++i)
    if (const std::string &title = file.tests[i].title; isChosen(title))
      add(areRead ? runAlone(file.file, i)
                  : TestOutcome{TestOutcome::NotRun, title, "a file that is used has errors"});
}

Expected<std::vector<TestOutcome>> FileTests::run(const std::string &path) {
  std::string reason;
  std::optional<FileId> id = sources.load(path, reason);
  if (!id) {
    diagnostics.error(Kind::MissingFile, {}, "`" + path + "` cannot be read: " + reason);
    return invalidArgument("");
  }
  std::unique_ptr<ast::File> file = parseFile(sources, *id, diagnostics);
  if (!file) return invalidArgument("");
  std::optional<sema::TypedProgram> program =
      sema::check(*file, sources, modules, diagnostics, checkOptions);
  if (!program) {
    runEach(*file);
    if (outcomes.empty()) return invalidArgument("");
    return outcomes;
  }
  for (const sema::TypedTest &test : program->tests)
    if (isChosen(test.title)) add(runTest(test, context, sources, diagnostics));
  return outcomes;
}

} // namespace

Expected<std::vector<TestOutcome>> runTests(const std::string &path, const TestRunOptions &options,
                                            SourceManager &sources, DiagnosticEngine &diagnostics) {
  std::optional<Expected<std::vector<TestOutcome>>> result;
  runOnLargeStack([&] { result = FileTests(options, sources, diagnostics).run(path); });
  return std::move(*result);
}

} // namespace dlm
