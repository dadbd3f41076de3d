// Decides from the outside in which lines break. A sequence that fits on the rest of its line stays
// there. Otherwise it breaks at its loosest operators, all of them; a part without operators breaks
// the last bracket in front of the place where the line gets too long. What the author broke stays
// broken. Every decision looks at each item once or twice, so the time is about linear.

#include "compiler/format/Layout.h"

#include "compiler/format/OutputLines.h"
#include "grammar/DlmLexer.h"

#include <algorithm>

namespace dlm::format {

using grammar::DlmLexer;

namespace {

constexpr size_t step = 2; // of indentation

/// Items [begin, end) of a sequence, and what must fit behind them.
struct Range {
  const Sequence *sequence;
  size_t begin;
  size_t end;
  size_t tail = 0;         // columns that follow on the last line
  size_t continuation = 0; // indentation of further lines
};

class Printer {
public:
  explicit Printer(const LayoutTree &tree) : tree(tree) {}

  std::string run() {
    printStatements(tree.file, 0);
    return out.text();
  }

private:
  const CommentedToken &token(uint32_t index) const { return tree.tokens[index]; }
  const Bracket &bracketOf(const Item &item) const { return tree.brackets[item.bracket]; }
  bool isBlock(const Item &item) const {
    return item.bracket >= 0 && bracketOf(item).kind == BracketKind::Block;
  }

  // Statements and elements.

  void printStatements(const Bracket &block, size_t indent) {
    bool isFirst = true;
    size_t run = ++runCount;
    for (const Sequence &statement : block.elements) {
      Range range{&statement, 0, statement.items.size(), 0, indent + step};
      bool isLast = &statement == &block.elements.back();
      if (!isFirst && !isLast && staysBehind(statement)) {
        out.write("; ", 2);
        printRange(range);
        continue;
      }
      if (beginElement(statement.items.front().token, indent, isFirst)) run = ++runCount;
      printAligned(statement, run, range);
      isFirst = false;
    }
    printComments(block.close, indent, isFirst);
  }

  /// Whether a statement was written behind a `;` because no line can begin with it: it would look
  /// as if it continued the line above.
  bool staysBehind(const Sequence &statement) const {
    const CommentedToken &first = token(statement.items.front().token);
    bool isUnclear = first.type == DlmLexer::K_LPAREN || first.type == DlmLexer::K_LBRACK ||
                     first.type == DlmLexer::K_MINUS;
    return isUnclear && first.newlinesBefore == 0 && first.above.empty();
  }

  /// Prints the comments above a token, and blank lines; returns whether there were any.
  bool printComments(uint32_t index, size_t indent, bool isFirst) {
    for (const Comment &comment : token(index).above) {
      bool isApart = comment.newlinesBefore > 1 && !isFirst;
      isApart ? out.blankLine(indent) : out.newline(indent);
      out.write(comment.text, comment.text.size());
      isFirst = false;
    }
    return !token(index).above.empty();
  }

  /// Begins the line of a statement or element; returns whether a comment or a blank line parts it
  /// from the one above.
  bool beginElement(uint32_t first, size_t indent, bool isFirst) {
    bool isApart = printComments(first, indent, isFirst);
    bool isBlank = token(first).newlinesBefore > 1 && (!isFirst || isApart);
    isBlank ? out.blankLine(indent) : out.newline(indent);
    return isApart || isBlank;
  }

  /// Prints a statement or element and notes the places that can be aligned.
  void printAligned(const Sequence &sequence, size_t run, const Range &range) {
    aligned = &sequence;
    alignedLine = out.count();
    out.beginRunLine(run);
    size_t line = out.count();
    printRange(range);
    if (out.count() != line && sequence.assign < 0 && sequence.block >= 0) out.dropColumn(line);
    aligned = nullptr;
  }

  void noteColumn(const Sequence &sequence, size_t index) {
    if (&sequence != aligned || out.count() != alignedLine) return;
    const CommentedToken &here = token(sequence.items[index].token);
    if (here.newlinesBefore > 0) return;
    auto is = [&](int32_t place) { return place == static_cast<int32_t>(index); };
    if (is(sequence.name)) out.column(ColumnKind::Name, here);
    if (is(sequence.type)) out.column(ColumnKind::Type, here);
    if (is(sequence.assign) || is(sequence.block)) out.column(ColumnKind::Value, here);
  }

  // Sequences.

  void printRange(const Range &range) {
    std::vector<size_t> places = breakPlaces(range);
    if (places.empty()) return printRun(range);
    Range part = range;
    part.tail = 0;
    part.continuation = range.continuation + step;
    for (size_t place : places) {
      part.end = place;
      printRange(part);
      out.newline(range.continuation);
      part.begin = place;
    }
    part.end = range.end;
    part.tail = range.tail;
    printRange(part);
  }

  /// The items at which the range breaks: all of its loosest level if it does not fit, or else
  /// those of the loosest level at which the author broke any.
  std::vector<size_t> breakPlaces(const Range &range) {
    const std::vector<Item> &items = range.sequence->items;
    uint8_t loosest = level::never, wanted = level::never;
    bool hasBrokenBlock = false;
    for (size_t i = range.begin; i < range.end; ++i) {
      hasBrokenBlock |= isBlock(items[i]) && bracketOf(items[i]).mustBreak;
      if (i == range.begin) continue;
      loosest = std::min(loosest, items[i].breakLevel);
      if (items[i].isWanted) wanted = std::min(wanted, items[i].breakLevel);
    }
    if (loosest == level::never) return {};
    bool doesFit = fits(range);
    bool breaksAll = !doesFit && loosest < level::condition;
    // A line begins with `else` only where the blocks in front of it have one line each.
    if (!breaksAll && wanted == level::condition && (!doesFit || hasBrokenBlock)) return {};
    uint8_t chosen = breaksAll ? loosest : wanted;
    std::vector<size_t> places;
    for (size_t i = range.begin + 1; i < range.end && chosen != level::never; ++i)
      if (items[i].breakLevel == chosen && (breaksAll || items[i].isWanted)) places.push_back(i);
    return places;
  }

  /// Whether the range fits from here on if only those places and brackets break that must.
  bool fits(const Range &range) {
    const std::vector<Item> &items = range.sequence->items;
    size_t column = out.width();
    size_t indent = out.indent();
    for (size_t i = range.begin; i < range.end; ++i) {
      const Item &item = items[i];
      if (i > range.begin && (item.isForced || item.isWanted))
        column = indent = range.continuation;
      else if (i > range.begin && item.spaceBefore)
        ++column;
      if (item.bracket >= 0 && bracketOf(item).mustBreak) {
        Edges edges = edgesOf(bracketOf(item), column);
        if (column + edges.opening > widthMax) return false;
        column = indent + edges.closing;
      } else {
        column += item.width;
      }
      if (column + (i + 1 == range.end ? range.tail : 0) > widthMax) return false;
    }
    return true;
  }

  /// Which brackets of a range break, for a range that breaks at no operator. The blocks of a
  /// choice break together.
  std::vector<bool> brokenBrackets(const Range &range) {
    const std::vector<Item> &items = range.sequence->items;
    std::vector<bool> isBroken(items.size());
    bool breaksBlocks = false;
    for (size_t i = range.begin; i < range.end; ++i) {
      isBroken[i] = items[i].bracket >= 0 && bracketOf(items[i]).mustBreak;
      breaksBlocks |= isBlock(items[i]) && isBroken[i];
    }
    for (;; breaksBlocks = true) {
      for (size_t i = range.begin; i < range.end; ++i)
        if (breaksBlocks && isBlock(items[i]) && !bracketOf(items[i]).elements.empty())
          isBroken[i] = true;
      if (!breakTooLong(range, isBroken)) return isBroken;
    }
  }

  /// Where the line gets too long, marks the last bracket in front of that place as broken. Returns
  /// true as soon as that is a block, without marking it.
  bool breakTooLong(const Range &range, std::vector<bool> &isBroken) {
    const std::vector<Item> &items = range.sequence->items;
    constexpr size_t none = ~size_t(0);
    size_t column = out.width(), indent = out.indent(), candidate = none, candidateColumn = 0;
    for (size_t i = range.begin; i < range.end; ++i) {
      const Item &item = items[i];
      if (i > range.begin && item.isForced) {
        column = indent = range.continuation;
        candidate = none;
      } else if (i > range.begin && item.spaceBefore) {
        ++column;
      }
      size_t begin = column;
      size_t needed = 0; // up to the end of the line
      if (isBroken[i]) {
        Edges edges = edgesOf(bracketOf(item), column);
        needed = column + edges.opening;
        column = indent + edges.closing;
      } else {
        needed = column += item.width;
        bool canBreak = item.bracket >= 0 && !bracketOf(item).elements.empty();
        bool isBetter = begin < widthMax && !item.isResult; // parameters break, not the result
        if (canBreak && (candidate == none || isBetter)) {
          candidate = i;
          candidateColumn = begin;
        }
      }
      if (i + 1 == range.end) needed = std::max(needed, column + range.tail);
      bool isTooLong = needed > widthMax && candidate != none;
      if (isTooLong && isBlock(items[candidate])) return true;
      if (isTooLong) {
        isBroken[candidate] = true;
        column = indent + edgesOf(bracketOf(items[candidate]), candidateColumn).closing;
        i = candidate; // and on with the item behind it
      }
      if (isBroken[i]) candidate = none;
    }
    return false;
  }

  void printRun(const Range &range) {
    const std::vector<Item> &items = range.sequence->items;
    std::vector<bool> isBroken = brokenBrackets(range);
    for (size_t i = range.begin; i < range.end; ++i) {
      const Item &item = items[i];
      if (i > 0) printForcedBreak(item, range.continuation);
      if (i > range.begin && item.spaceBefore && out.hasBegun()) out.space();
      noteColumn(*range.sequence, i);
      if (item.bracket < 0)
        printToken(item.token);
      else if (isBroken[i])
        printBroken(bracketOf(item));
      else
        printFlat(bracketOf(item));
      if (item.bracket >= 0) printBehind(bracketOf(item).close);
    }
  }

  /// Begins a new line if a comment stands in front of the item, and prints what stands above it.
  void printForcedBreak(const Item &item, size_t continuation) {
    if (!item.isForced) return;
    size_t indent = out.hasBegun() ? continuation : out.indent();
    out.newline(indent);
    for (const Comment &comment : token(item.token).above) {
      out.write(comment.text, comment.text.size());
      out.newline(indent);
    }
  }

  void printToken(uint32_t index) {
    out.write(token(index).text, token(index).width);
    printBehind(index);
  }

  void printBehind(uint32_t index) {
    for (const Comment &comment : token(index).behind)
      out.comment(comment);
  }

  // Brackets.

  /// The widths of what a broken bracket leaves on its first and its last line.
  struct Edges {
    size_t opening = 1;
    size_t closing = 1;
    bool hugs = false; // the first and last lines are those of its last element's bracket
  };

  Edges edgesOf(const Bracket &bracket, size_t column) {
    if (!mayHug(bracket)) return {};
    const Sequence &last = bracket.elements.back();
    const Bracket &inner = bracketOf(last.items.back());
    size_t before = 1 + last.width - inner.width;
    for (size_t i = 0; i + 1 < bracket.elements.size(); ++i)
      before += bracket.elements[i].width + 2;
    Edges edges = edgesOf(inner, column + before);
    if (column + before + edges.opening > widthMax) return {};
    return {before + edges.opening, edges.closing + 1, true};
  }

  /// Whether nothing of a bracket need break but the bracket at the end of its last element.
  bool mayHug(const Bracket &bracket) {
    if (bracket.kind == BracketKind::Block || bracket.elements.empty()) return false;
    if (bracket.isBrokenByAuthor || bracket.hasComment || bracket.keepsComma) return false;
    const Sequence &last = bracket.elements.back();
    const Item &end = last.items.back();
    if (last.hasOperators || end.bracket < 0 || bracketOf(end).elements.empty()) return false;
    for (size_t i = 0; i + 1 < bracket.elements.size(); ++i)
      if (bracket.elements[i].mustBreak) return false;
    for (size_t i = 0; i + 1 < last.items.size(); ++i)
      if (isBlock(last.items[i]) ||
          (last.items[i].bracket >= 0 && bracketOf(last.items[i]).mustBreak))
        return false;
    bool isLongerThanLine =
        bracket.elements.size() == 1 && out.indent() + step + last.width > widthMax;
    return bracketOf(end).mustBreak || isBlock(end) || isLongerThanLine;
  }

  void printFlat(const Bracket &bracket) {
    bool isPadded = bracket.kind == BracketKind::Block && !bracket.elements.empty();
    printToken(bracket.open);
    if (isPadded) out.space();
    for (const Sequence &element : bracket.elements) {
      if (&element != &bracket.elements.front())
        out.write(bracket.kind == BracketKind::Block ? "; " : ", ", 2);
      printFlat(element, element.items.size());
    }
    if (bracket.keepsComma) out.write(",", 1);
    if (isPadded) out.space();
    out.write(token(bracket.close).text, 1);
  }

  void printFlat(const Sequence &sequence, size_t end) {
    for (size_t i = 0; i < end; ++i) {
      const Item &item = sequence.items[i];
      if (item.spaceBefore) out.space();
      item.bracket < 0 ? printToken(item.token) : printFlat(bracketOf(item));
    }
  }

  void printBroken(const Bracket &bracket) {
    size_t base = out.indent();
    bool hugs = edgesOf(bracket, out.width()).hugs;
    printToken(bracket.open);
    if (hugs) {
      printHugging(bracket);
    } else {
      if (bracket.kind == BracketKind::Block)
        printStatements(bracket, base + step);
      else if (bracket.isFilled)
        printFilled(bracket, base + step);
      else
        printElements(bracket, base + step);
      out.newline(base);
    }
    out.write(token(bracket.close).text, 1);
  }

  void printHugging(const Bracket &bracket) {
    for (const Sequence &element : bracket.elements) {
      bool isLast = &element == &bracket.elements.back();
      printFlat(element, element.items.size() - (isLast ? 1 : 0));
      if (!isLast) out.write(", ", 2);
    }
    const Item &inner = bracket.elements.back().items.back();
    if (inner.spaceBefore) out.space();
    printBroken(bracketOf(inner));
  }

  void printFilled(const Bracket &bracket, size_t indent) {
    out.newline(indent);
    for (const Sequence &element : bracket.elements) {
      bool isFirst = &element == &bracket.elements.front();
      if (!isFirst && out.width() + 2 + element.width > widthMax)
        out.newline(indent);
      else if (!isFirst)
        out.space();
      printFlat(element, element.items.size());
      if (bracket.takesComma || &element != &bracket.elements.back()) out.write(",", 1);
    }
  }

  void printElements(const Bracket &bracket, size_t indent) {
    size_t run = ++runCount;
    size_t count = bracket.elements.size();
    for (const Sequence &element : bracket.elements) {
      bool isFirst = &element == &bracket.elements.front();
      bool isLast = &element == &bracket.elements.back();
      if (beginElement(element.items.front().token, indent, isFirst)) run = ++runCount;
      size_t continuation = indent + (count > 1 ? step : 0);
      printAligned(element, run, {&element, 0, element.items.size(), 1, continuation});
      bool hasComma = !isLast || (bracket.takesComma && count > 1) || bracket.keepsComma;
      if (hasComma) out.write(",", 1);
    }
    printComments(bracket.close, indent, bracket.elements.empty());
  }

  const LayoutTree &tree;
  OutputLines out;
  size_t runCount = 0;
  const Sequence *aligned = nullptr;
  size_t alignedLine = 0;
};

} // namespace

std::string layOut(const LayoutTree &tree) { return Printer(tree).run(); }

} // namespace dlm::format
