// Operators on compile-time values, and which of them are for tensors (TensorOperators.cpp).
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/RefusedOptions.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace dlm::sema {

namespace {

bool isComparison(const std::string &op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

bool holds(const std::string &op, int order) {
  if (op == "==") return order == 0;
  if (op == "!=") return order != 0;
  if (op == "<") return order < 0;
  if (op == "<=") return order <= 0;
  return op == ">" ? order > 0 : order >= 0;
}

std::optional<bool> equalValues(const Value &a, const Value &b);

/// Lists are equal if they have as many elements, and these are equal.
std::optional<bool> equalLists(const std::vector<Value> &a, const std::vector<Value> &b) {
  if (a.size() != b.size()) return false;
  bool isEqual = true;
  for (size_t i = 0; i < a.size(); ++i) {
    std::optional<bool> each = equalValues(a[i], b[i]);
    if (!each) return std::nullopt;
    isEqual &= *each;
  }
  return isEqual;
}

/// Records are equal if they have the same fields in the same order, and these are equal.
std::optional<bool> equalRecords(const RecordObject &a, const RecordObject &b) {
  std::vector<Value> left, right;
  for (const auto &[name, value] : a.fields) {
    left.push_back(Value::string(name));
    left.push_back(value);
  }
  for (const auto &[name, value] : b.fields) {
    right.push_back(Value::string(name));
    right.push_back(value);
  }
  return equalLists(left, right);
}

/// Keys and values of a map in turn.
std::vector<Value> entriesOf(const Value &map) {
  std::vector<Value> result;
  for (const auto &[key, value] : map.asMap().entries) {
    result.push_back(key);
    result.push_back(value);
  }
  return result;
}

/// Whether two values that are not numbers or tensors are equal; nothing if that is not defined.
std::optional<bool> equalValues(const Value &a, const Value &b) {
  if (a.is(ValueKind::None) || b.is(ValueKind::None)) return a.kind() == b.kind();
  if (a.kind() != b.kind()) return std::nullopt;
  if (a.is(ValueKind::List)) return equalLists(a.asList(), b.asList());
  if (a.is(ValueKind::Record)) return equalRecords(a.asRecord(), b.asRecord());
  switch (a.kind()) {
  case ValueKind::Bool:
    return a.asBool() == b.asBool();
  case ValueKind::String:
    return a.asString() == b.asString();
  case ValueKind::Number:
    return compare(a.asNumber(), b.asNumber()) == 0;
  case ValueKind::Size:
    return a.asSize() == b.asSize();
  case ValueKind::BuiltinFunction:
    return &a.asBuiltin() == &b.asBuiltin();
  case ValueKind::Function:
    return a.asFunction().body == b.asFunction().body &&
           a.asFunction().scope == b.asFunction().scope;
  case ValueKind::Map:
    return equalLists(entriesOf(a), entriesOf(b));
  case ValueKind::ModelType:
    return a.asModelType().declaration == b.asModelType().declaration;
  case ValueKind::Instance:
    return a.asInstance().path == b.asInstance().path &&
           a.asInstance().marker == b.asInstance().marker;
  case ValueKind::Quantity:
    return a.asMeasure() == b.asMeasure() && compare(a.asNumber(), b.asNumber()) == 0;
  default:
    return std::nullopt;
  }
}

bool isRunTime(const Value &value) {
  return value.is(ValueKind::Tensor) || value.is(ValueKind::Size);
}

bool isFinite(const Value &value) {
  bool isNumber = value.is(ValueKind::Number) || value.is(ValueKind::Quantity);
  return !isNumber || std::isfinite(value.asNumber().toReal());
}

/// Result of an operator on two numbers; nothing for a division by zero.
std::optional<Value> numbers(const std::string &op, const Number &a, const Number &b) {
  if (isComparison(op)) return Value::boolean(holds(op, compare(a, b)));
  std::optional<Number> result = calculate(op, a, b);
  if (!result) return std::nullopt;
  return Value::number(*result);
}

/// Result of an operator with a quantity on at least one side; nothing if the units do not fit.
std::optional<Value> quantities(const std::string &op, const Value &a, const Value &b) {
  bool isBoth = a.is(ValueKind::Quantity) && b.is(ValueKind::Quantity);
  if (isBoth && a.asMeasure() == b.asMeasure()) {
    if (isComparison(op)) return Value::boolean(holds(op, compare(a.asNumber(), b.asNumber())));
    std::optional<Number> result = calculate(op, a.asNumber(), b.asNumber());
    if (!result || (op != "/" && op != "+" && op != "-")) return std::nullopt;
    return op == "/" ? Value::number(*result) : Value::quantity(*result, a.asMeasure());
  }
  bool isScaled = op == "*" && (a.is(ValueKind::Number) || b.is(ValueKind::Number));
  bool isDivided = op == "/" && b.is(ValueKind::Number);
  if (isBoth || (!isScaled && !isDivided)) return std::nullopt;
  std::optional<Number> result = calculate(op, a.asNumber(), b.asNumber());
  if (!result) return std::nullopt;
  return Value::quantity(*result, a.is(ValueKind::Quantity) ? a.asMeasure() : b.asMeasure());
}

/// Result of an operator on bools, strings, lists and `none`; nothing if it has none.
std::optional<Value> others(const std::string &op, const Value &a, const Value &b) {
  if (op == "==" || op == "!=") {
    std::optional<bool> equal = equalValues(a, b);
    if (!equal) return std::nullopt;
    return Value::boolean(*equal == (op == "=="));
  }
  if (op == "in" && b.is(ValueKind::Map)) {
    for (const auto &entry : b.asMap().entries)
      if (equalValues(a, entry.first).value_or(false)) return Value::boolean(true);
    return Value::boolean(false);
  }
  if (op == "in" && b.is(ValueKind::List)) {
    for (const Value &item : b.asList())
      if (equalValues(a, item).value_or(false)) return Value::boolean(true);
    return Value::boolean(false);
  }
  if (a.kind() != b.kind()) return std::nullopt;
  if (a.is(ValueKind::String) && op == "in")
    return Value::boolean(b.asString().find(a.asString()) != std::string::npos);
  if (a.is(ValueKind::Bool) && op == "and") return Value::boolean(a.asBool() && b.asBool());
  if (a.is(ValueKind::Bool) && op == "or") return Value::boolean(a.asBool() || b.asBool());
  if (a.is(ValueKind::String) && op == "+") return Value::string(a.asString() + b.asString());
  if (a.is(ValueKind::List) && op == "+") {
    std::vector<Value> items = a.asList();
    items.insert(items.end(), b.asList().begin(), b.asList().end());
    return Value::list(std::move(items));
  }
  return std::nullopt;
}

/// Elements of the sum of two lists, or bytes of that of two strings; 0 for anything else.
size_t jointLength(const Value &a, const Value &b) {
  if (a.is(ValueKind::List) && b.is(ValueKind::List)) return a.asList().size() + b.asList().size();
  if (!a.is(ValueKind::String) || !b.is(ValueKind::String)) return 0;
  return a.asString().size() + b.asString().size();
}

/// Whether a bound of a range stays open until the program runs.
bool isOpenBound(const Value &value) {
  if (value.is(ValueKind::Size)) return true;
  if (!value.is(ValueKind::Tensor)) return false;
  const Tensor &tensor = value.asTensor();
  return !tensor.isLoose && tensor.type.dims.empty() && isInteger(tensor.type.dtype);
}

/// Whether the program says a bound by itself: a number as it stands, or an option.
bool isWritten(const Evaluator &evaluator, const Operand &bound) {
  const ast::Expr *expr = bound.expr;
  if (expr && expr->kind == ast::ExprKind::Unary) expr = expr->operands[0].get();
  if (expr && expr->kind == ast::ExprKind::Number) return true;
  return std::any_of(evaluator.program.options.begin(), evaluator.program.options.end(),
                     [&](const Option &option) {
                       return bound.declared.isValid() && option.span == bound.declared;
                     });
}

/// A range that is empty because its bounds stand the wrong way round: `10..0`, `n - 1..0`. One
/// whose bounds are computed may well be empty: `0..n`, `1..n - 1`.
void warnOfBackwards(Evaluator &evaluator, const Operand &lhs, const Operand &rhs, Span span) {
  const Value &a = lhs.value, &b = rhs.value;
  if (!b.is(ValueKind::Number) || !isWritten(evaluator, rhs)) return;
  bool endsAtZero = compare(b.asNumber(), Number::whole(0)) <= 0;
  bool isOpen = a.is(ValueKind::Size) && endsAtZero;
  bool isDown = a.is(ValueKind::Number) && compare(a.asNumber(), b.asNumber()) > 0;
  if (!isOpen && !(isDown && (endsAtZero || isWritten(evaluator, lhs)))) return;
  std::string from(evaluator.sources.text(rhs.span)), to(evaluator.sources.text(lhs.span));
  Report message(evaluator.report, Kind::BackwardsRange, span,
                 "a range counts up, so `" + to + ".." + from + "` is empty");
  message.secondary(lhs.span, "is " + a.text());
  bool isUsual = from[0] != '-';
  if (!isUsual) from = "0", to = "n";
  message.help(isOpen ? "`flip(iota(" + to + "), over = 0)` counts down"
                      : "`reverse(" + from + ".." + to + ")` counts down" +
                            (isUsual ? "" : ", from `n - 1` to 0"));
}

/// `"a" + i`: a number is joined to a string by `string`.
void adviseString(const Evaluator &evaluator, Report &message, const Operand &lhs,
                  const Operand &rhs) {
  if (lhs.value.is(ValueKind::String) == rhs.value.is(ValueKind::String)) return;
  const Operand &other = lhs.value.is(ValueKind::String) ? rhs : lhs;
  const Value &value = other.value;
  bool isWritable =
      value.is(ValueKind::Number) || value.is(ValueKind::Quantity) || value.is(ValueKind::Bool);
  if (!isWritable) return;
  std::string written = "string(" + std::string(evaluator.sources.text(other.span)) + ")";
  auto textOf = [&](const Operand &side) {
    return &side == &other ? written : std::string(evaluator.sources.text(side.span));
  };
  message.help("write `" + textOf(lhs) + " + " + textOf(rhs) + "`", other.span, written);
}

Value makeRange(Evaluator &evaluator, const Operand &lhs, const Operand &rhs, Span span) {
  warnOfBackwards(evaluator, lhs, rhs, span);
  if (isOpenBound(lhs.value) || isOpenBound(rhs.value)) {
    bool isFine = true;
    for (const Operand *bound : {&lhs, &rhs})
      isFine &= isOpenBound(bound->value) || evaluator.needInt(*bound, "a bound of a range");
    return isFine ? Value::range(lhs.value, rhs.value) : Value();
  }
  std::optional<int64_t> begin = evaluator.needInt(lhs, "a bound of a range");
  std::optional<int64_t> end = evaluator.needInt(rhs, "a bound of a range");
  if (!begin || !end) return Value();
  if (*end > *begin && uint64_t(*end) - uint64_t(*begin) > listMax) { // may not fit into int64_t
    evaluator.report(Kind::NumberRange, span, "a range of more than a million numbers");
    return Value();
  }
  std::vector<Value> items;
  for (int64_t i = *begin; i < *end; ++i)
    items.push_back(Value::whole(i));
  return Value::list(std::move(items));
}

/// The option that a product or a quotient is zero for, or below: what is wrong with its size is
/// wrong with the option.
const std::string *optionOf(const std::string &op, const Value &a, const Value &b) {
  auto isTooSmall = [](const Value &value) {
    return value.option() && compare(value.asNumber(), Number::whole(0)) <= 0;
  };
  if (op != "*" && op != "/") return nullptr;
  return isTooSmall(a) ? a.option() : isTooSmall(b) ? b.option() : nullptr;
}

constexpr size_t quotientsMax = 1000;

/// `width / heads` of 100 and 3: which sizes would divide.
std::string adviceForQuotient(const SourceManager &sources, const Operand &lhs,
                              const Operand &rhs) {
  auto shown = [&](const Operand &operand) {
    bool isNumber = operand.expr && operand.expr->kind == ast::ExprKind::Number;
    if (isNumber || !operand.expr) return operand.value.text();
    return "`" + std::string(sources.text(operand.span)) + "` = " + operand.value.text();
  };
  int64_t a = lhs.value.asNumber().numerator, b = rhs.value.asNumber().numerator;
  if (a < 1 || b < 2 || a > (int64_t(1) << 40)) return "`floor(a / b)` rounds a quotient down";
  std::string below = a > b ? std::to_string(a / b * b) + " or " : "";
  return shown(lhs) + " is not divisible by " + shown(rhs) + ", as " + below +
         std::to_string((a / b + 1) * b) + " would be; `floor(a / b)` rounds down";
}

} // namespace

Value Evaluator::binary(const std::string &op, const Operand &lhs, const Operand &rhs, Span span,
                        Span opSpan) {
  const Value &a = lhs.value, &b = rhs.value;
  if (a.isPoison() || b.isPoison()) return Value();
  tensors.span = span;
  if (op == "..") return makeRange(*this, lhs, rhs, span);
  if (op == "@") return matmul(lhs, rhs, span, opSpan);
  if (op == "+" && jointLength(a, b) > listMax) {
    report(Kind::NumberRange, span,
           a.is(ValueKind::List) ? "a list of more than a million elements"
                                 : "a string of more than a million bytes");
    return Value();
  }
  if (std::optional<Value> size = binarySizes(op, lhs, rhs, opSpan))
    return size->from(optionOf(op, a, b));
  bool isEquality = op == "==" || op == "!=";
  if (op == "in" && !spend(b.weight() / 8, span)) return Value();
  if (isEquality && !spend(std::min(a.weight(), b.weight()) / 8, span)) return Value();
  bool isNone = a.is(ValueKind::None) || b.is(ValueKind::None);
  bool isQuantity = !isNone && (a.is(ValueKind::Quantity) || b.is(ValueKind::Quantity));
  bool areNumbers = a.is(ValueKind::Number) && b.is(ValueKind::Number);
  std::optional<Value> result;
  if (areNumbers) result = numbers(op, a.asNumber(), b.asNumber());
  if (areNumbers && op == "/" && result && !result->asNumber().isWhole() &&
      a.asNumber().isWhole() && b.asNumber().isWhole() &&
      program.hints.quotients.size() < quotientsMax)
    program.hints.quotients[result->text()] = adviceForQuotient(sources, lhs, rhs);
  if (!areNumbers && isQuantity)
    result = quantities(op, a, b);
  else if (!areNumbers && !(op == "in" && a.is(ValueKind::Tensor)))
    result = others(op, a, b);
  bool isBySteps = op == "/" && b.is(ValueKind::Quantity) && b.asMeasure() == Measure::Steps;
  if (isQuantity && !result && isBySteps)
    if (std::optional<Value> steps = asSteps(program, a)) result = quantities(op, *steps, b);
  if (isQuantity && !result && isBySteps && program.isLengthLost) return Value();
  if (result && !isFinite(*result)) {
    report(Kind::NumberRange, opSpan, "`" + op + "` has no finite result here")
        .secondary(lhs.span, "is " + a.text())
        .secondary(rhs.span, "is " + b.text());
    return Value();
  }
  if (result) return result->from(optionOf(op, a, b));
  if (areNumbers && (op == "/" || op == "%" || op == "**")) {
    if (blamesOption(*this, Kind::DivisionByZero, op == "**" ? lhs : rhs)) return Value();
    report(Kind::DivisionByZero, opSpan, "`" + op + "` divides by zero")
        .secondary(rhs.span, "is " + b.text());
    return Value();
  }
  bool hasTensor = isRunTime(a) || isRunTime(b);
  bool isText = op == "+" && (a.is(ValueKind::String) || b.is(ValueKind::String));
  if ((isQuantity || op == "in" || isText) && (fixOptions(a) || fixOptions(b))) return Value();
  if (hasTensor && !isText && !isQuantity && op != "in")
    return binaryTensors(op, lhs, rhs, span, opSpan);
  Report message(report, isQuantity ? Kind::UnitMismatch : Kind::TypeMismatch, opSpan,
                 "`" + op + "` has no meaning for " + a.describe() + " and " + b.describe());
  message.secondary(lhs.span, "is `" + a.text() + "`");
  message.secondary(rhs.span, "is `" + b.text() + "`");
  for (const Operand *side : {&lhs, &rhs})
    if (side->value.is(ValueKind::Batch)) adviseBatchSize(*this, message, *side);
  if (isText) adviseString(*this, message, lhs, rhs);
  return Value();
}

Value Evaluator::unary(const std::string &op, const Operand &x, Span span) {
  const Value &value = x.value;
  if (value.isPoison()) return Value();
  tensors.span = span;
  if (op == "-" && (value.is(ValueKind::Number) || value.is(ValueKind::Quantity))) {
    Number number = value.asNumber();
    number.numerator = -number.numerator;
    number.real = -number.real;
    return value.is(ValueKind::Number) ? Value::number(number)
                                       : Value::quantity(number, value.asMeasure());
  }
  if (op == "-" && value.is(ValueKind::Size))
    return binary("-", {Value::whole(0), x.expr, x.span}, x, span, span);
  if (op == "not" && value.is(ValueKind::Bool)) return Value::boolean(!value.asBool());
  if (value.is(ValueKind::Tensor)) {
    const Tensor &tensor = value.asTensor();
    bool isBool = tensor.type.dtype == DType::Bool;
    if (isBool == (op == "not") && tensor.type.dtype != DType::U8)
      return Value::tensor(tensors.unary(op == "-" ? "neg" : "not", tensor));
  }
  report(Kind::TypeMismatch, span, "`" + op + "` has no meaning for " + value.describe());
  return Value();
}

} // namespace dlm::sema
