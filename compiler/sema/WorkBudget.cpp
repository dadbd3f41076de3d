// Where evaluation spends its budget, and what is too large whatever it costs.
#include "compiler/sema/WorkBudget.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::sema {

/// Whether a tensor is of a size that sizes can be computed with, which is reported if not.
static bool isOfUsualSize(Evaluator &evaluator, const TensorType &type, Span span) {
  if (evaluator.context.next)
    return true; // a rule works on parameters, whose sizes are checked there
  double elements = 1;
  for (const Dim &dim : type.dims)
    if (dim.extent.isConstant()) elements *= std::max(1.0, dim.extent.constantPart().toReal());
  if (type.dims.size() > rankMax)
    evaluator.report(Kind::WorkLimit, span,
                     "a tensor of " + std::to_string(type.dims.size()) +
                         " dimensions; the limit is " + std::to_string(rankMax));
  else if (elements > elementsMax)
    evaluator.report(Kind::BadSize, span,
                     "a tensor has at most 2 ** 40 elements, and here is `" + typeText(type) + "`");
  else
    return true;
  return false;
}

/// Takes steps for what was made, by its size; false if it is too large.
bool Evaluator::weigh(const ast::Expr &expr, const Value &made) {
  bool isMadeElsewhere = expr.kind == ast::ExprKind::Name || expr.kind == ast::ExprKind::Member;
  if (isMadeElsewhere) return true;
  if (made.is(ValueKind::Tensor)) return isOfUsualSize(*this, made.asTensor().type, expr.span);
  if (made.is(ValueKind::String)) return spend(made.asString().size() / 64, expr.span);
  if (made.weight() > size_t(WorkBudget::stepsMax)) return spend(made.weight(), expr.span);
  bool isCounted = expr.kind == ast::ExprKind::Comprehension || expr.kind == ast::ExprKind::List;
  if (!made.is(ValueKind::List) || isCounted) return true;
  return spend(made.asList().size() / 2, expr.span);
}

bool Evaluator::spend(size_t steps, Span span) {
  bool hasNodes = tensors.nodeCount() <= WorkBudget::nodesMax;
  if (budget.spend(int64_t(steps)) && hasNodes) return true;
  budget.exhaust();
  if (budget.isReported) return false;
  budget.isReported = true;
  std::string limit = hasNodes ? std::to_string(WorkBudget::stepsMax) + " steps"
                               : std::to_string(WorkBudget::nodesMax) + " operations on tensors";
  Report message(report, Kind::WorkLimit, span, "checking reaches " + limit + " here");
  if (!report.frames.empty() && report.frames.front().calledAt.isValid())
    message.note(report.frames.front().calledAt, "most of them come from what is called here");
  constexpr size_t longLoop = 64;
  message.help(context.unrolled >= longLoop
                   ? adviceForUnrolled(context.unrolled, context.unrollsRange)
                   : "functions that call others twice, and lists of lists, multiply");
  return false;
}

std::string adviceForUnrolled(size_t steps, bool isRange) {
  std::string count = std::to_string(steps);
  std::string advice = "a loop over a list is checked " + count +
                       " times, once for each step; along an axis of a tensor it is one loop";
  if (isRange) advice += ": `fold(init, iota(" + count + "), over = 0, body = ...)`";
  return advice;
}

} // namespace dlm::sema
