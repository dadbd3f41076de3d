// `require`, and what is said of a condition that does not hold: not the whole of it again, but the
// comparison that failed, with what its sides are.
#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

namespace {

/// Deeper conditions are not taken apart: each level is evaluated once more.
constexpr int partsMax = 32;

class Sides {
public:
  Sides(Evaluator &evaluator, const ScopePtr &scope) : evaluator(evaluator), scope(scope) {}

  /// Why the condition is what it is: `holds`.
  void explain(const ast::Expr &condition, bool holds, int depth = 0) {
    bool isUnary = condition.kind == ast::ExprKind::Unary;
    if (depth > partsMax || (!isUnary && condition.kind != ast::ExprKind::Binary)) return;
    if (isUnary) {
      explain(*condition.operands[0], !holds, depth + 1);
    } else if (condition.text != "and" && condition.text != "or") {
      addSide(*condition.operands[0]);
      addSide(*condition.operands[1]);
    } else {
      bool isDecidedByOne = holds == (condition.text == "or");
      for (const ast::ExprPtr &part : condition.operands) {
        if (isDecidedByOne) {
          Value value = evaluator.eval(*part, scope);
          if (!value.is(ValueKind::Bool)) return;
          if (value.asBool() != holds) continue;
        }
        explain(*part, holds, depth + 1);
        if (isDecidedByOne) return;
      }
    }
  }

  KnownSides result;

private:
  void addSide(const ast::Expr &side) {
    Operand operand = evaluator.evalOperand(side, scope);
    const Value &value = operand.value;
    std::string written(evaluator.sources.text(side.span));
    bool isWord = value.is(ValueKind::String) && value.asString() == written;
    bool saysNothing = side.kind == ast::ExprKind::String || isWord || value.text() == written;
    if (value.isPoison() || value.is(ValueKind::Bool) || saysNothing) return;
    std::pair<Span, std::string> note = {operand.declared, "`" + written + "` is " + value.text()};
    for (const auto &each : result)
      if (each.second == note.second) return;
    result.push_back(std::move(note));
  }

  Evaluator &evaluator;
  const ScopePtr &scope;
};

} // namespace

Value Evaluator::evalRequire(const ast::Stmt &statement, const ScopePtr &scope) {
  if (context.runTimeTests && context.runTimeTests->count(&statement)) return Value::none();
  const ast::Expr &condition = *statement.value;
  Operand operand = evalOperand(condition, scope);
  bool isOfCommand = context.runTimeTests && context.functionDepth == 1;
  if (isOfCommand && operand.value.is(ValueKind::Tensor) && !fixOptions(operand.value)) {
    reportOpenTest(report, operand.span);
    return Value();
  }
  std::optional<bool> holds = needBool(operand, "the condition of `require`");
  if (!holds) return Value();
  if (*holds) return Value::none();
  std::string text(sources.text(condition.span));
  Report message(report, Kind::RequireFailed, condition.span,
                 statement.message.empty() ? "`" + text + "` does not hold" : statement.message);
  for (const auto &[place, side] : sidesOf(condition, scope))
    message.note(place, side);
  return Value();
}

void reportOpenTest(Reporter &report, Span condition) {
  report(Kind::NotConstant, condition,
         "a command tests when it is called how an argument compares with a known number")
      .label(condition, "known only when the command runs")
      .help("write `require ARGUMENT <= 64`, or several such conditions joined by `and`");
}

KnownSides Evaluator::sidesOf(const ast::Expr &condition, const ScopePtr &scope) {
  Sides sides(*this, scope);
  sides.explain(condition, false);
  return std::move(sides.result);
}

} // namespace dlm::sema
