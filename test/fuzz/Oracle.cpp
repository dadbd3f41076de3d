// parse -> print -> check -> the phases up to `pin`, and what each promises.
#include "test/fuzz/Oracle.h"

#include "compiler/diagnostics/Render.h"
#include "compiler/format/Format.h"
#include "compiler/pipeline/Pipeline.h"
#include "compiler/sema/Check.h"
#include "compiler/sema/PrintTyped.h"
#include "compiler/source/LargeStack.h"
#include "compiler/syntax/Parser.h"
#include "compiler/syntax/PrintAst.h"
#include "test/fuzz/Messages.h"

#include <fstream>

namespace dlm::fuzz {

namespace {

/// One run of parsing and checking.
struct FrontEnd {
  explicit FrontEnd(const Input &input) : diagnostics(sources) {
    FileId file = sources.addFile("input.dlm", input.text);
    runOnLargeStack([&] {
      tree = parseFile(sources, file, diagnostics);
      if (bool(tree) == diagnostics.hasErrors()) failure = "parse: a tree and errors, or neither";
      if (!tree || !failure.empty()) return;
      printed = printAst(*tree);
      sema::CheckOptions options;
      options.definitions = input.definitions;
      program = sema::check(*tree, sources, diagnostics, options);
      if (program.has_value() == diagnostics.hasErrors())
        failure = "check: a program and errors, or neither";
    });
  }

  SourceManager sources;
  DiagnosticEngine diagnostics;
  std::unique_ptr<ast::File> tree;
  std::string printed;
  std::optional<sema::TypedProgram> program;
  std::string failure;
};

/// The printed tree has to parse to a tree that is printed the same.
std::string faultOfPrinting(const std::string &printed) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile("printed.dlm", printed);
  std::string again;
  bool parses = false;
  runOnLargeStack([&] {
    std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
    parses = tree != nullptr;
    if (tree) again = printAst(*tree);
  });
  // Printing adds brackets, so a tree just below the limit may print to a text above it.
  for (const Diagnostic *diagnostic : diagnostics.sorted())
    if (diagnostic->kind == Kind::Nesting) return "";
  if (!parses) return "the printed tree does not parse: " + renderText(diagnostics);
  return again == printed ? "" : "the printed tree is another one";
}

/// Formatting gives a text with the same tree, and formatting that changes nothing. Where the
/// compiler warns that a `///` documents nothing, formatting may make it document something.
std::string faultOfFormatting(const std::string &text, const std::string &printed) {
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  std::optional<std::string> formatted =
      formatText(sources, sources.addFile("input.dlm", text), diagnostics);
  if (!formatted) return "a text that parses is not formatted: " + renderText(diagnostics);
  bool hasStrayDocs = diagnostics.warningCount() > 0;
  std::optional<std::string> again =
      formatText(sources, sources.addFile("formatted.dlm", *formatted), diagnostics);
  if (!again) return "the formatted text does not parse: " + renderText(diagnostics);
  if (*again != *formatted) return "formatting again changes the text";
  bool isSame = false;
  runOnLargeStack([&] {
    std::unique_ptr<ast::File> tree = parseFile(sources, 1, diagnostics);
    isSame = hasStrayDocs
                 ? printAst(*tree, false) == printAst(*parseFile(sources, 0, diagnostics), false)
                 : printAst(*tree) == printed;
  });
  return isSame ? "" : "the formatted text has another tree";
}

std::string faultOfRepeating(const Input &input, const FrontEnd &first) {
  FrontEnd second(input);
  if (renderText(first.diagnostics) != renderText(second.diagnostics))
    return "the messages differ from one run to the next";
  if (first.program && sema::printTyped(*first.program) != sema::printTyped(*second.program))
    return "the typed program differs from one run to the next";
  return "";
}

/// The phases behind `check`: a report that something cannot be compiled yet is fine.
std::string faultOfLowering(const Input &input, bool &lowers) {
  std::ofstream("input.dlm", std::ios::binary) << input.text;
  PipelineOptions options;
  options.definitions = input.definitions;
  options.emit = "pin";
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  Expected<PipelineResult> result = compileFile("input.dlm", options, sources, diagnostics);
  lowers = bool(result);
  if (lowers) return diagnostics.hasErrors() ? "pipeline: a program and errors" : "";
  const std::string &message = result.status().message();
  if (message.empty())
    return diagnostics.hasErrors() ? faultOfMessages(diagnostics) : "pipeline: fails silently";
  return "pipeline: " + message;
}

} // namespace

Verdict judge(const Input &input, bool isThorough) {
  Verdict verdict;
  try {
    FrontEnd run(input);
    verdict.parses = run.tree != nullptr;
    verdict.checks = run.program.has_value();
    for (const Diagnostic *diagnostic : run.diagnostics.sorted())
      verdict.messages.set(size_t(diagnostic->kind) % 256);
    verdict.failure = run.failure;
    if (verdict.failure.empty()) verdict.failure = faultOfMessages(run.diagnostics);
    if (verdict.failure.empty() && run.tree) verdict.failure = faultOfPrinting(run.printed);
    if (verdict.failure.empty() && run.program) sema::printTyped(*run.program);
    if (verdict.failure.empty() && run.tree)
      verdict.failure = faultOfFormatting(input.text, run.printed);
    if (!isThorough || !verdict.failure.empty()) return verdict;
    if (run.tree) piecesOf(input.text, verdict.expressionKinds);
    verdict.failure = faultOfRepeating(input, run);
    constexpr size_t nodesLoweredMax = 20'000; // more would take longer than the limit, rightly
    if (verdict.failure.empty() && run.program && run.program->loss.nodes.size() < nodesLoweredMax)
      verdict.failure = faultOfLowering(input, verdict.lowers);
  } catch (const std::exception &error) {
    verdict.failure = std::string("an exception: ") + error.what();
  }
  return verdict;
}

} // namespace dlm::fuzz
