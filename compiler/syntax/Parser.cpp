// The only file that sees exceptions: the ANTLR runtime throws them, and none leaves here.
//
// A first attempt predicts with SLL, which is fast and enough for every correct program met so far;
// it gives up at the first difficulty. A text that it does not take is parsed again with full LL,
// which either takes it or gives the errors to report.

#include "compiler/syntax/Parser.h"

#include "compiler/source/LargeStack.h"
#include "compiler/source/Utf8.h"
#include "compiler/syntax/AstBuilder.h"
#include "compiler/syntax/ErrorStrategy.h"

#include <set>

namespace dlm {

using grammar::DlmParser;

namespace {

/// Whether a statement with an error begins inside the declaration.
bool hasFailure(const antlr4::ParserRuleContext *decl, const std::set<uint32_t> &failures) {
  if (!decl->start || !decl->stop) return true;
  auto next = failures.lower_bound(static_cast<uint32_t>(decl->start->getStartIndex()));
  return next != failures.end() && *next <= decl->stop->getStartIndex();
}

std::unique_ptr<ast::File> parseTokens(const SourceManager &sources, FileId file,
                                       DiagnosticEngine &diagnostics) {
  FilteredTokens filtered = readTokens(sources, file, diagnostics);
  if (filtered.isTooLarge) return nullptr;
  antlr4::ListTokenSource source(std::move(filtered.tokens));
  antlr4::CommonTokenStream stream(&source);
  stream.fill(); // messages look at the tokens around a fault
  DlmParser parser(&stream);
  parser.removeErrorListeners();
  auto *interpreter = parser.getInterpreter<antlr4::atn::ParserATNSimulator>();
  interpreter->setPredictionMode(antlr4::atn::PredictionMode::SLL);
  parser.setErrorHandler(std::make_shared<antlr4::BailErrorStrategy>());
  auto strategy = std::make_shared<ErrorStrategy>(file, filtered, diagnostics);
  DlmParser::SourceFileContext *tree = nullptr;
  try {
    tree = parser.sourceFile();
  } catch (const antlr4::ParseCancellationException &) {
    stream.seek(0);
    parser.reset();
    interpreter->setPredictionMode(antlr4::atn::PredictionMode::LL);
    parser.setErrorHandler(strategy);
    tree = parser.sourceFile();
  }
  ErrorLimit limit(diagnostics, syntaxErrorsMax);
  for (Span brace : filtered.surplusBraces)
    reportSurplusBracket(brace, diagnostics);
  auto result = std::make_unique<ast::File>();
  result->file = file;
  AstBuilder builder(sources, file, std::move(filtered.docs), diagnostics);
  const std::set<uint32_t> &failures = strategy->failures();
  for (DlmParser::DeclContext *decl : tree->decl())
    if (failures.empty() || !hasFailure(decl, failures)) builder.addDecl(*result, decl);
  if (!diagnostics.hasErrors()) builder.reportStrayDocs();
  return result;
}

} // namespace

std::unique_ptr<ast::File> parseWhatFits(const SourceManager &sources, FileId file,
                                         DiagnosticEngine &diagnostics) {
  auto empty = std::make_unique<ast::File>();
  empty->file = file;
  std::string_view text = sources.text(file);
  if (std::optional<size_t> invalid = firstInvalidUtf8(text)) {
    auto offset = static_cast<uint32_t>(*invalid);
    diagnostics.error(Kind::Encoding, {file, offset, offset + 1}, "this byte is not UTF-8")
        .help("save the file as UTF-8");
    return empty;
  }
  std::unique_ptr<ast::File> result;
  try {
    runOnLargeStack([&] { result = parseTokens(sources, file, diagnostics); });
  } catch (const std::exception &error) {
    diagnostics.error(Kind::Syntax, {file, 0, 0},
                      std::string("internal error in the parser: ") + error.what());
  }
  return result ? std::move(result) : std::move(empty);
}

std::unique_ptr<ast::File> parseFile(const SourceManager &sources, FileId file,
                                     DiagnosticEngine &diagnostics) {
  unsigned errorsBefore = diagnostics.errorCount();
  std::unique_ptr<ast::File> result = parseWhatFits(sources, file, diagnostics);
  if (diagnostics.errorCount() != errorsBefore) return nullptr;
  return result;
}

} // namespace dlm
