// `grad(f)`: the function that gives the gradient of f at a point. The point becomes a node of its
// own, `variable`, so that only what f makes of it counts; differentiation itself comes later.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Gradients.h"
#include "compiler/sema/value/DTypes.h"

namespace dlm::sema {

namespace {

/// Calls `grad(f)` with its argument; the receiver is f.
Value runGradient(Evaluator &evaluator, const BuiltinCall &call) {
  TensorWriter &tensors = evaluator.tensors;
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of a gradient");
  if (!x) return Value();
  if (!isReal(x->type.dtype)) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "a gradient is taken at real numbers, and this is `" + typeText(x->type) + "`")
        .helpCast("it", call[0].span);
    return Value();
  }
  Node point;
  point.op = "variable";
  point.type = x->type;
  Tensor variable = tensors.emit(std::move(point), {*x});
  std::vector<CallArgument> arguments;
  arguments.push_back({"", {}, {Value::tensor(variable), nullptr, call[0].span}, true});
  Operand function = {*call.receiver, nullptr, call.span};
  Value value = evaluator.call(function, std::move(arguments), call.scope, call.span);
  if (value.isPoison()) return Value();
  bool isNumber = value.is(ValueKind::Tensor) && value.asTensor().type.dims.empty() &&
                  isReal(value.asTensor().type.dtype);
  if (!isNumber) {
    evaluator
        .report(Kind::ResultType, call.span,
                "`grad` is of a function that gives one real number, and this one gives " +
                    value.describe())
        .help("`sum(y)` of what it gives has as its gradient that of each element");
    return Value();
  }
  tensors.span = call.span;
  NodeId result = tensors.use(value.asTensor()), at = tensors.use(variable);
  if (!reachedByGradients(tensors.current().graph, {result})[at]) {
    evaluator.report(Kind::NoGradient, call.span,
                     "no gradient reaches the argument from what the function gives");
    return Value();
  }
  Node node;
  node.op = "gradient_of";
  node.type = x->type;
  return Value::tensor(tensors.emit(std::move(node), {value.asTensor(), variable}));
}

Value runGrad(Evaluator &evaluator, const BuiltinCall &call) {
  static const Builtin gradient = {"grad", "x", runGradient};
  if (call[0].value.isCallable() || call[0].value.is(ValueKind::List))
    return Value::method(gradient, call[0].value);
  evaluator
      .report(Kind::TypeMismatch, call[0].span,
              "`grad` takes a function, and this is " + call[0].value.describe())
      .help("write `grad(fn(x) { ... })(point)`");
  return Value();
}

} // namespace

const BuiltinTable &gradientBuiltins() {
  static const BuiltinTable table = {{"grad", "f", runGrad}};
  return table;
}

} // namespace dlm::sema
