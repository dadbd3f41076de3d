// The sides of a comparison are nodes of a graph; what is linear in one option is read off them.
#include "compiler/sema/evaluate/OpenConditions.h"

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/RefusedOptions.h"

#include <algorithm>
#include <map>
#include <set>

namespace dlm::sema {

namespace {

/// `factor * option + offset`; a plain number if there is no option.
struct Linear {
  std::string option;
  Number factor = Number::whole(0);
  Number offset = Number::whole(0);
};

Number exactOf(double value) {
  bool isWhole = value == double(int64_t(value)) && value < 1e15 && value > -1e15;
  return isWhole ? Number::whole(int64_t(value)) : Number::fromReal(value);
}

class LinearReader {
public:
  explicit LinearReader(const Graph &graph) : graph(graph) {}

  std::optional<Linear> read(NodeId id, int depth = 0) const {
    constexpr int depthMax = 64; // longer formulas are no range
    const Node &node = graph.nodes[id];
    if (depth > depthMax || !node.type.dims.empty()) return std::nullopt;
    if (node.op == "option") return Linear{node.text, Number::whole(1)};
    if (node.op == "constant") return Linear{"", Number::whole(0), exactOf(node.number)};
    std::optional<Linear> a, b;
    if (!node.operands.empty()) a = read(node.operands[0], depth + 1);
    if (node.operands.size() > 1) b = read(node.operands[1], depth + 1);
    if (!a || (node.operands.size() > 1 && !b)) return std::nullopt;
    bool isToReal = node.op == "cast" && node.type.dtype == DType::F32;
    if (isToReal) return a;
    if (node.op == "neg") return scaled(*a, Number::whole(-1));
    if (node.op == "add") return sum(*a, *b);
    if (node.op == "sub") return sum(*a, scaled(*b, Number::whole(-1)));
    if (node.op == "mul" && a->option.empty()) return scaled(*b, a->offset);
    if (node.op == "mul" && b->option.empty()) return scaled(*a, b->offset);
    if (node.op != "div" || !b->option.empty()) return std::nullopt;
    std::optional<Number> inverse = calculate("/", Number::whole(1), b->offset);
    return inverse ? std::optional(scaled(*a, *inverse)) : std::nullopt;
  }

private:
  static Linear scaled(const Linear &x, const Number &by) {
    return {x.option, *calculate("*", x.factor, by), *calculate("*", x.offset, by)};
  }

  static std::optional<Linear> sum(const Linear &a, const Linear &b) {
    if (!a.option.empty() && !b.option.empty() && a.option != b.option) return std::nullopt;
    return Linear{a.option.empty() ? b.option : a.option, *calculate("+", a.factor, b.factor),
                  *calculate("+", a.offset, b.offset)};
  }

  const Graph &graph;
};

std::optional<Linear> linearOf(Evaluator &evaluator, const Value &value) {
  if (value.is(ValueKind::Number)) return Linear{"", Number::whole(0), value.asNumber()};
  if (!value.is(ValueKind::Tensor) || !value.asTensor().type.dims.empty()) return std::nullopt;
  TensorWriter &tensors = evaluator.tensors;
  const Tensor &tensor = value.asTensor();
  if (tensor.graph == 0) return LinearReader(tensors.free().graph).read(tensor.node);
  return LinearReader(tensors.current().graph).read(tensors.use(tensor));
}

int sign(const Number &number) { return compare(number, Number::whole(0)); }

const Option *findOption(const Program &program, const std::string &name) {
  for (const Option &option : program.options)
    if (option.name == name) return &option;
  return nullptr;
}

} // namespace

std::vector<const ast::Expr *> partsOfCondition(const ast::Expr &condition) {
  std::vector<const ast::Expr *> parts, open = {&condition};
  while (!open.empty()) {
    const ast::Expr *expr = open.back();
    open.pop_back();
    bool isJoined = expr->kind == ast::ExprKind::Binary && expr->text == "and";
    if (!isJoined) {
      parts.push_back(expr);
      continue;
    }
    open.push_back(expr->operands[1].get());
    open.push_back(expr->operands[0].get());
  }
  return parts;
}

std::string mirroredOrder(const std::string &op) {
  static const std::map<std::string, std::string> others = {
      {"<", ">"}, {"<=", ">="}, {">", "<"}, {">=", "<="}};
  auto found = others.find(op);
  return found == others.end() ? "" : found->second;
}

std::optional<CommandTest> testOfOption(Evaluator &evaluator, const ast::Expr &part,
                                        const ScopePtr &scope) {
  if (part.kind != ast::ExprKind::Binary || mirroredOrder(part.text).empty()) return std::nullopt;
  std::optional<Linear> left = linearOf(evaluator, evaluator.eval(*part.operands[0], scope));
  std::optional<Linear> right = linearOf(evaluator, evaluator.eval(*part.operands[1], scope));
  if (!left || !right || left->option.empty() == right->option.empty()) return std::nullopt;
  std::string op = left->option.empty() ? mirroredOrder(part.text) : part.text;
  const Linear &open = left->option.empty() ? *right : *left;
  const Number &limit = (left->option.empty() ? *left : *right).offset;
  if (sign(open.factor) == 0) return std::nullopt;
  if (sign(open.factor) < 0) op = mirroredOrder(op);
  Number bound = *calculate("/", *calculate("-", limit, open.offset), open.factor);
  return CommandTest{open.option, op, bound, "", part.span};
}

std::optional<CommandTest> testOfTokens(Evaluator &evaluator, const ast::Expr &part,
                                        const ScopePtr &scope) {
  if (part.kind != ast::ExprKind::Binary || mirroredOrder(part.text).empty()) return std::nullopt;
  Value sides[2] = {evaluator.eval(*part.operands[0], scope),
                    evaluator.eval(*part.operands[1], scope)};
  bool isLeft = sides[0].is(ValueKind::Size);
  const Value &size = sides[!isLeft], &limit = sides[isLeft];
  if (!size.is(ValueKind::Size) || !limit.is(ValueKind::Number) || !limit.asNumber().isWhole())
    return std::nullopt;
  std::vector<std::string> names = size.asSize().symbols();
  if (names.size() != 1 || !size.asSize().isSymbol(names[0])) return std::nullopt;
  bool isOfText =
      std::any_of(evaluator.program.tokenCounts.begin(), evaluator.program.tokenCounts.end(),
                  [&](const auto &each) { return each.second == names[0]; });
  if (!isOfText) return std::nullopt;
  std::string op = isLeft ? part.text : mirroredOrder(part.text);
  Symbol &symbol = evaluator.program.symbols[names[0]];
  int64_t bound = limit.asNumber().numerator;
  if (op[0] == '<')
    symbol.upper = std::min(symbol.upper, bound - (op == "<"));
  else
    symbol.lower = std::max(symbol.lower, bound + (op == ">"));
  return CommandTest{names[0], op, limit.asNumber(), "", part.span};
}

bool fulfils(double value, DType dtype, const CommandTest &test) {
  double bound = test.bound.toReal();
  if (dtype == DType::F32) value = double(float(value)), bound = double(float(bound));
  if (test.op == "<") return value < bound;
  if (test.op == "<=") return value <= bound;
  return test.op == ">" ? value > bound : value >= bound;
}

void testWhenRun(Evaluator &evaluator, CommandTest test) {
  for (Option &option : evaluator.program.options) {
    if (option.name != test.argument) continue;
    bool isKnown = std::any_of(option.tests.begin(), option.tests.end(), [&](const auto &each) {
      return each.op == test.op && compare(each.bound, test.bound) == 0;
    });
    if (isKnown) return;
    option.tests.push_back(test);
    if (fulfils(option.value, option.dtype, test)) return;
    std::string condition(evaluator.sources.text(test.span)), name = "`" + option.name + "`";
    const std::string *given = definitionOf(evaluator.program, option.name);
    evaluator
        .report(Kind::RequireFailed, test.span,
                test.message.empty() ? "`" + condition + "` does not hold" : test.message)
        .note(option.span, name + " is " + formatReal(option.value) +
                               (given ? ", by `-D " + option.name + "=" + *given + "`" : ""));
  }
}

void reportOpenCondition(Evaluator &evaluator, const Operand &part) {
  std::set<std::string> names;
  for (const Node *leaf : evaluator.tensors.leavesOf(part.value.asTensor()))
    if (leaf->op == "option") names.insert("`" + leaf->text + "`");
  std::string list, first = "OPTION";
  for (const std::string &name : names)
    list += (list.empty() ? "" : ", ") + name;
  if (!names.empty()) first = names.begin()->substr(1, names.begin()->size() - 2);
  Report message(evaluator.report, Kind::NotConstant, part.span,
                 "a run tests how an option compares with a known number");
  message.label(part.span, list.empty() ? "known only when the program runs"
                                        : "depends on " + list + ", known when the program runs");
  for (const std::string &name : names)
    if (const Option *option = findOption(evaluator.program, name.substr(1, name.size() - 2)))
      message.note(option->span, name + " is a flag of the executable");
  message.help("`<`, `<=`, `>` and `>=` compare an option with a number, as in `require " + first +
               " > 0`; several are joined by `and`");
}

} // namespace dlm::sema
