// Writes tokens by recursion over the grammar, and then something between each two of them.

#include "test/format/RandomText.h"

#include <array>
#include <cctype>
#include <vector>

namespace dlm {

namespace {

class TextMaker {
public:
  explicit TextMaker(std::mt19937 &random) : random(random) {}

  std::string run() {
    isLong = oneOf(3);
    for (size_t count = 1 + pick(3); count > 0; --count) {
      declaration();
      end();
    }
    return spaced();
  }

private:
  size_t pick(size_t count) { return random() % count; }
  bool oneOf(size_t count) { return pick(count) == 0; }
  void put(const std::string &token) { tokens.push_back(token); }
  void put(std::initializer_list<const char *> words) {
    for (const char *word : words)
      put(word);
  }
  /// Ends a statement.
  void end() { put(oneOf(5) ? ";" : "\n"); }

  void name() {
    static const std::array names = {"a", "b", "model", "option", "next", "of", "as", "use", "x1"};
    std::string word = names[pick(names.size())];
    put(isLong && oneOf(3) ? word + std::string(pick(40), '_') : word);
  }

  /// `count` times what `part` writes, with commas between, and maybe one behind.
  template <typename Part> void list(size_t count, bool takesComma, Part part) {
    for (size_t i = 0; i < count; ++i) {
      if (i > 0) put(",");
      part();
    }
    if (takesComma && count > 0 && oneOf(4)) put(",");
  }

  void block(size_t depth) {
    put("{");
    for (size_t count = pick(3) + (depth == 0 ? 1 : 0); count > 0; --count) {
      statement(depth + 1);
      if (count > 1) end();
    }
    put("}");
  }

  void statement(size_t depth) {
    switch (pick(8)) {
    case 0:
    case 1:
      return letBinding(depth);
    case 2:
      put("next");
      name();
      put("=");
      return expression(depth);
    case 3:
      put(oneOf(2) ? "require" : "expect");
      expression(depth);
      if (oneOf(2)) put({",", "\"words\""});
      return;
    default:
      return expression(depth);
    }
  }

  void letBinding(size_t depth) {
    put("let");
    if (oneOf(5)) {
      put("(");
      list(2, false, [&] { name(); });
      put(")");
    } else {
      name();
    }
    if (oneOf(4)) {
      put(":");
      type(depth);
    }
    put("=");
    expression(depth);
  }

  void type(size_t depth) {
    size_t kind = depth > 3 ? 0 : pick(6);
    if (kind == 1) {
      put("(");
      list(1 + pick(3), true, [&] {
        name();
        put(":");
        type(depth + 1);
      });
      put(")");
    } else if (kind == 2) {
      put("[");
      type(depth + 1);
      put("]");
    } else if (kind == 3) {
      put({"fn", "("});
      list(pick(3), false, [&] { type(depth + 1); });
      put({")", "->"});
      type(depth + 1);
    } else {
      name();
      if (oneOf(2)) {
        put("[");
        list(pick(3), false, [&] { oneOf(3) ? put("...") : expression(4); });
        put("]");
      }
      if (oneOf(4)) put("?");
    }
  }

  void parameters(size_t depth) {
    put("(");
    list(pick(4), true, [&] {
      name();
      if (oneOf(2)) {
        put(":");
        type(depth + 1);
      }
      if (oneOf(4)) {
        put("=");
        expression(depth + 2);
      }
    });
    put(")");
  }

  void signature(size_t depth) {
    parameters(depth);
    if (!oneOf(4)) return;
    put("->");
    type(depth + 1);
  }

  void expression(size_t depth) {
    size_t kind = depth > 4 ? 0 : pick(8);
    if (kind < 3) {
      operand(depth);
    } else if (kind == 3) {
      put(oneOf(2) ? "-" : "not");
      expression(depth + 1);
    } else if (kind == 4) {
      postfixes(depth);
    } else {
      static const std::array operators = {"+",  "-",  "*",  "/", "@",  "**", "and",
                                           "or", "|>", "==", "<", "in", "..", "%"};
      size_t longChain = isLong && oneOf(4) ? 30 : 3;
      operand(depth + 1);
      const char *same = operators[pick(operators.size())];
      for (size_t count = 1 + pick(longChain); count > 0; --count) {
        put(longChain > 3 || oneOf(2) ? same : operators[pick(operators.size())]);
        operand(depth + 1);
      }
    }
  }

  /// A chain such as `x[0].a(1)`.
  void postfixes(size_t depth) {
    operand(depth + 3);
    bool isUniform = oneOf(2);
    size_t kind = pick(3);
    for (size_t count = 1 + pick(isLong ? 60 : 3); count > 0; --count) {
      if (!isUniform) kind = pick(3);
      if (kind == 0) {
        put(".");
        name();
      } else if (kind == 1) {
        put("[");
        list(1 + pick(2), true, [&] { index(depth + (isLong ? 4 : 2)); });
        put("]");
      } else {
        arguments(depth + (isLong ? 4 : 2));
      }
    }
  }

  void index(size_t depth) {
    if (oneOf(8)) return put("...");
    bool hasBegin = !oneOf(4);
    if (hasBegin) expression(depth);
    if (hasBegin && oneOf(2)) return;
    put(":");
    if (oneOf(2)) expression(depth);
  }

  void arguments(size_t depth) {
    put("(");
    list(pick(4), true, [&] {
      if (oneOf(3)) {
        name();
        put("=");
      }
      expression(depth + 1);
    });
    put(")");
  }

  void operand(size_t depth) {
    static const std::array literals = {"1",     "2.5",  "\"text\"", "10%",
                                        "30min", "true", "none",     "0"};
    switch (depth > 4 ? pick(5) : pick(9)) {
    case 0:
    case 1:
      return put(literals[pick(literals.size())]);
    case 5:
      return arguments(depth + 1);
    case 6:
      put("[");
      list(pick(isLong ? 40 : 4), true,
           [&] { isLong || oneOf(3) ? put("1") : expression(depth + 2); });
      return put("]");
    case 7:
      return choice(depth);
    case 8:
      return oneOf(2) ? function(depth) : comprehension(depth);
    default:
      return name();
    }
  }

  void choice(size_t depth) {
    put("if");
    expression(depth + 1);
    block(depth + 1);
    if (oneOf(3)) return;
    put("else");
    oneOf(3) ? choice(depth + 1) : block(depth + 1);
  }

  void function(size_t depth) {
    put("fn");
    signature(depth + 1);
    block(depth + 1);
  }

  void comprehension(size_t depth) {
    put("[");
    expression(depth + 2);
    for (size_t count = 1 + pick(2); count > 0; --count) {
      put("for");
      name();
      put("in");
      expression(depth + 2);
    }
    if (oneOf(3)) {
      put("if");
      expression(depth + 2);
    }
    put("]");
  }

  void path() {
    list(1, false, [&] { name(); });
    for (size_t count = pick(3); count > 0; --count) {
      put(".");
      name();
    }
  }

  void declaration() {
    switch (pick(9)) {
    case 0:
      put("use");
      return list(1 + pick(isLong ? 12 : 4), false, [&] {
        path();
        if (!oneOf(3)) return;
        put("as");
        name();
      });
    case 1:
      put("option");
      name();
      put("=");
      return expression(0);
    case 2:
      put("model");
      name();
      parameters(0);
      return members();
    case 3:
      put("optimizer");
      name();
      parameters(0);
      put("for");
      name();
      return members();
    case 4:
      put({"train", "t"});
      return items(0);
    case 5:
      put({oneOf(2) ? "search" : "export", "s", "of", "t"});
      return items(0);
    case 6:
      put({"test", "\"it works\""});
      return block(0);
    case 7:
      put("fn");
      name();
      signature(0);
      return block(0);
    default:
      return letBinding(0);
    }
  }

  void members() {
    put("{");
    for (size_t count = pick(4); count > 0; --count) {
      if (oneOf(3)) {
        letBinding(1);
      } else if (oneOf(3)) {
        put("fn");
        name();
        signature(1);
        block(1);
      } else {
        static const std::array kinds = {"param", "buffer", "state"};
        put(kinds[pick(kinds.size())]);
        name();
        put(":");
        type(1);
        if (oneOf(2)) {
          put("=");
          expression(2);
        }
      }
      end();
    }
    put("}");
  }

  void items(size_t depth) {
    put("{");
    for (size_t count = pick(4); count > 0; --count) {
      switch (pick(6)) {
      case 0:
        letBinding(depth + 1);
        break;
      case 1:
        put("fn");
        name();
        signature(1);
        block(depth + 1);
        break;
      case 2:
        put({"update", "u"});
        items(depth + 1);
        break;
      case 3:
        put("command");
        name();
        signature(1);
        block(depth + 1);
        break;
      default:
        name();
        put("=");
        expression(depth + 1);
      }
      end();
    }
    put("}");
  }

  // What stands between the tokens.

  static bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

  /// Whether two tokens may touch: they stay two.
  static bool mayTouch(const std::string &before, const std::string &after) {
    bool isPunctuation = std::string(",;()[]{}\n").find(before.back()) != std::string::npos ||
                         std::string(",;()[]{}\n").find(after[0]) != std::string::npos;
    return isPunctuation || isWord(before.back()) != isWord(after[0]);
  }

  std::string gap(const std::string &before, const std::string &after) {
    static const std::array rare = {
        "\n",         "\n\n",           "\n// own\n", "\n\n\n// far\n\n", " // behind\n", "   ",
        " /// doc\n", "\n/// above\n",  "\t",         "\n  \n",           "// a\n// b\n", "\n    ",
        "\r\n",       "\n/// a\n// b\n"};
    if (oneOf(rarity)) return rare[pick(rare.size())];
    return mayTouch(before, after) && oneOf(3) ? "" : " ";
  }

  std::string spaced() {
    rarity = 3 + pick(60);
    std::string text;
    for (size_t i = 0; i < tokens.size(); ++i) {
      if (i > 0) text += gap(tokens[i - 1], tokens[i]);
      text += tokens[i];
    }
    return text + (oneOf(8) ? "" : "\n");
  }

  std::mt19937 &random;
  std::vector<std::string> tokens;
  bool isLong = false;
  size_t rarity = 10; // of line ends and comments
};

} // namespace

std::string randomText(std::mt19937 &random) { return TextMaker(random).run(); }

} // namespace dlm
