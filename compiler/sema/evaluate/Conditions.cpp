// `require`, and what is said of a condition that does not hold: not the whole of it again, but the
// comparison that failed, with what its sides are.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/OpenConditions.h"

#include <utility>

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

/// `isOfProgram`: it stands outside of functions and models.
Value Evaluator::evalRequire(const ast::Stmt &statement, const ScopePtr &scope, bool isOfProgram) {
  if (context.runTimeTests && context.runTimeTests->count(&statement)) return Value::none();
  const ast::Expr &condition = *statement.value;
  bool isOfCommand = context.runTimeTests && context.functionDepth == 1;
  // The library's conditions on what only the run knows are tests where they can be, and never the
  // reason why an option has to be known now.
  bool isOfLibrary = report.libraryFiles.count(condition.span.file) != 0;
  std::optional<bool> holds = true;
  for (const ast::Expr *part : partsOfCondition(condition)) {
    if (isOfCommand && context.tokenTests) {
      if (std::optional<CommandTest> test = testOfTokens(*this, *part, scope)) {
        test->message = statement.message;
        context.tokenTests->push_back(std::move(*test));
        continue;
      }
    }
    if (isOfProgram && part->kind == ast::ExprKind::Binary && part->text == "in") {
      Operand option = evalOperand(*part->operands[0], scope);
      option.span = part->span;
      if (option.value.is(ValueKind::Tensor)) return reportOpenCondition(*this, option), Value();
    }
    Operand operand = evalOperand(*part, scope);
    bool isScalar = operand.value.is(ValueKind::Tensor) &&
                    operand.value.asTensor().type.dtype == DType::Bool &&
                    operand.value.asTensor().type.dims.empty();
    if (isScalar) {
      if (std::optional<CommandTest> test = testOfOption(*this, *part, scope)) {
        test->message = statement.message;
        testWhenRun(*this, *test);
        continue;
      }
      if (isOfLibrary) continue;
      if (isOfProgram) return reportOpenCondition(*this, operand), Value();
    }
    if (isOfCommand && operand.value.is(ValueKind::Tensor) && !fixOptions(operand.value)) {
      reportOpenTest(report, operand.span);
      return Value();
    }
    holds = needBool(operand, "the condition of `require`");
    if (!holds) return Value();
    if (!*holds) break;
  }
  if (*holds) return Value::none();
  std::string text(sources.text(condition.span));
  Report message(report, Kind::RequireFailed, condition.span,
                 statement.message.empty() ? "`" + text + "` does not hold" : statement.message);
  for (const auto &[place, side] : sidesOf(condition, scope))
    message.note(place, side);
  return Value();
}

/// Once what they can ask for is known.
void Evaluator::checkConditions() {
  for (const auto &[statement, scope] : std::exchange(program.conditions, {}))
    evalRequire(*statement, scope, true);
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
