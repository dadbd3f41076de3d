// Reads tokens by recursion over brackets, whose depth the parser has limited.

#include "compiler/format/LayoutTree.h"

#include "compiler/syntax/TokenTraits.h"
#include "grammar/DlmLexer.h"

namespace dlm::format {

using grammar::DlmLexer;

namespace {

uint8_t levelOf(size_t type) {
  switch (type) {
  case DlmLexer::K_PIPE:
    return level::pipe;
  case DlmLexer::K_OR:
    return level::either;
  case DlmLexer::K_AND:
    return level::both;
  case DlmLexer::K_EQ:
  case DlmLexer::K_NE:
  case DlmLexer::K_LT:
  case DlmLexer::K_LE:
  case DlmLexer::K_GT:
  case DlmLexer::K_GE:
  case DlmLexer::K_IN:
    return level::comparison;
  case DlmLexer::K_PLUS:
  case DlmLexer::K_MINUS:
    return level::sum;
  case DlmLexer::K_STAR:
  case DlmLexer::K_SLASH:
  case DlmLexer::K_MOD:
  case DlmLexer::K_AT:
    return level::product;
  default:
    return level::never;
  }
}

bool isPlainLiteral(size_t type) {
  return type == DlmLexer::K_NUMBER || type == DlmLexer::K_STRING || type == DlmLexer::K_PERCENT ||
         type == DlmLexer::K_QUANTITY || type == DlmLexer::K_MINUS;
}

/// Whether two tokens, of which none is a sign and no slice is near, stand without a space.
bool touches(size_t before, size_t type) {
  switch (before) {
  case DlmLexer::K_DOT:
  case DlmLexer::K_DOTDOT:
  case DlmLexer::K_ELLIPSIS:
    return true;
  default:
    break;
  }
  switch (type) {
  case DlmLexer::K_COMMA:
  case DlmLexer::K_DOT:
  case DlmLexer::K_DOTDOT:
  case DlmLexer::K_QUESTION:
  case DlmLexer::K_COLON:
    return true;
  case DlmLexer::K_LPAREN:
    return endsExpression(before) || before == DlmLexer::K_FN;
  case DlmLexer::K_LBRACK:
    return endsExpression(before);
  default:
    return false;
  }
}

class TreeBuilder {
public:
  explicit TreeBuilder(std::vector<CommentedToken> tokens) { tree.tokens = std::move(tokens); }

  LayoutTree run() {
    tree.file.kind = BracketKind::Block;
    readElements(tree.file, /*isType=*/false);
    return std::move(tree);
  }

private:
  /// What is known while a sequence is read.
  struct Reading {
    Sequence sequence;
    BracketKind around;
    bool isType = false;      // the tokens are those of a type
    bool isResult = false;    // which stands behind a `->`
    bool inCondition = false; // between `if` and `{`
    bool isClause = false;    // between `for` and its `in`
    bool afterSign = false;
    size_t previous = DlmLexer::K_SEP;
    std::vector<uint8_t> operators; // the level of each item that is one
  };

  const CommentedToken &token(size_t index) const { return tree.tokens[index]; }

  void readElements(Bracket &bracket, bool isType) {
    size_t separator =
        bracket.kind == BracketKind::Block ? size_t(DlmLexer::K_SEP) : size_t(DlmLexer::K_COMMA);
    bool endsWithComma = false;
    while (!isClosingBracket(token(at).type) && token(at).type != antlr4::Token::EOF) {
      bracket.elements.push_back(readSequence(bracket.kind, isType));
      endsWithComma = token(at).type == separator;
      if (endsWithComma) ++at;
    }
    bracket.close = static_cast<uint32_t>(at);
    bracket.keepsComma =
        endsWithComma && bracket.elements.size() == 1 && bracket.kind != BracketKind::Block;
    measure(bracket);
  }

  int32_t readBracket(size_t before, bool isType) {
    Bracket bracket;
    bracket.open = static_cast<uint32_t>(at);
    size_t type = token(at++).type;
    bracket.kind = type == DlmLexer::K_LPAREN   ? BracketKind::Paren
                   : type == DlmLexer::K_LBRACK ? BracketKind::List
                                                : BracketKind::Block;
    readElements(bracket, isType && bracket.kind != BracketKind::Block);
    ++at;
    bool isPattern = before == DlmLexer::K_LET || before == DlmLexer::K_FOR;
    if (bracket.kind == BracketKind::Paren)
      bracket.takesComma = !isPattern && !(isType && before == DlmLexer::K_FN);
    else
      bracket.takesComma = bracket.kind == BracketKind::List && !isType;
    tree.brackets.push_back(std::move(bracket));
    return static_cast<int32_t>(tree.brackets.size() - 1);
  }

  Sequence readSequence(BracketKind around, bool isType) {
    Reading reading;
    reading.around = around;
    reading.isType = isType;
    for (;;) {
      size_t type = token(at).type;
      bool isEnd = type == DlmLexer::K_SEP || type == antlr4::Token::EOF ||
                   isClosingBracket(type) ||
                   (type == DlmLexer::K_COMMA && around != BracketKind::Block);
      if (isEnd) break;
      readItem(reading);
    }
    placeBreaks(reading);
    Sequence &sequence = reading.sequence;
    for (const Item &item : sequence.items) {
      sequence.width += item.width + (item.spaceBefore ? 1 : 0);
      sequence.hasOperators |= item.breakLevel < level::condition;
    }
    return std::move(sequence);
  }

  void readItem(Reading &reading) {
    Sequence &sequence = reading.sequence;
    const CommentedToken &here = token(at);
    size_t type = here.type;
    Item item;
    item.token = static_cast<uint32_t>(at);
    item.width = here.width;
    auto index = static_cast<int32_t>(sequence.items.size());
    item.spaceBefore = index > 0 && needsSpace(reading, type);
    item.isResult = reading.isResult && type != DlmLexer::K_LBRACE;
    bool followsOperand = index > 0 && endsExpression(reading.previous);
    item.isForced = index > 0 && (!here.above.empty() || endsLine(sequence.items.back()));
    sequence.hasComment |= !here.above.empty();
    reading.operators.push_back(operatorLevel(reading, type, followsOperand));
    noteColumns(reading, index, type);
    reading.afterSign = type == DlmLexer::K_MINUS && !followsOperand;
    if (type == DlmLexer::K_ASSIGN || type == DlmLexer::K_LBRACE) reading.isType = false;
    if (type == DlmLexer::K_ARROW) reading.isType = reading.isResult = true;
    if (type == DlmLexer::K_LBRACE) reading.isResult = false;
    if (type == DlmLexer::K_COLON && reading.around != BracketKind::List) reading.isType = true;
    if (isOpeningBracket(type)) {
      item.bracket = readBracket(reading.previous, reading.isType);
      const Bracket &bracket = tree.brackets[item.bracket];
      item.width = bracket.width;
      sequence.mustBreak |= bracket.mustBreak;
      sequence.hasComment |= !token(bracket.close).behind.empty();
      reading.previous = token(bracket.close).type;
    } else {
      sequence.hasComment |= !here.behind.empty();
      reading.previous = type;
      ++at;
    }
    sequence.items.push_back(item);
  }

  bool endsLine(const Item &item) const {
    uint32_t last = item.bracket < 0 ? item.token : tree.brackets[item.bracket].close;
    return !token(last).behind.empty();
  }

  static bool needsSpace(const Reading &reading, size_t type) {
    if (reading.afterSign) return false;
    if (reading.previous == DlmLexer::K_COLON && reading.around == BracketKind::List) return false;
    return !touches(reading.previous, type);
  }

  /// The level of a token that parts operands; also keeps track of `if` and `for`.
  static uint8_t operatorLevel(Reading &reading, size_t type, bool followsOperand) {
    bool isClause = reading.around == BracketKind::List && followsOperand;
    switch (type) {
    case DlmLexer::K_FOR:
      reading.isClause = true;
      return isClause ? level::clause : level::never;
    case DlmLexer::K_IF:
      if (isClause) return level::clause;
      reading.inCondition = true;
      return level::never;
    case DlmLexer::K_LBRACE:
      reading.inCondition = false;
      return level::never;
    case DlmLexer::K_ELSE:
      return level::condition;
    case DlmLexer::K_COMMA:
      return level::comma;
    case DlmLexer::K_IN:
      if (!reading.isClause) break;
      reading.isClause = false;
      return level::never;
    default:
      break;
    }
    uint8_t result = followsOperand ? levelOf(type) : level::never;
    if (result == level::never) return result;
    return result + (reading.inCondition ? level::condition : 0);
  }

  /// Remembers the places that are aligned with those of the statement above.
  static void noteColumns(Reading &reading, int32_t index, size_t type) {
    Sequence &sequence = reading.sequence;
    if (index == 1 && isNameToken(type) &&
        (reading.previous == DlmLexer::K_LET || isNameToken(reading.previous)))
      sequence.name = index;
    bool isTypeColon = reading.previous == DlmLexer::K_COLON && sequence.assign < 0;
    if (isTypeColon && sequence.type < 0 && reading.around != BracketKind::List)
      sequence.type = index;
    if ((type == DlmLexer::K_ASSIGN || type == DlmLexer::K_FATARROW) && sequence.assign < 0)
      sequence.assign = index;
    if (type == DlmLexer::K_LBRACE && sequence.assign < 0 && sequence.block < 0)
      sequence.block = index;
  }

  /// A line breaks before an operator. Outside of brackets no line can begin with `-`, so there a
  /// chain with a `-` in it breaks behind its operators.
  void placeBreaks(Reading &reading) {
    std::vector<Item> &items = reading.sequence.items;
    std::vector<size_t> chain; // the `+` and `-` that follow each other
    auto endChain = [&] {
      bool isBehind = false;
      for (size_t i : chain)
        isBehind |= token(items[i].token).type == DlmLexer::K_MINUS;
      for (size_t i : chain)
        placeBreak(items, i, reading.operators[i], isBehind);
      chain.clear();
    };
    for (size_t i = 0; i < items.size(); ++i) {
      uint8_t here = reading.operators[i];
      if (here == level::never) continue;
      bool isSum = here == level::sum || here == level::sum + level::condition;
      if (isSum && reading.around == BracketKind::Block) {
        if (!chain.empty() && reading.operators[chain.back()] != here) endChain();
        chain.push_back(i);
        continue;
      }
      if (!chain.empty() && here < reading.operators[chain.back()]) endChain();
      placeBreak(items, i, here, here == level::comma);
    }
    endChain();
  }

  void placeBreak(std::vector<Item> &items, size_t index, uint8_t breakLevel, bool isBehind) {
    size_t place = isBehind ? index + 1 : index;
    if (place >= items.size()) return;
    size_t after =
        place + 1 < items.size() ? token(items[place + 1].token).type : size_t(DlmLexer::K_SEP);
    if (beginsStatementOnly(token(items[place].token).type, after)) return; // as `model as m`
    items[place].breakLevel = breakLevel;
    items[place].isWanted =
        token(items[index].token).newlinesBefore > 0 ||
        (index + 1 < items.size() && token(items[index + 1].token).newlinesBefore > 0 &&
         breakLevel != level::condition);
  }

  void measure(Bracket &bracket) {
    bool isBlock = bracket.kind == BracketKind::Block;
    bracket.width = 2 + (isBlock && !bracket.elements.empty() ? 2 : 0);
    bracket.hasComment = !token(bracket.open).behind.empty() || !token(bracket.close).above.empty();
    bracket.isFilled = bracket.kind == BracketKind::List && bracket.elements.size() > 1;
    for (const Sequence &element : bracket.elements) {
      bracket.width += element.width + (&element == &bracket.elements.front() ? 0 : 2);
      bracket.hasComment |= element.hasComment;
      bracket.mustBreak |= element.mustBreak;
      const Item &first = element.items.front();
      bracket.isBrokenByAuthor |= token(first.token).newlinesBefore > 0 &&
                                  (isBlock || &element == &bracket.elements.front());
      bracket.isFilled &= element.items.size() <= 2;
      for (const Item &item : element.items)
        bracket.isFilled &= item.bracket < 0 && isPlainLiteral(token(item.token).type);
    }
    bracket.width += bracket.keepsComma ? 1 : 0;
    bracket.isFilled &= !bracket.hasComment;
    bracket.isBrokenByAuthor |=
        isBlock && !bracket.elements.empty() && token(bracket.close).newlinesBefore > 0;
    bracket.mustBreak |= bracket.isBrokenByAuthor || bracket.hasComment;
  }

  LayoutTree tree;
  size_t at = 0;
};

} // namespace

LayoutTree buildLayoutTree(std::vector<CommentedToken> tokens) {
  return TreeBuilder(std::move(tokens)).run();
}

} // namespace dlm::format
