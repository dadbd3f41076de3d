// Point-wise functions: on compile-time numbers where that is exact enough to be useful, and on
// tensors as one node each. What can be written with these is in the library (stdlib/).
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <cmath>
#include <map>

namespace dlm::sema {

namespace {

/// The value for a compile-time number; nothing if the function has none there.
std::optional<Number> applyToNumber(const std::string &op, const Number &x) {
  double real = x.toReal();
  if (op == "floor" || op == "ceil" || op == "round") {
    double rounded = op == "floor"  ? std::floor(real)
                     : op == "ceil" ? std::ceil(real)
                                    : std::nearbyint(real);
    return std::abs(rounded) < 9e15 ? Number::whole(int64_t(rounded)) : Number::fromReal(rounded);
  }
  if (op == "abs")
    return compare(x, Number::whole(0)) < 0 ? calculate("-", Number::whole(0), x) : x;
  if (op == "sign") return Number::whole(compare(x, Number::whole(0)));
  if (op == "relu") return calculate("max", x, Number::whole(0));
  static const std::map<std::string, double (*)(double)> functions = {
      {"exp", [](double v) { return std::exp(v); }},
      {"log", [](double v) { return std::log(v); }},
      {"sqrt", [](double v) { return std::sqrt(v); }},
      {"rsqrt", [](double v) { return 1 / std::sqrt(v); }},
      {"tanh", [](double v) { return std::tanh(v); }},
      {"erf", [](double v) { return std::erf(v); }},
      {"sin", [](double v) { return std::sin(v); }},
      {"cos", [](double v) { return std::cos(v); }}};
  double result = functions.at(op)(real);
  if (!std::isfinite(result)) return std::nullopt;
  return Number::fromReal(result);
}

Value runUnary(Evaluator &evaluator, const BuiltinCall &call) {
  const std::string op = call.builtin.detail;
  const Operand &x = call[0];
  if (x.value.is(ValueKind::Number)) {
    std::optional<Number> result = applyToNumber(op, x.value.asNumber());
    if (result) return Value::number(*result);
    evaluator.report(Kind::NumberRange, call.span,
                     "`" + op + "` of " + x.value.text() + " is not a number");
    return Value();
  }
  std::optional<Tensor> tensor = evaluator.needTensor(x, "the argument of `" + op + "`");
  if (!tensor) return Value();
  DType dtype = tensor->type.dtype;
  if (tensor->isLoose && dtype == DType::I64)
    tensor = evaluator.tensors.cast(*tensor, dtype = DType::F32);
  bool isIntegerToo = op == "abs" || op == "sign";
  bool isCounted = isIntegerToo && isInteger(dtype) && dtype != DType::U8;
  if (!isReal(dtype) && !isCounted) {
    evaluator
        .report(Kind::DtypeMismatch, x.span,
                "`" + op + "` has no meaning for `" + dtypeName(dtype) + "`")
        .label(x.span, "is `" + typeText(tensor->type) + "`")
        .helpCast("it", x.span);
    return Value();
  }
  return Value::tensor(evaluator.tensors.unary(op, *tensor));
}

Value runPower(Evaluator &evaluator, const BuiltinCall &call) {
  return evaluator.binary("**", call[0], call[1], call.span, call.span);
}

Value runClamp(Evaluator &evaluator, const BuiltinCall &call) {
  Operand low = {evaluator.binary("max", call[0], call[1], call.span, call.span), nullptr,
                 call.span};
  return evaluator.binary("min", low, call[2], call.span, call.span);
}

Value runWhere(Evaluator &evaluator, const BuiltinCall &call) {
  const Operand &condition = call[0];
  if (condition.value.is(ValueKind::Bool))
    return condition.value.asBool() ? call[1].value : call[2].value;
  std::optional<Tensor> mask = evaluator.needTensor(condition, "the condition of `where`");
  if (!mask) return Value();
  if (mask->type.dtype != DType::Bool) {
    evaluator.report(Kind::DtypeMismatch, condition.span,
                     "the condition of `where` is a bool tensor, and this is `" +
                         typeText(mask->type) + "`");
    return Value();
  }
  bool hasTensor = call[1].value.is(ValueKind::Tensor) || call[2].value.is(ValueKind::Tensor);
  Operand first = call[1];
  if (!hasTensor) {
    std::optional<Tensor> real = evaluator.literal(first, DType::F32, condition);
    if (!real) return Value();
    first.value = Value::tensor(*real);
  }
  auto sides = evaluator.unify("where", first, call[2], call.span);
  if (!sides) return Value();
  Operand chosen = {Value::tensor(sides->first), nullptr, call[1].span};
  Stretch stretch = stretchShapes(mask->type.dims, sides->first.type.dims);
  if (!stretch.fits) {
    const std::vector<Dim> &wanted = sides->first.type.dims;
    Report message(evaluator.report, Kind::ShapeMismatch, condition.span,
                   "`where` meets shapes `" + shapeText(mask->type.dims) + "` and `" +
                       shapeText(wanted) + "`");
    message.label(condition.span, "is `" + typeText(mask->type) + "`")
        .secondary(call[1].span, "is `" + call[1].value.text() + "`")
        .secondary(call[2].span, "is `" + call[2].value.text() + "`");
    std::string index = fittingIndex(mask->type.dims, wanted);
    std::string written(evaluator.sources.text(condition.span));
    bool isName = condition.expr && condition.expr->kind == ast::ExprKind::Name;
    if (!index.empty() && isName)
      message.help("the shapes fit with `" + written + index + "`", condition.span,
                   written + index);
    else if (!index.empty())
      message.help("the shapes fit if the condition is indexed with `" + index + "`");
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  tensors.span = call.span;
  std::vector<Tensor> operands = {tensors.stretch(*mask, stretch.dims),
                                  tensors.stretch(sides->first, stretch.dims),
                                  tensors.stretch(sides->second, stretch.dims)};
  return Value::tensor(tensors.pointwise("select", operands, operands[1].type.dtype));
}

Value runCast(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> tensor = evaluator.needTensor(call[0], "what `cast` converts");
  std::optional<DType> target = evaluator.needDType(call[1]);
  if (!tensor || !target) return Value();
  Tensor result = evaluator.tensors.cast(*tensor, *target);
  result.isLoose = false;
  return Value::tensor(result);
}

Value runStopGradient(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::Number)) return call[0].value;
  std::optional<Tensor> tensor = evaluator.needTensor(call[0], "the argument of `stop_gradient`");
  if (!tensor) return Value();
  return Value::tensor(evaluator.tensors.unary("stop_gradient", *tensor));
}

} // namespace

const BuiltinTable &pointwiseBuiltins() {
  static const BuiltinTable table = {
      {"exp", "x", runUnary, "exp"},           {"log", "x", runUnary, "log"},
      {"sqrt", "x", runUnary, "sqrt"},         {"rsqrt", "x", runUnary, "rsqrt"},
      {"tanh", "x", runUnary, "tanh"},         {"erf", "x", runUnary, "erf"},
      {"sin", "x", runUnary, "sin"},           {"cos", "x", runUnary, "cos"},
      {"abs", "x", runUnary, "abs"},           {"sign", "x", runUnary, "sign"},
      {"floor", "x", runUnary, "floor"},       {"ceil", "x", runUnary, "ceil"},
      {"round", "x", runUnary, "round"},       {"relu", "x", runUnary, "relu"},
      {"pow", "x, exponent", runPower},        {"clamp", "x, low, high", runClamp},
      {"where", "condition, a, b", runWhere},  {"cast", "x, dtype", runCast},
      {"stop_gradient", "x", runStopGradient},
  };
  return table;
}

} // namespace dlm::sema
