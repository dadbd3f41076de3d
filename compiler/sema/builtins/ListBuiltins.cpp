// Functions of compile-time lists, and the text of other compile-time values.
#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::sema {

namespace {

Value runLen(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::List))
    return Value::whole(int64_t(call[0].value.asList().size()));
  if (call[0].value.is(ValueKind::Map))
    return Value::whole(int64_t(call[0].value.asMap().entries.size()));
  Report message(evaluator.report, Kind::TypeMismatch, call[0].span,
                 "`len` counts a list or a map, and this is " + call[0].value.describe());
  if (call[0].value.is(ValueKind::Tensor))
    message.help("`size(x, over = 0)` is the size of an axis");
  return Value();
}

Value runReverse(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::List)) {
    std::vector<Value> items = call[0].value.asList();
    std::reverse(items.begin(), items.end());
    return Value::list(std::move(items));
  }
  Report message(evaluator.report, Kind::TypeMismatch, call[0].span,
                 "`reverse` turns a list around, and this is " + call[0].value.describe());
  if (call[0].value.is(ValueKind::Tensor)) message.help("`flip(x, over = 0)` turns an axis around");
  return Value();
}

Value runZip(Evaluator &evaluator, const BuiltinCall &call) {
  if (!call[0].value.is(ValueKind::List) || !call[1].value.is(ValueKind::List)) {
    evaluator.report(Kind::TypeMismatch, call.span, "`zip` pairs two lists");
    return Value();
  }
  const std::vector<Value> &a = call[0].value.asList(), &b = call[1].value.asList();
  if (a.size() != b.size()) {
    evaluator.report(Kind::ShapeMismatch, call.span,
                     "`zip` pairs lists of " + std::to_string(a.size()) + " and " +
                         std::to_string(b.size()) + " elements");
    return Value();
  }
  std::vector<Value> items;
  for (size_t i = 0; i < a.size(); ++i)
    items.push_back(Value::record({{{"", a[i]}, {"", b[i]}}}));
  return Value::list(std::move(items));
}

/// `string(3)`: as a program would write it.
Value runString(Evaluator &evaluator, const BuiltinCall &call) {
  const Value &value = call[0].value;
  bool isQuantity = value.is(ValueKind::Quantity);
  if (value.is(ValueKind::Number) || isQuantity || value.is(ValueKind::Bool))
    return Value::string(value.text());
  if (value.isPoison() || evaluator.fixOptions(value)) return Value();
  bool isRunTime = value.is(ValueKind::Tensor) || value.is(ValueKind::Size);
  Report message(evaluator.report, isRunTime ? Kind::NotConstant : Kind::TypeMismatch, call[0].span,
                 std::string("`string` writes a number, a quantity or a bool that is known at "
                             "compile time, and this is ") +
                     value.describe());
  if (isRunTime) message.label(call[0].span, "known only at run time");
  if (value.is(ValueKind::String)) message.help("leave `string` out");
  return Value();
}

} // namespace

const BuiltinTable &listBuiltins() {
  static const BuiltinTable table = {
      {"len", "xs", runLen},
      {"reverse", "xs", runReverse},
      {"string", "n", runString},
      {"zip", "xs, ys", runZip},
  };
  return table;
}

} // namespace dlm::sema
