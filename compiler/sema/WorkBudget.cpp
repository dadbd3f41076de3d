// Where evaluation spends its budget, and what is too large whatever it costs.
#include "compiler/sema/WorkBudget.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::sema {

/// Whether a tensor is of a size that sizes can be computed with, which is reported if not.
bool Evaluator::isOfUsualSize(const TensorType &type, Span span) {
  if (context.next) return true; // a rule works on parameters, whose sizes are checked there
  double elements = 1;
  for (const Dim &dim : type.dims)
    if (dim.extent.isConstant()) elements *= std::max(1.0, dim.extent.constantPart().toReal());
  if (type.dims.size() > rankMax)
    report(Kind::WorkLimit, span,
           "a tensor of " + std::to_string(type.dims.size()) + " dimensions; the limit is " +
               std::to_string(rankMax));
  else if (elements > elementsMax)
    report(Kind::BadSize, span,
           "a tensor has at most 2 ** 40 elements, and here is `" + typeText(type) + "`");
  else
    return true;
  return false;
}

/// Takes steps for what was made, by its size; false if it is too large.
bool Evaluator::weigh(const ast::Expr &expr, const Value &made) {
  bool isMadeElsewhere = expr.kind == ast::ExprKind::Name || expr.kind == ast::ExprKind::Member;
  if (isMadeElsewhere) return true;
  if (made.is(ValueKind::Tensor)) return isOfUsualSize(made.asTensor().type, expr.span);
  if (made.is(ValueKind::String)) return spend(made.asString().size() / 64, expr.span);
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
  message.help("functions that call others twice, and lists of lists, multiply");
  return false;
}

} // namespace dlm::sema
