// Messages of `check`, with what the reader needs beyond the place: through which calls and
// models the code was reached, and never a place in the library where the program's own line
// can be shown.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/sema/TypedProgram.h"

#include <set>
#include <string>
#include <vector>

namespace dlm::sema {

struct ArgumentAdvice;
struct Scope;

/// "`a`", "`a` and `b`", "`a`, `b` and `c`".
std::string joinNames(const std::vector<std::string> &names, const std::string &word = "and");

/// A call being checked.
struct Frame {
  std::string text;                  // "MLP(width = 512)" or "gelu"
  Span calledAt;                     // the call
  Span createdAt;                    // of an instance: where it was made
  const void *declaration = nullptr; // to see recursion: the same code
  const void *scope = nullptr;       // and the same scope, as instances share code
  const Scope *bound = nullptr;      // holds the arguments
  std::string parameter = {};        // of `fn optimizer`: the path of the parameter it is asked for
};

/// An argument of a call that is a tensor.
struct GivenTensor {
  Span span;
  TensorType type;
};

class Reporter;

/// A message under construction; the notes about calls are added behind its own at the end of
/// the statement.
class Report {
public:
  Report(Reporter &reporter, Kind kind, Span span, const std::string &message);
  Report(const Report &) = delete;
  Report &operator=(const Report &) = delete;
  ~Report();

  Report &label(Span span, const std::string &text);
  Report &secondary(Span span, const std::string &text);
  Report &note(Span span, const std::string &text);
  Report &note(const std::string &text);
  /// Advice; an empty text is none.
  Report &help(const std::string &text);
  /// The program's own lines are enough: no line of the library is shown.
  Report &withoutLibrary() {
    isAskedShown = true;
    return *this;
  }
  /// Proposes an edit; see compiler/diagnostics/README.md for when it may be `Exact`.
  Report &help(const std::string &text, Span span, const std::string &replacement,
               Applicability applicability = Applicability::Guess);
  /// Advice to convert `what`, which stands at a place: "convert it with `cast(batch.image, f32)`".
  Report &helpCast(const std::string &what, Span written, const std::string &dtype = "f32");
  /// Says which of the candidates are near `word`, as fact: "there is a setting named `batch`". The
  /// edit is exact if `certainWord` is sure.
  Report &nearest(const std::string &what, const std::string &word, Span span,
                  const std::vector<std::string> &candidates);
  /// The same, and if none is near, all that there are.
  Report &nearestOrAll(const std::string &what, const std::string &word, Span span,
                       const std::vector<std::string> &candidates);

private:
  bool isLibrary(Span span) const;
  bool isHidden(Span span) const { return !given.empty() && isLibrary(span); }
  void showArguments(Kind kind);
  void adviseArgument(const GivenTensor &argument, const ArgumentAdvice &advice);

  Reporter &reporter;
  Span asked; // the place the fault is at
  Span shown; // the place that is shown for it
  bool isAskedShown;
  std::vector<GivenTensor>
      given; // of a call of the library: they say more than the library's lines
  DiagnosticBuilder builder;
};

class Reporter {
public:
  explicit Reporter(DiagnosticEngine &diagnostics) : diagnostics(diagnostics) {}

  /// Reports at a place; chain the parts of the message behind it.
  Report operator()(Kind kind, Span span, const std::string &message) {
    return Report(*this, kind, span, message);
  }
  /// Whether it is worth looking for names near a wrong one: not behind the first hundred errors,
  /// where nobody reads them and the search would take minutes.
  bool seeksNames() const { return diagnostics.errorCount() <= 100; }
  /// The place to show for a fault: itself, or the innermost call outside of the library.
  Span placeToShow(Span span) const;
  /// What makes a message at a place the same as another: a body is followed once for every call
  /// and instance, with other shapes each time.
  Sameness samenessOf(Span span) const;
  /// The call of the library that is shown for a fault inside of it; null if it is elsewhere.
  const Frame *libraryCall(Span span) const;
  /// "file:line:column".
  std::string place(Span span) const;

  DiagnosticEngine &diagnostics;
  DiagnosticEngine *unheard =
      nullptr;               // takes the messages instead, where they would be one too many
  std::vector<Frame> frames; // outermost first
  std::set<FileId> libraryFiles;
};

/// Pushes a frame for the length of a block.
class FrameScope {
public:
  FrameScope(Reporter &reporter, Frame frame) : reporter(reporter) {
    reporter.frames.push_back(std::move(frame));
  }
  FrameScope(const FrameScope &) = delete;
  FrameScope &operator=(const FrameScope &) = delete;
  ~FrameScope() { reporter.frames.pop_back(); }

private:
  Reporter &reporter;
};

} // namespace dlm::sema
