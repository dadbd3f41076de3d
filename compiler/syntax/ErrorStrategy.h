// What the parser does at a token it does not expect: report once, leave the statement, go on with
// the next one.
//
// No token is ever inserted or deleted to make the text fit, as guesses of that sort are what make
// one missing comma give five messages. Inside a statement an error unwinds to the rule of the
// statement (or setting, member, declaration), which then skips to its end: the token filter made
// sure there is one, at the same bracket depth.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/SyntaxErrors.h"
#include "compiler/syntax/TokenFilter.h"

#include <set>

namespace dlm {

class ErrorStrategy : public antlr4::ANTLRErrorStrategy {
public:
  /// Of `tokens` only depths, faulty spans and surplus braces are used; the parser holds the
  /// tokens.
  ErrorStrategy(FileId file, FilteredTokens &tokens, DiagnosticEngine &diagnostics)
      : file(file), filtered(tokens), diagnostics(diagnostics) {}

  /// Where the statements with errors begin: no tree is built of declarations around them.
  const std::set<uint32_t> &failures() const { return failedAt; }

  void reset(antlr4::Parser *) override { isRecovering = false; }
  bool inErrorRecoveryMode(antlr4::Parser *) override { return isRecovering; }
  void reportMatch(antlr4::Parser *) override {}
  antlr4::Token *recoverInline(antlr4::Parser *parser) override;
  void recover(antlr4::Parser *parser, std::exception_ptr error) override;
  void sync(antlr4::Parser *parser) override;
  void reportError(antlr4::Parser *parser, const antlr4::RecognitionException &error) override;

private:
  void skipStatement(antlr4::Parser *parser, uint32_t depth);
  bool isAlreadyReported(Span span) const;
  bool reportAt(const SyntaxErrorSite &site);
  void claimSurplusBrace(Span fault);
  bool claimIndentedLines(Span fault);

  FileId file;
  FilteredTokens &filtered;
  DiagnosticEngine &diagnostics;
  std::set<uint32_t> failedAt;
  unsigned reported = 0;
  bool isRecovering = false;
};

} // namespace dlm
