// Edits are made in memory, a few rounds of them, as mending the syntax lets the checker find more.
// A round that breaks a text which parsed before is dropped: then an edit was not as exact as its
// author thought. The file is written once.
#include "compiler/driver/FixFile.h"

#include "compiler/diagnostics/FixIts.h"
#include "compiler/driver/ReplaceSource.h"
#include "compiler/sema/Check.h"
#include "compiler/source/Utf8.h"
#include "compiler/syntax/Parser.h"
#include "runtime/base/FileBytes.h"

#include <nlohmann/json.hpp>

#include <cstdio>

namespace dlm {

namespace {

constexpr int roundsMax = 25;
constexpr std::string_view byteOrderMark = "\xEF\xBB\xBF";

/// What one look at a text finds.
struct Finding {
  bool parses = false;
  std::vector<FixIt> fixIts;
  std::vector<std::string> reports; // for each edit, a line for the user
};

std::string reportOf(const SourceManager &sources, const FixIt &fixIt, bool isJson) {
  LineColumn at = sources.position(fixIt.span.file, fixIt.span.begin);
  std::string path(sources.path(fixIt.span.file));
  std::string before(sources.text(fixIt.span));
  std::string word(kindInfo(fixIt.kind).word);
  std::string message = before.empty() ? "inserted `" + fixIt.replacement + "`"
                        : fixIt.replacement.empty()
                            ? "removed `" + before + "`"
                            : "replaced `" + before + "` by `" + fixIt.replacement + "`";
  if (isJson)
    return nlohmann::ordered_json{{"kind", word},
                                  {"severity", "fixed"},
                                  {"message", replaceInvalidUtf8(message)},
                                  {"file", replaceInvalidUtf8(path)},
                                  {"line", at.line},
                                  {"column", at.column}}
        .dump();
  return "fixed[" + word + "]: " + path + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column) + ": " + message;
}

Finding look(const DlmcArguments &arguments, const std::string &text) {
  Finding finding;
  SourceManager sources;
  DiagnosticEngine diagnostics(sources);
  FileId file = sources.addFile(arguments.file, text);
  sema::CheckOptions options;
  options.definitions = arguments.pipeline.definitions;
  options.train = arguments.pipeline.train;
  options.everyTrain = true; // an edit is as right in a block that is not compiled now
  std::unique_ptr<ast::File> tree = parseFile(sources, file, diagnostics);
  finding.parses = tree != nullptr;
  if (tree) sema::check(*tree, sources, diagnostics, options);
  finding.fixIts = exactFixIts(diagnostics, file);
  for (const FixIt &fixIt : finding.fixIts)
    finding.reports.push_back(reportOf(sources, fixIt, arguments.json));
  return finding;
}

} // namespace

Status fixFile(const DlmcArguments &arguments) {
  Expected<std::vector<uint8_t>> bytes = readFileBytes(arguments.file);
  if (!bytes) return Status::ok(); // the compilation says so
  std::string text(bytes->begin(), bytes->end());
  bool hasMark = text.compare(0, byteOrderMark.size(), byteOrderMark) == 0;
  if (hasMark) text.erase(0, byteOrderMark.size());
  std::vector<std::string> reports;
  Finding finding = look(arguments, text);
  for (int round = 0; round < roundsMax && !finding.fixIts.empty(); ++round) {
    std::string edited = applyFixIts(text, finding.fixIts);
    Finding next = look(arguments, edited);
    if (finding.parses && !next.parses) break;
    reports.insert(reports.end(), finding.reports.begin(), finding.reports.end());
    text = std::move(edited);
    finding = std::move(next);
  }
  if (reports.empty()) return Status::ok();
  DLM_TRY(replaceSource(arguments.file, (hasMark ? std::string(byteOrderMark) : "") + text));
  for (const std::string &report : reports)
    std::fprintf(stderr, "%s\n", report.c_str());
  return Status::ok();
}

} // namespace dlm
