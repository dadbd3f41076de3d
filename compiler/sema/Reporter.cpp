// A fault inside a library function is shown at the innermost call that stands in the program
// itself, with the library's line below it: the reader can change the call, not the library.
#include "compiler/sema/Reporter.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/tensor/ShapeAdvice.h"
#include "compiler/sema/value/Scope.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

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

namespace {

/// The arguments of a call that are tensors, as they stand in the program.
std::vector<GivenTensor> givenTensors(const Frame *call) {
  std::vector<GivenTensor> result;
  if (!call || !call->bound) return result;
  for (const auto &entry : call->bound->bindings) {
    const Binding &binding = entry.second;
    bool isHere = contains(call->calledAt, binding.given) && !(call->calledAt == binding.given);
    if (isHere && binding.value.is(ValueKind::Tensor))
      result.push_back({binding.given, binding.value.asTensor().type});
  }
  std::sort(result.begin(), result.end(),
            [](const GivenTensor &a, const GivenTensor &b) { return a.span.begin < b.span.begin; });
  return result;
}

/// Says first in which function of the library it happened.
std::string inCall(const Frame *call, const std::string &message) {
  return call ? "in `" + call->text + "`, " + message : message;
}

} // namespace

Report::Report(Reporter &reporter, Kind kind, Span span, const std::string &message)
    : reporter(reporter), asked(span), shown(reporter.placeToShow(span)),
      isAskedShown(shown == asked), given(givenTensors(reporter.libraryCall(span))),
      builder((reporter.unheard ? *reporter.unheard : reporter.diagnostics)
                  .report(kind, shown,
                          given.empty() || kind == Kind::RequireFailed
                              ? message
                              : inCall(reporter.libraryCall(span), message),
                          reporter.samenessOf(span))) {
  showArguments(kind);
}

/// Instead of the library's lines: what the program gave to it, and what would fit.
void Report::showArguments(Kind kind) {
  if (given.empty()) return;
  isAskedShown = true;
  std::vector<TensorType> types;
  for (const GivenTensor &each : given) {
    builder.secondary(each.span, "is `" + typeText(each.type) + "`");
    types.push_back(each.type);
  }
  if (kind != Kind::ShapeMismatch) return;
  std::optional<ArgumentAdvice> advice = adviceForArguments(types);
  if (!advice) return;
  for (const GivenTensor &each : given) // others of its shape need the same
    if (sameShape(each.type.dims, given[advice->argument].type.dims)) adviseArgument(each, *advice);
}

void Report::adviseArgument(const GivenTensor &argument, const ArgumentAdvice &advice) {
  Span span = argument.span;
  std::string text(reporter.diagnostics.sources().text(span));
  if (!advice.before.empty() || text.find(' ') == std::string::npos)
    text = advice.before + text + advice.behind;
  else
    text = "(" + text + ")" + advice.behind;
  builder.help("`" + text + "` " + advice.reason, span, text);
}

bool Report::isLibrary(Span span) const { return reporter.libraryFiles.count(span.file) != 0; }

Report &Report::label(Span span, const std::string &text) {
  if (!span.isValid() || isHidden(span)) return *this;
  if (shown == asked || !isLibrary(span)) {
    builder.label(span, text);
    return *this;
  }
  isAskedShown |= span == asked;
  builder.secondary(span, text);
  return *this;
}

Report &Report::secondary(Span span, const std::string &text) {
  if (isHidden(span)) return *this;
  builder.secondary(span, text);
  return *this;
}

Report &Report::note(Span span, const std::string &text) {
  if (isHidden(span)) return *this;
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
  if (isHidden(span)) return *this;
  if (isLibrary(span)) return help(text);
  builder.help(text, span, replacement, applicability);
  return *this;
}

Report &Report::helpCast(const std::string &what, Span written, const std::string &dtype) {
  // inside of the library it is what the program gave, if that is one tensor
  if (isLibrary(written) && given.size() == 1) written = given[0].span;
  std::string text(written.isValid() ? reporter.diagnostics.sources().text(written) : "");
  constexpr size_t shownMax = 60;
  bool isShown = written.isValid() && !isLibrary(written) && text.size() <= shownMax &&
                 text.find('\n') == std::string::npos;
  return help("convert " + what + " with `cast(" + (isShown ? text : "x") + ", " + dtype + ")`");
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
    Span made = isInstance ? frame->createdAt : frame->calledAt;
    bool isSeen = contains(made, shown) && (!isInstance || shown == asked);
    auto outer = std::next(frame);
    bool isAsked = outer != reporter.frames.rend() && !outer->parameter.empty(); // said by that one
    if (frame->text.empty() || isSeen || isAsked || isLibrary(made)) continue;
    bool isOfParameter = !frame->parameter.empty();
    std::string text = "in `" + frame->text + "`, " +
                       (isInstance      ? "created at " + reporter.place(frame->createdAt)
                        : isOfParameter ? "for the parameter `" + frame->parameter + "`"
                                        : "called at " + reporter.place(frame->calledAt));
    if (text == last) continue;
    last = text;
    if (++count <= shownMax) builder.note(text);
  }
}

const Frame *Reporter::libraryCall(Span span) const {
  if (!libraryFiles.count(span.file)) return nullptr;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame)
    if (frame->calledAt.isValid() && !libraryFiles.count(frame->calledAt.file)) return &*frame;
  return nullptr;
}

Span Reporter::placeToShow(Span span) const {
  const Frame *call = libraryCall(span);
  return call ? call->calledAt : span;
}

Sameness Reporter::samenessOf(Span span) const {
  if (!(placeToShow(span) == span)) return Sameness::Call;
  return frames.empty() ? Sameness::Text : Sameness::Place;
}

std::string Reporter::place(Span span) const {
  const SourceManager &sources = diagnostics.sources();
  LineColumn at = sources.position(span.file, span.begin);
  return std::string(sources.path(span.file)) + ":" + std::to_string(at.line) + ":" +
         std::to_string(at.column);
}

} // namespace dlm::sema
