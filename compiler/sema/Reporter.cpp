// A fault inside a library function is shown at the innermost call that stands in the program
// itself, with the library's line below it: the reader can change the call, not the library.
#include "compiler/sema/Reporter.h"

#include "compiler/diagnostics/NearWords.h"

namespace dlm::sema {

namespace {

bool contains(Span outer, Span inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

} // namespace

std::string joinNames(const std::vector<std::string> &names, const std::string &word) {
  std::string result;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) result += i + 1 == names.size() ? " " + word + " " : ", ";
    result += "`" + names[i] + "`";
  }
  return result;
}

Report::Report(Reporter &reporter, Kind kind, Span span, const std::string &message)
    : reporter(reporter), asked(span), shown(reporter.placeToShow(span)),
      isAskedShown(shown == asked),
      builder((reporter.unheard ? *reporter.unheard : reporter.diagnostics)
                  .report(kind, shown, message)) {}

bool Report::isLibrary(Span span) const { return reporter.libraryFiles.count(span.file) != 0; }

Report &Report::label(Span span, const std::string &text) {
  if (!span.isValid()) return *this;
  if (shown == asked || !isLibrary(span)) {
    builder.label(span, text);
    return *this;
  }
  isAskedShown |= span == asked;
  builder.secondary(span, text);
  return *this;
}

Report &Report::secondary(Span span, const std::string &text) {
  builder.secondary(span, text);
  return *this;
}

Report &Report::note(Span span, const std::string &text) {
  builder.note(span, text);
  return *this;
}

Report &Report::note(const std::string &text) {
  builder.note(text);
  return *this;
}

Report &Report::help(const std::string &text) {
  if (!text.empty()) builder.help(text);
  return *this;
}

Report &Report::help(const std::string &text, Span span, const std::string &replacement,
                     Applicability applicability) {
  if (isLibrary(span)) return help(text);
  builder.help(text, span, replacement, applicability);
  return *this;
}

Report &Report::nearest(const std::string &what, const std::string &word, Span span,
                        const std::vector<std::string> &candidates) {
  if (!reporter.seeksNames()) return *this;
  std::vector<std::string> near = nearWords(word, candidates);
  std::string text = near.size() == 1 ? "there is " + what + " named " + joinNames(near)
                                      : "similar names are " + joinNames(near);
  if (near.size() == 1 && span.isValid()) {
    bool isCertain = !certainWord(word, candidates).empty();
    return help(text, span, near[0], isCertain ? Applicability::Exact : Applicability::Guess);
  }
  if (!near.empty()) help(text);
  return *this;
}

Report &Report::nearestOrAll(const std::string &what, const std::string &word, Span span,
                             const std::vector<std::string> &candidates) {
  if (!reporter.seeksNames()) return *this;
  if (!nearWords(word, candidates).empty()) return nearest(what, word, span, candidates);
  std::string noun = what.substr(what.find(' ') + 1);
  if (candidates.size() == 1) return help("the only " + noun + " is " + joinNames(candidates));
  return candidates.empty() ? *this : help("the " + noun + "s are " + joinNames(candidates));
}

Report::~Report() {
  if (!isAskedShown) builder.secondary(asked, "");
  constexpr int shownMax = 4;
  int count = 0;
  std::string last;
  for (auto frame = reporter.frames.rbegin(); frame != reporter.frames.rend(); ++frame) {
    bool isInstance = frame->createdAt.isValid();
    if (frame->text.empty() || (!isInstance && contains(frame->calledAt, shown))) continue;
    std::string text = "in `" + frame->text + "`, " +
                       (isInstance ? "created at " + reporter.place(frame->createdAt)
                                   : "called at " + reporter.place(frame->calledAt));
    if (text == last) continue;
    last = text;
    if (++count <= shownMax) builder.note(text);
  }
}

Span Reporter::placeToShow(Span span) const {
  if (!libraryFiles.count(span.file)) return span;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    if (frame->calledAt.isValid() && !libraryFiles.count(frame->calledAt.file))
      return frame->calledAt;
  return span;
}

std::string Reporter::place(Span span) const {
  const SourceManager &sources = diagnostics.sources();
  LineColumn at = sources.position(span.file, span.begin);
  return std::string(sources.path(span.file)) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

} // namespace dlm::sema
