// Everything here counts in screen columns from zero: one for each character, four for a tab.

#include "compiler/diagnostics/LinePicture.h"

#include "compiler/source/Utf8.h"

#include <algorithm>
#include <utility>

namespace dlm {

namespace {

constexpr size_t tabWidth = 4;
constexpr size_t widthMax = 160;    // longer lines are cut
constexpr size_t contextWidth = 60; // what is kept in front of the first label of a cut line

/// The text as shown: tabs widened, stray bytes and control characters replaced.
std::string shownText(std::string_view text) {
  std::string shown;
  for (char c : replaceInvalidUtf8(text)) {
    if (c == '\t')
      shown.append(tabWidth, ' ');
    else
      shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  }
  return shown;
}

size_t shownWidth(std::string_view text) { return characterCount(shownText(text)); }

std::string withoutTrailingSpaces(std::string text) {
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

/// The part of a line that can be shown, and where it begins in the file: of a line of thousands of
/// characters no more than some hundred around a place are looked at.
struct LinePart {
  std::string_view text;
  uint32_t begin;
};

LinePart partAround(const SourceManager &sources, FileId file, uint32_t line, uint32_t place) {
  constexpr size_t before = 1000, sizeMax = 4000; // bytes, so at least a quarter of it characters
  std::string_view text = sources.lineText(file, line);
  uint32_t begin = sources.lineBegin(file, line);
  size_t at = std::min<size_t>(std::max(place, begin) - begin, text.size());
  size_t cut = at > before ? at - before : 0;
  while (cut > 0 && (static_cast<unsigned char>(text[cut]) & 0xC0) == 0x80)
    --cut;
  std::string_view rest = text.substr(cut, sizeMax);
  while (cut + rest.size() < text.size() &&
         (static_cast<unsigned char>(text[cut + rest.size()]) & 0xC0) == 0x80)
    rest.remove_suffix(1);
  return {rest, begin + static_cast<uint32_t>(cut)};
}

/// Characters [begin, begin + width) of a shown text, with `...` where something is left out.
std::string cutText(const std::string &text, size_t begin, size_t width) {
  std::string result = begin > 0 ? "..." : "";
  size_t column = 0;
  size_t i = 0;
  for (; i < text.size() && column < begin + width; i += characterLength(text, i), ++column)
    if (column >= begin + (begin > 0 ? 3 : 0)) result += text.substr(i, characterLength(text, i));
  return i < text.size() ? result + "..." : result;
}

/// A label in screen columns.
struct Underline {
  size_t begin;
  size_t end;
  const Label *label;
};

void drawAt(std::string &row, size_t column, std::string_view text) {
  if (row.size() < column) row.resize(column, ' ');
  row.resize(std::max(row.size(), column + text.size()), ' ');
  row.replace(column, text.size(), text);
}

std::vector<Underline> placeLabels(const LinePart &part, const std::vector<Label> &labels) {
  std::string_view text = part.text;
  uint32_t lineBegin = part.begin;
  std::vector<Underline> underlines;
  for (const Label &label : labels) {
    size_t begin = std::min<size_t>(label.span.begin - lineBegin, text.size());
    size_t end = std::max(begin, std::min<size_t>(label.span.end - lineBegin, text.size()));
    size_t column = shownWidth(text.substr(0, begin));
    size_t width = std::max<size_t>(1, shownWidth(text.substr(begin, end - begin)));
    underlines.push_back({column, column + width, &label});
  }
  std::sort(underlines.begin(), underlines.end(), [](const Underline &a, const Underline &b) {
    return std::make_pair(a.begin, a.label) < std::make_pair(b.begin, b.label);
  });
  return underlines;
}

/// The row of `^` and `-`, where a primary underline hides a secondary one.
std::string drawUnderlines(const std::vector<Underline> &underlines) {
  std::string row;
  for (bool isPrimary : {false, true})
    for (const Underline &underline : underlines)
      if (underline.label->isPrimary == isPrimary)
        drawAt(row, underline.begin,
               std::string(underline.end - underline.begin, isPrimary ? '^' : '-'));
  return row;
}

/// Appends the rows under a source line.
void drawLabels(const std::vector<Underline> &underlines, std::vector<std::string> &rows) {
  std::string row = drawUnderlines(underlines);
  std::vector<Underline> hanging;
  for (const Underline &underline : underlines)
    if (!underline.label->text.empty()) hanging.push_back(underline);
  // A text stands behind the row only if its underline is the last thing in the row.
  if (!hanging.empty() && hanging.back().end == row.size()) {
    row += " " + hanging.back().label->text;
    hanging.pop_back();
  }
  rows.push_back(row);
  auto bars = [&] {
    std::string barRow;
    for (const Underline &underline : hanging)
      drawAt(barRow, underline.begin, "|");
    return barRow;
  };
  if (!hanging.empty()) rows.push_back(bars());
  while (!hanging.empty()) {
    Underline last = hanging.back();
    hanging.pop_back();
    std::string textRow = bars();
    // Two labels of the same column share a bar, so the second text goes a row further down.
    if (textRow.size() > last.begin) textRow.resize(last.begin);
    drawAt(textRow, last.begin, last.label->text);
    rows.push_back(textRow);
  }
}

} // namespace

std::vector<std::string> drawLine(const SourceManager &sources, FileId file, uint32_t line,
                                  const std::vector<Label> &labels) {
  uint32_t place = labels.empty() ? 0 : ~0u;
  for (const Label &label : labels)
    place = std::min(place, label.span.begin);
  LinePart part = partAround(sources, file, line, place);
  std::vector<Underline> underlines = placeLabels(part, labels);
  std::string text = shownText(part.text);
  if (characterCount(text) > widthMax) {
    size_t first = underlines.empty() ? 0 : underlines.front().begin;
    size_t cut = first > contextWidth ? first - contextWidth : 0;
    text = cutText(text, cut, widthMax);
    for (Underline &underline : underlines) {
      underline.begin = std::min(underline.begin - cut, widthMax);
      underline.end = std::min(std::max(underline.end - cut, underline.begin + 1), widthMax + 1);
    }
  }
  std::vector<std::string> rows = {withoutTrailingSpaces(text)};
  if (!underlines.empty()) drawLabels(underlines, rows);
  return rows;
}

std::vector<std::string> drawEdit(const SourceManager &sources, Span span,
                                  const std::string &replacement) {
  uint32_t line = sources.position(span.file, span.begin).line;
  LinePart part = partAround(sources, span.file, line, span.begin);
  std::string_view text = part.text;
  uint32_t lineBegin = part.begin;
  size_t begin = std::min<size_t>(span.begin - lineBegin, text.size());
  size_t end = std::max(begin, std::min<size_t>(span.end - lineBegin, text.size()));
  std::string before = shownText(text.substr(0, begin));
  std::string inserted = shownText(replacement.substr(0, replacement.find('\n')));
  std::string after = shownText(text.substr(end));
  if (replacement.find('\n') != std::string::npos) after = " ...";
  std::string edited = before + inserted + after;
  size_t column = characterCount(before);
  size_t cut = 0;
  if (characterCount(edited) > widthMax) {
    cut = column > contextWidth ? column - contextWidth : 0;
    edited = cutText(edited, cut, widthMax);
  }
  std::vector<std::string> rows = {withoutTrailingSpaces(edited)};
  size_t width = std::min(characterCount(inserted), widthMax);
  if (width > 0) rows.push_back(std::string(column - cut, ' ') + std::string(width, '~'));
  return rows;
}

} // namespace dlm
