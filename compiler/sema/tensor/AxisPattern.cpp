// See AxisPattern.h. One pass over the text; escapes of the string literal are stepped over, so
// that every character knows where it stands in the file.
#include "compiler/sema/tensor/AxisPattern.h"

#include <algorithm>
#include <cctype>

namespace dlm::sema {

namespace {

bool isNameStart(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool isNamePart(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class PatternParser {
public:
  PatternParser(Evaluator &evaluator, const Operand &operand)
      : evaluator(evaluator), operand(operand), text(operand.value.asString()) {
    placeCharacters();
  }

  std::optional<AxisPattern> run() {
    pattern.span = operand.span;
    beginSide();
    while (next()) {
    }
    if (hasFailed) return std::nullopt;
    if (open) return fail(open->span, "`(` is not closed");
    if (!sawArrow) {
      fail(operand.span, "the pattern has no `->`")
          .help("the axes of the result stand behind it: `\"b t c -> b c t\"`");
      return std::nullopt;
    }
    finishSide();
    if (hasFailed) return std::nullopt;
    return pattern;
  }

private:
  /// Reports, and stands for nothing.
  struct Failure {
    Report message;
    Report &help(const std::string &text) { return message.help(text); }
    Report &secondary(Span span, const std::string &text) { return message.secondary(span, text); }
    operator std::optional<AxisPattern>() const { return std::nullopt; }
  };

  Failure fail(Span span, const std::string &message) {
    hasFailed = true;
    return {Report(evaluator.report, Kind::AxisPattern, span, message)};
  }

  /// Where each character stands in the file, if the pattern is written as a literal.
  void placeCharacters() {
    if (!operand.expr || operand.expr->kind != ast::ExprKind::String) return;
    std::string_view written = evaluator.sources.text(operand.expr->span);
    for (size_t i = 1; i + 1 < written.size(); ++i) {
      places.push_back(operand.expr->span.begin + uint32_t(i));
      if (written[i] != '\\') continue;
      ++i;
      if (written[i] == 'u') i = std::min(written.find('}', i), written.size());
    }
    bool isAscii = places.size() == text.size(); // else characters and bytes differ
    if (!isAscii) places.clear();
    places.push_back(operand.expr->span.end - 1);
  }

  Span spanOf(size_t begin, size_t end) const {
    if (places.size() <= text.size()) return operand.span;
    return {operand.span.file, places[begin], places[end]};
  }

  void beginSide() {
    side = PatternSide();
    sideBegin = at;
  }

  void finishSide() {
    size_t end = std::min(at, text.size());
    while (sideBegin < end && text[sideBegin] == ' ')
      ++sideBegin;
    while (end > sideBegin && text[end - 1] == ' ')
      --end;
    side.span = end > sideBegin ? spanOf(sideBegin, end) : operand.span;
    std::vector<PatternAxis> axes = side.axes();
    for (size_t i = 0; i < axes.size(); ++i)
      for (size_t j = 0; j < i; ++j)
        if (axes[i].name == axes[j].name && axes[i].kind != PatternAxis::Count && !hasFailed)
          fail(axes[i].span, "`" + axes[i].name + "` stands twice between the same commas or `->`")
              .secondary(axes[j].span, "here first");
    if (sawArrow)
      pattern.output = std::move(side);
    else
      pattern.inputs.push_back(std::move(side));
  }

  void addAxis(PatternAxis axis) {
    if (open)
      open->axes.push_back(std::move(axis));
    else
      side.groups.push_back({{axis}, false, axis.span});
  }

  /// Reads one sign; false at the end of the text, and after a failure.
  bool next() {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])))
      ++at;
    if (at >= text.size() || hasFailed) return false;
    size_t begin = at;
    char c = text[at];
    if (isNameStart(c) || std::isdigit(static_cast<unsigned char>(c))) return readWord(begin);
    if (text.compare(at, 3, "...") == 0) {
      at += 3;
      addAxis({PatternAxis::Ellipsis, "...", 0, spanOf(begin, at)});
      return true;
    }
    if (text.compare(at, 2, "->") == 0) return readArrow(begin);
    ++at;
    if (c == '(') return openGroup(begin);
    if (c == ')') return closeGroup(begin);
    if (c == ',') return readComma(begin);
    fail(spanOf(begin, at), "`" + text.substr(begin, 1) + "` has no meaning in a pattern of axes");
    return false;
  }

  bool readWord(size_t begin) {
    while (at < text.size() && isNamePart(text[at]))
      ++at;
    std::string word = text.substr(begin, at - begin);
    PatternAxis axis = {PatternAxis::Named, word, 0, spanOf(begin, at)};
    if (!isNameStart(word[0])) {
      bool isNumber = word.size() < 10 &&
                      std::all_of(
                          word.begin(), word.end(),
                          [](char c) { return std::isdigit(static_cast<unsigned char>(c)); });
      if (!isNumber) return fail(axis.span, "`" + word + "` is no name of an axis"), false;
      axis.kind = PatternAxis::Count;
      axis.count = std::stoll(word);
      axis.name = "#" + std::to_string(counts++);
      if (axis.count < 1) return fail(axis.span, "an axis has at least the size 1"), false;
    }
    addAxis(std::move(axis));
    return true;
  }

  bool openGroup(size_t begin) {
    if (open) {
      fail(spanOf(begin, at), "parentheses stand in parentheses")
          .secondary(open->span, "opened here");
      return false;
    }
    open = PatternGroup{{}, true, spanOf(begin, at)};
    return true;
  }

  bool closeGroup(size_t begin) {
    if (!open) return fail(spanOf(begin, at), "`)` closes nothing"), false;
    open->span.end = spanOf(begin, at).end;
    side.groups.push_back(std::move(*open));
    open.reset();
    return true;
  }

  bool readArrow(size_t begin) {
    at += 2;
    if (open) return fail(open->span, "`(` is not closed"), false;
    if (sawArrow) return fail(spanOf(begin, at), "the pattern has two `->`"), false;
    at = begin;
    finishSide();
    at = begin + 2;
    sawArrow = true;
    beginSide();
    return !hasFailed;
  }

  bool readComma(size_t begin) {
    if (open || sawArrow) {
      fail(spanOf(begin, at), "a `,` stands between the axes of two tensors, on the left of `->`")
          .help("names are separated by spaces");
      return false;
    }
    at = begin;
    finishSide();
    at = begin + 1;
    beginSide();
    return !hasFailed;
  }

  Evaluator &evaluator;
  const Operand &operand;
  const std::string &text;
  std::vector<uint32_t> places; // of each character, and of the end
  AxisPattern pattern;
  PatternSide side;                 // that is being read
  std::optional<PatternGroup> open; // between parentheses
  size_t sideBegin = 0, at = 0;
  int counts = 0;
  bool sawArrow = false, hasFailed = false;
};

} // namespace

std::vector<PatternAxis> PatternSide::axes() const {
  std::vector<PatternAxis> result;
  for (const PatternGroup &group : groups)
    result.insert(result.end(), group.axes.begin(), group.axes.end());
  return result;
}

const PatternAxis *PatternSide::find(const std::string &name) const {
  for (const PatternGroup &group : groups)
    for (const PatternAxis &axis : group.axes)
      if (axis.name == name) return &axis;
  return nullptr;
}

std::optional<AxisPattern> parseAxisPattern(Evaluator &evaluator, const Operand &text) {
  if (text.value.isPoison()) return std::nullopt;
  if (text.value.is(ValueKind::String)) return PatternParser(evaluator, text).run();
  Report message(evaluator.report, Kind::TypeMismatch, text.span,
                 "a pattern of axes is a string, and this is " + text.value.describe());
  if (text.value.is(ValueKind::Tensor))
    message.help("the pattern stands behind the tensors, with a space between axes: "
                 "`\"b i, i j -> b j\"`");
  return std::nullopt;
}

bool checkRank(Evaluator &evaluator, const PatternSide &side, size_t rank, const Operand &operand) {
  bool hasEllipsis = side.find("...") != nullptr;
  size_t count = side.groups.size() - (hasEllipsis ? 1 : 0);
  if (hasEllipsis ? rank >= count : rank == count) return true;
  Report message(evaluator.report, Kind::AxisPattern, side.span,
                 "the pattern has " + std::to_string(count) + (count == 1 ? " axis" : " axes") +
                     ", and the tensor " + std::to_string(rank));
  message.secondary(operand.span, "is `" + operand.value.text() + "`");
  std::string word = count == 1 && !side.groups[0].axes.empty() ? side.groups[0].axes[0].name : "";
  if (word.size() == rank && rank > 1) {
    std::string apart;
    for (char c : word)
      apart += (apart.empty() ? "" : " ") + std::string(1, c);
    message.help("names are separated by spaces: `" + apart + "`");
  }
  return false;
}

void expandEllipsis(PatternSide &side, size_t count) {
  std::vector<PatternGroup> groups;
  for (PatternGroup &group : side.groups) {
    PatternGroup expanded = {{}, group.isParenthesized, group.span};
    for (PatternAxis &axis : group.axes) {
      if (axis.kind != PatternAxis::Ellipsis) {
        expanded.axes.push_back(std::move(axis));
        continue;
      }
      for (size_t i = 0; i < count; ++i) {
        PatternAxis each = {PatternAxis::Named, "..." + std::to_string(i), 0, axis.span};
        if (group.isParenthesized)
          expanded.axes.push_back(std::move(each));
        else
          groups.push_back({{each}, false, axis.span});
      }
    }
    bool isGone = expanded.axes.empty() && !group.isParenthesized;
    if (!isGone) groups.push_back(std::move(expanded));
  }
  side.groups = std::move(groups);
}

} // namespace dlm::sema
