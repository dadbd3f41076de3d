// Collecting is all that happens here; see TextRenderer.cpp and JsonRenderer.cpp for the looks.

#include "compiler/diagnostics/DiagnosticEngine.h"

#include "compiler/source/Utf8.h"

#include <algorithm>

namespace dlm {

const std::vector<KindInfo> &allKinds() {
  static const std::vector<KindInfo> kinds = {
#define KIND(name, word, severity, explanation) {Kind::name, word, Severity::severity, explanation},
#include "compiler/diagnostics/Kinds.def"
#undef KIND
  };
  return kinds;
}

const KindInfo &kindInfo(Kind kind) { return allKinds()[static_cast<size_t>(kind)]; }

std::optional<Kind> findKind(std::string_view word) {
  for (const KindInfo &info : allKinds())
    if (info.word == word) return info.kind;
  return std::nullopt;
}

/// A word of thousands of letters, as only a program writes it, by its begin and its end.
static std::string withShortWords(const std::string &text) {
  constexpr size_t widthMax = 300, headWidth = 60, tailWidth = 20; // a path is shown whole
  std::string result;
  for (size_t begin = 0, end; begin < text.size(); begin = end) {
    end = std::min(text.find(' ', begin), text.size() - 1) + 1;
    std::string_view word = std::string_view(text).substr(begin, end - begin);
    if (word.size() <= widthMax) {
      result += word;
      continue;
    }
    size_t head = 0, tail = word.size() - tailWidth;
    while (head < headWidth)
      head += characterLength(word, head);
    while (tail < word.size() && (static_cast<unsigned char>(word[tail]) & 0xC0) == 0x80)
      ++tail;
    result.append(word.substr(0, head)).append("...").append(word.substr(tail));
  }
  return result;
}

/// Texts quote the program, which may go over several lines or hold anything in its strings: a
/// message is one line of words without control characters all the same.
static std::string onOneLine(std::string text) {
  std::string result;
  for (char c : text)
    if (c == '\n' || (c == ' ' && !result.empty() && result.back() == '\n'))
      result += result.empty() || result.back() != '\n' ? "\n" : "";
    else
      result += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  std::replace(result.begin(), result.end(), '\n', ' ');
  return withShortWords(result);
}

DiagnosticBuilder &DiagnosticBuilder::label(Span span, std::string text) {
  text = onOneLine(std::move(text));
  for (Label &label : diagnostic->labels) {
    if (!label.isPrimary || !(label.span == span) || !label.text.empty()) continue;
    label.text = std::move(text);
    return *this;
  }
  diagnostic->labels.push_back({span, std::move(text), true});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::secondary(Span span, std::string text) {
  if (span.isValid()) diagnostic->labels.push_back({span, onOneLine(std::move(text)), false});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::note(Span span, std::string text) {
  diagnostic->notes.push_back({onOneLine(std::move(text)), span});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::note(std::string text) { return note({}, std::move(text)); }

DiagnosticBuilder &DiagnosticBuilder::help(std::string text, Span span, std::string replacement,
                                           Applicability applicability) {
  diagnostic->helps.push_back(
      {onOneLine(std::move(text)), span, std::move(replacement), applicability});
  return *this;
}

DiagnosticBuilder &DiagnosticBuilder::help(std::string text) {
  return help(std::move(text), {}, {}, Applicability::Guess);
}

bool DiagnosticEngine::isNew(const Diagnostic &diagnostic) {
  const Span &span = diagnostic.span;
  bool isText = diagnostic.sameness == Sameness::Text;
  int what =
      diagnostic.sameness == Sameness::Call ? -1 - int(diagnostic.severity) : int(diagnostic.kind);
  return seen.insert({what, span.file, span.begin, span.end, isText ? diagnostic.message : ""})
      .second;
}

DiagnosticBuilder DiagnosticEngine::report(Kind kind, Span span, std::string message,
                                           Sameness sameness) {
  message = onOneLine(std::move(message));
  Severity severity = kindInfo(kind).severity;
  Diagnostic diagnostic{kind, severity, sameness, span, std::move(message), {}, {}, {}};
  if (isBehindLimit(severity, span) || !isNew(diagnostic)) {
    repeated = Diagnostic{};
    return DiagnosticBuilder(repeated);
  }
  if (severity == Severity::Error && errorsLeft) --*errorsLeft;
  return keep(std::move(diagnostic));
}

/// Whether an error is one too many; the first of these becomes a message that says so.
bool DiagnosticEngine::isBehindLimit(Severity severity, Span span) {
  if (severity != Severity::Error || !errorsLeft || *errorsLeft > 0) return false;
  if (*errorsLeft == 0)
    keep({Kind::Syntax,
          Severity::Error,
          Sameness::Text,
          span,
          "behind " + std::to_string(errorsMax) +
              " errors no more are told; there are others from here on",
          {},
          {},
          {}});
  errorsLeft = -1;
  return true;
}

DiagnosticBuilder DiagnosticEngine::keep(Diagnostic diagnostic) {
  Span span = diagnostic.span;
  ++(diagnostic.severity == Severity::Error ? errors : warnings);
  diagnostics.push_back(std::move(diagnostic));
  if (span.isValid()) diagnostics.back().labels.push_back({span, {}, true});
  return DiagnosticBuilder(diagnostics.back());
}

DiagnosticBuilder DiagnosticEngine::error(Kind kind, Span span, std::string message) {
  return report(kind, span, std::move(message));
}

DiagnosticBuilder DiagnosticEngine::warning(Kind kind, Span span, std::string message) {
  return report(kind, span, std::move(message));
}

void DiagnosticEngine::addAsWarnings(const DiagnosticEngine &other) {
  for (Diagnostic diagnostic : other.diagnostics) {
    diagnostic.severity = Severity::Warning;
    if (!isNew(diagnostic)) continue;
    ++warnings;
    diagnostics.push_back(std::move(diagnostic));
  }
}

std::vector<const Diagnostic *> DiagnosticEngine::sorted() const {
  using Place = std::tuple<int64_t, uint32_t, size_t>; // the index keeps the order of equal places
  std::vector<std::pair<Place, const Diagnostic *>> places;
  for (const Diagnostic &diagnostic : diagnostics) {
    const Span &span = diagnostic.span;
    int64_t file = span.isValid() ? int64_t(span.file) : -1;
    places.push_back({{file, span.begin, places.size()}, &diagnostic});
  }
  std::sort(places.begin(), places.end());
  std::vector<const Diagnostic *> result;
  for (const auto &[place, diagnostic] : places)
    result.push_back(diagnostic);
  return result;
}

} // namespace dlm
