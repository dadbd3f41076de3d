// The frame at the bottom stands for the file itself, so that counting needs no special case.

#include "compiler/syntax/BracketStack.h"

#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmLexer.h"

namespace dlm {

using grammar::DlmLexer;

BracketStack::BracketStack(const SourceManager &sources, FileId file, DiagnosticEngine &diagnostics,
                           FaultySpans &faultySpans)
    : sources(sources), file(file), diagnostics(diagnostics), faultySpans(faultySpans) {
  frames.push_back({{DlmLexer::K_LBRACE, {}, 0}});
}

bool BracketStack::linesMatter() const { return innermost().type == DlmLexer::K_LBRACE; }

uint32_t BracketStack::indentationOf(Span span) const {
  std::string_view line = sources.lineText(file, sources.line(file, span.begin));
  size_t indentation = line.find_first_not_of(" \t");
  return static_cast<uint32_t>(indentation == std::string_view::npos ? 0 : indentation);
}

void BracketStack::open(size_t type, Span span) {
  frames.push_back({{type, span, indentationOf(span)}, frames.back().nesting() + 1});
}

size_t BracketStack::countAbove(size_t closing) const {
  for (size_t above = 0; above < depth(); ++above) {
    size_t opening = frames[frames.size() - 1 - above].bracket.type;
    if (closingOf(opening) == closing) return above;
    if (opening == DlmLexer::K_LBRACE) return none; // `)` and `]` never close across a block
  }
  return none;
}

bool BracketStack::opensOnLineOf(size_t above, Span span) const {
  Span opening = frames[frames.size() - 1 - above].bracket.span;
  return sources.line(file, opening.begin) == sources.line(file, span.begin);
}

unsigned BracketStack::countNesting(size_t type, size_t previousType) {
  Frame &frame = frames.back();
  switch (type) {
  case DlmLexer::K_POW:
    ++frame.tight;
    break;
  case DlmLexer::K_MINUS:
    if (endsExpression(previousType))
      frame.tight = 0;
    else
      ++frame.tight;
    break;
  case DlmLexer::K_NOT:
    ++frame.loose;
    break;
  case DlmLexer::K_IF:
  case DlmLexer::K_ARROW:
    ++frame.statement;
    break;
  case DlmLexer::K_PLUS:
  case DlmLexer::K_STAR:
  case DlmLexer::K_SLASH:
  case DlmLexer::K_MOD:
  case DlmLexer::K_AT:
  case DlmLexer::K_DOTDOT:
  case DlmLexer::K_EQ:
  case DlmLexer::K_NE:
  case DlmLexer::K_LT:
  case DlmLexer::K_LE:
  case DlmLexer::K_GT:
  case DlmLexer::K_GE:
  case DlmLexer::K_IN:
    frame.tight = 0;
    break;
  case DlmLexer::K_AND:
  case DlmLexer::K_OR:
  case DlmLexer::K_PIPE:
    frame.tight = frame.loose = 0;
    break;
  case DlmLexer::K_COMMA:
    endStatement();
    break;
  default:
    break;
  }
  return frame.nesting();
}

void BracketStack::compareIndentation(Span closing) {
  if (!suspect && innermost().indentation > indentationOf(closing)) suspect = innermost();
}

bool BracketStack::hasFaultOnLine(Span span) const {
  std::optional<uint32_t> next = faultySpans.nextBegin(span.begin);
  return next && sources.line(file, *next) == sources.line(file, span.begin);
}

/// A bracket in front of a string without an end is not reported: the string took its partner.
void BracketStack::report(const OpenBracket &bracket, const char *reason, Span here) {
  bool isConsequence = hasFaultOnLine(bracket.span);
  faultySpans.add(cover(bracket.span, here));
  if (isConsequence) return;
  auto builder = diagnostics.error(Kind::UnclosedBracket, bracket.span,
                                   "`" + spelling(bracket.type) + "` is never closed");
  builder.secondary(here, reason);
  helpWithComment(bracket, builder);
}

/// `f(a // b)`: the comment took the closing bracket.
void BracketStack::helpWithComment(const OpenBracket &bracket, DiagnosticBuilder &builder) const {
  LineColumn at = sources.position(file, bracket.span.begin);
  std::string_view line = sources.lineText(file, at.line);
  size_t comment = line.find("//", bracket.span.end - sources.lineBegin(file, at.line));
  if (comment == std::string_view::npos) return;
  if (line.find(spelling(closingOf(bracket.type)), comment) == std::string_view::npos) return;
  builder.help("`//` begins a comment; `floor(a / b)` rounds a quotient down");
}

void BracketStack::reportUnclosed(const char *reason, Span here) {
  report(innermost(), reason, here);
}

void BracketStack::reportUnclosedBlock(const char *reason, Span here) {
  bool suspectIsInside = suspect && suspect->span.begin > innermost().span.begin;
  report(suspectIsInside ? *suspect : innermost(), reason, here);
  faultySpans.add(cover(innermost().span, here)); // after: it is no fault that came before
  suspect.reset();
}

void BracketStack::reportUnclosedAtEnd() {
  auto end = static_cast<uint32_t>(sources.text(file).size());
  bool suspectIsInside = suspect && suspect->span.begin > innermost().span.begin;
  OpenBracket bracket = suspectIsInside ? *suspect : innermost();
  bool isConsequence = hasFaultOnLine(bracket.span);
  faultySpans.add({file, frames[1].bracket.span.begin, end});
  if (isConsequence) return;
  auto builder = diagnostics.error(Kind::UnclosedBracket, bracket.span,
                                   "`" + spelling(bracket.type) +
                                       "` is not closed before the end of the file");
  helpWithComment(bracket, builder);
  size_t shown = 0;
  for (size_t i = frames.size() - 1; i > 0 && shown < 3; --i) {
    if (frames[i].bracket.span == bracket.span) continue;
    if (suspectIsInside) break;
    builder.secondary(frames[i].bracket.span, "this is open too");
    ++shown;
  }
}

void BracketStack::reportMismatch(size_t closing, Span here) {
  diagnostics
      .error(Kind::UnclosedBracket, here,
             "`" + spelling(innermost().type) + "` is closed by `" + spelling(closing) + "`")
      .secondary(innermost().span, "opened here")
      .help("close it with `" + spelling(closingOf(innermost().type)) + "`", here,
            spelling(closingOf(innermost().type)), Applicability::Exact);
  faultySpans.add(here);
}

} // namespace dlm
