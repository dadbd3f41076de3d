// `over = ...`: an identifier is the name of an axis of the operand, a number its position; a
// tuple or list names several. A name that no axis has may still be a value in scope.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

std::vector<std::string> axisNames(const std::vector<Dim> &dims) {
  std::vector<std::string> names;
  for (const Dim &dim : dims)
    if (!dim.name.empty()) names.push_back(dim.name);
  return names;
}

class AxisFinder {
public:
  AxisFinder(Evaluator &evaluator, const BuiltinCall &call, const Operand &subject,
             const Tensor &tensor)
      : evaluator(evaluator), call(call), subject(subject), dims(tensor.type.dims) {}

  bool addExpr(const ast::Expr &expr) {
    if (expr.kind == ast::ExprKind::Record) {
      for (const ast::Argument &part : expr.arguments)
        if (!addExpr(*part.value)) return false;
      return true;
    }
    if (expr.kind == ast::ExprKind::List) {
      for (const ast::Entry &entry : expr.entries)
        if (!addExpr(*entry.value)) return false;
      return true;
    }
    if (expr.kind == ast::ExprKind::Name) {
      int axis = findAxis(dims, expr.text);
      if (axis >= 0) return add(axis, expr.span);
      if (!call.scope->find(expr.text) || isAxisNameTwice(expr.text)) return unknown(expr);
    }
    return addValue(evaluator.evalOperand(expr, call.scope));
  }

  bool addValue(const Operand &operand) {
    if (operand.value.is(ValueKind::List) || operand.value.is(ValueKind::Record)) {
      std::vector<Value> parts;
      if (operand.value.is(ValueKind::List))
        parts = operand.value.asList();
      else
        for (const auto &field : operand.value.asRecord().fields)
          parts.push_back(field.second);
      for (const Value &part : parts)
        if (!addValue({part, nullptr, operand.span})) return false;
      return true;
    }
    std::optional<int64_t> position = evaluator.needInt(operand, "an axis");
    if (!position) return false;
    int64_t rank = int64_t(dims.size());
    int64_t axis = *position < 0 ? *position + rank : *position;
    if (axis >= 0 && axis < rank) return add(axis, operand.span);
    bool isName = operand.expr && operand.expr->kind == ast::ExprKind::Name;
    Report message(
        evaluator.report, Kind::AxisMismatch, operand.span,
        (isName ? "`" + operand.expr->text + "` is " + std::to_string(*position) + ", and there"
                : "there") +
            " is no axis " + std::to_string(*position) + " in " + std::to_string(rank) +
            " dimensions");
    message.secondary(subject.span, "is `" + subject.value.text() + "`");
    if (isName)
      adviseSize(message, *position, operand.span);
    else if (rank > 0)
      message.help(rank == 1 ? "the only axis is 0"
                             : "the axes are 0" + std::string(rank > 2 ? " to " : " and ") +
                                   std::to_string(rank - 1) + ", and -1 is the last");
    return false;
  }

  std::vector<int64_t> found;

private:
  /// The axis that has the size which was given for its place.
  void adviseSize(Report &message, int64_t size, Span span) const {
    std::vector<std::string> places;
    for (size_t i = 0; i < dims.size(); ++i)
      if (dims[i].isWhole() && dims[i].size() == size)
        places.push_back(i + 1 == dims.size() ? "-1" : std::to_string(i));
    if (places.size() == 1)
      message.help("an axis is named by its place, and the one of this size is `" + places[0] + "`",
                   span, places[0]);
  }

  bool isAxisNameTwice(const std::string &name) const {
    return std::count_if(dims.begin(), dims.end(),
                         [&](const Dim &dim) { return dim.name == name; }) > 1;
  }

  bool unknown(const ast::Expr &expr) {
    bool isTwice = isAxisNameTwice(expr.text);
    Report message(evaluator.report, Kind::AxisMismatch, expr.span,
                   isTwice ? "two axes are named `" + expr.text + "`"
                           : "no axis is named `" + expr.text + "`");
    message.secondary(subject.span, "is `" + subject.value.text() + "`");
    if (isTwice)
      message.help("name the axis by its position");
    else
      message.nearest("an axis", expr.text, expr.span, axisNames(dims));
    return false;
  }

  bool add(int64_t axis, Span span) {
    if (!std::count(found.begin(), found.end(), axis)) {
      found.push_back(axis);
      return true;
    }
    evaluator.report(Kind::AxisMismatch, span, "an axis is named twice");
    return false;
  }

  Evaluator &evaluator;
  const BuiltinCall &call;
  const Operand &subject;
  const std::vector<Dim> &dims;
};

} // namespace

std::optional<std::vector<int64_t>> Evaluator::axes(const BuiltinCall &call, size_t index,
                                                    const Tensor &tensor, size_t subject) {
  AxisFinder finder(*this, call, call[subject], tensor);
  if (!call.has(index)) {
    for (size_t i = 0; i < tensor.type.dims.size(); ++i)
      finder.found.push_back(int64_t(i));
    return finder.found;
  }
  const Operand &over = call[index];
  bool isFine =
      over.value.isPoison() && over.expr ? finder.addExpr(*over.expr) : finder.addValue(over);
  tensors.span = call.span; // which `-1` took
  if (!isFine) return std::nullopt;
  return finder.found;
}

std::optional<int64_t> Evaluator::axis(const BuiltinCall &call, size_t index,
                                       const Tensor &tensor) {
  std::optional<std::vector<int64_t>> found = axes(call, index, tensor);
  if (!found) return std::nullopt;
  if (found->size() == 1) return found->front();
  std::string name = call.builtin.name;
  std::string count = std::to_string(found->size());
  bool isGiven = call.has(index);
  Report message(report, Kind::AxisMismatch, isGiven ? call[index].span : call.span,
                 "`" + name + "` goes over one axis, and " +
                     (isGiven ? "here are " + count : "there are " + count));
  message.secondary(call[0].span, "is `" + call[0].value.text() + "`");
  if (!isGiven && found->size() > 1) message.help("name it: `over = -1` is the last");
  return std::nullopt;
}

} // namespace dlm::sema
