// Collects diagnostics. Nothing is printed while the compiler works: messages are sorted by their
// place when they are rendered, so the order in which phases find faults does not show.
#pragma once

#include "compiler/diagnostics/Diagnostic.h"
#include "compiler/source/SourceManager.h"

#include <deque>
#include <optional>
#include <set>
#include <string>
#include <tuple>

namespace dlm {

/// Adds labels, notes and help to a diagnostic just reported; chain the calls, keep no copy.
class DiagnosticBuilder {
public:
  explicit DiagnosticBuilder(Diagnostic &diagnostic) : diagnostic(&diagnostic) {}

  /// Puts a text behind the primary underline (or a further `^` underline elsewhere).
  DiagnosticBuilder &label(Span span, std::string text);
  /// Underlines a cause with `-`.
  DiagnosticBuilder &secondary(Span span, std::string text);
  /// Shows another line, such as a declaration, below the message.
  DiagnosticBuilder &note(Span span, std::string text);
  DiagnosticBuilder &note(std::string text);
  /// Proposes to replace `span` by `replacement`; an empty span inserts.
  DiagnosticBuilder &help(std::string text, Span span, std::string replacement,
                          Applicability applicability = Applicability::Guess);
  DiagnosticBuilder &help(std::string text);

private:
  Diagnostic *diagnostic;
};

class DiagnosticEngine {
public:
  explicit DiagnosticEngine(const SourceManager &sources) : sourceManager(&sources) {}
  DiagnosticEngine(const DiagnosticEngine &) = delete;
  DiagnosticEngine &operator=(const DiagnosticEngine &) = delete;

  /// Reports a kind with its registered severity at `span`, which may be no place. Of messages that
  /// say the same the first is kept.
  DiagnosticBuilder report(Kind kind, Span span, std::string message,
                           Sameness sameness = Sameness::Text);

  /// `report` for kinds registered as errors and warnings; the names help the reader.
  DiagnosticBuilder error(Kind kind, Span span, std::string message);
  DiagnosticBuilder warning(Kind kind, Span span, std::string message);

  unsigned errorCount() const { return errors; }
  unsigned warningCount() const { return warnings; }
  bool hasErrors() const { return errors != 0; }

  /// Takes over what another engine has heard, errors as warnings.
  void addAsWarnings(const DiagnosticEngine &other);

  const SourceManager &sources() const { return *sourceManager; }

  /// All diagnostics by place (those without one first); equal places keep the order of reporting.
  std::vector<const Diagnostic *> sorted() const;

private:
  friend class ErrorLimit;

  bool isNew(const Diagnostic &diagnostic);
  bool isBehindLimit(Severity severity, Span span);
  DiagnosticBuilder keep(Diagnostic diagnostic);

  const SourceManager *sourceManager;
  std::deque<Diagnostic> diagnostics; // a deque, as builders point into it
  Diagnostic repeated{};              // where builders of a repeated message write
  std::set<std::tuple<int, FileId, uint32_t, uint32_t, std::string>> seen;
  std::optional<int64_t> errorsLeft; // below zero once it is said that there are more
  unsigned errorsMax = 0;
  unsigned errors = 0;
  unsigned warnings = 0;
};

/// While it lives, of the errors reported only the first `count` are kept, and one that says that
/// there are more: a text that is no program has a fault at every character.
class ErrorLimit {
public:
  ErrorLimit(DiagnosticEngine &diagnostics, unsigned count) : diagnostics(diagnostics) {
    diagnostics.errorsLeft = diagnostics.errorsMax = count;
  }
  ErrorLimit(const ErrorLimit &) = delete;
  ErrorLimit &operator=(const ErrorLimit &) = delete;
  ~ErrorLimit() { diagnostics.errorsLeft.reset(); }

private:
  DiagnosticEngine &diagnostics;
};

} // namespace dlm
