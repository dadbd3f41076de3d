// The module `random`: tensors drawn anew in every step. Two distributions and whole numbers are
// operations; the others are made of them.
//
//   bernoulli     uniform < p
//   categorical   the largest of logits + Gumbel noise (Gumbel, 1954)
//   permutation   the order of uniform numbers
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Probabilities.h"
#include "compiler/sema/tensor/ScalarValues.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

namespace dlm::sema {

namespace {

/// The numbers `a` and `b` a distribution is scaled with, each possibly of the running program.
Value scaledBy(Evaluator &evaluator, const BuiltinCall &call, Tensor x, const Operand &factor,
               const Operand &offset) {
  Operand result = {Value::tensor(std::move(x)), nullptr, call.span};
  bool hasFactor = factor.expr || !factor.value.isPoison();
  bool hasOffset = offset.expr || !offset.value.isPoison();
  if (hasFactor) result.value = evaluator.binary("*", result, factor, call.span, call.span);
  if (hasOffset) result.value = evaluator.binary("+", result, offset, call.span, call.span);
  return result.value;
}

/// The shape, of which the sizes may have been given one by one: `normal(n, m)`.
std::optional<std::vector<Dim>> shapeOf(Evaluator &evaluator, const BuiltinCall &call) {
  auto isSize = [](const Value &value) {
    return value.is(ValueKind::Number) || value.is(ValueKind::Size);
  };
  bool areSizes = isSize(call[0].value) && call.has(1) && isSize(call[1].value);
  if (!areSizes || !call[0].expr || !call[1].expr) return evaluator.needShape(call[0]);
  Span all = cover(call[0].span, call[1].span);
  std::string text = "[" + std::string(evaluator.sources.text(all)) + "]";
  if (text.find('=') != std::string::npos) return evaluator.needShape(call[0]);
  evaluator.report(Kind::TypeMismatch, all, "a shape is one list of sizes, and these are numbers")
      .help("sizes stand in square brackets: `" + text + "`", all, text);
  return std::nullopt;
}

Value runRandomNormal(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Dim>> dims = shapeOf(evaluator, call);
  if (!dims) return Value();
  return scaledBy(evaluator, call, evaluator.tensors.random("normal", *dims), call[2], call[1]);
}

Value runRandomUniform(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Dim>> dims = shapeOf(evaluator, call);
  if (!dims) return Value();
  Operand width = call[2];
  if (call.has(1)) {
    Operand high = call.has(2) ? call[2] : Operand{Value::whole(1), nullptr, call.span};
    width = {evaluator.binary("-", high, call[1], call.span, call.span), nullptr, call.span};
  }
  return scaledBy(evaluator, call, evaluator.tensors.random("uniform", *dims), width, call[1]);
}

/// True with probability p, which is a number or a tensor.
Value runBernoulli(Evaluator &evaluator, const BuiltinCall &call) {
  const Value &p = call[0].value;
  std::optional<std::vector<Dim>> dims;
  if (call.has(1)) {
    dims = evaluator.needShape(call[1]);
  } else {
    std::optional<Tensor> shares = evaluator.needTensor(call[0], "the probability");
    if (shares) dims = shares->type.dims;
  }
  if (!dims) return Value();
  std::optional<double> known = valueSoFar(evaluator, p);
  if (known && !(*known >= 0 && *known <= 1)) {
    evaluator.report(Kind::NumberRange, call[0].span,
                     "a probability is between 0 and 1, and this is " +
                         (p.is(ValueKind::Number) ? p.text() : formatReal(*known)));
    return Value();
  }
  Operand drawn = {Value::tensor(evaluator.tensors.random("uniform", *dims)), nullptr, call.span};
  return evaluator.binary("<", drawn, call[0], call.span, call.span);
}

/// An index of the last axis, with the probabilities that softmax gives the logits.
Value runCategorical(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> logits = evaluator.needTensor(call[0], "the logits of `categorical`");
  if (!logits) return Value();
  if (!isReal(logits->type.dtype) || logits->type.dims.empty()) {
    evaluator.report(Kind::DtypeMismatch, call[0].span,
                     "logits are real numbers along an axis, and this is `" +
                         typeText(logits->type) + "`");
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  if (softmaxBehind(tensors, *logits).isValid())
    evaluator
        .report(Kind::RepeatedSoftmax, call[0].span,
                "`categorical` takes logits, and these are probabilities")
        .help("leave the softmax out: `categorical` draws with the probabilities of "
              "`softmax(logits)`");
  Tensor uniform = tensors.random("uniform", logits->type.dims);
  Tensor waiting = tensors.unary("neg", tensors.unary("log", uniform));
  Tensor noise = tensors.cast(tensors.unary("log", waiting), logits->type.dtype);
  Node node;
  node.op = "argmax";
  node.ints = {int64_t(logits->type.dims.size()) - 1};
  node.type = {DType::I32, logits->type.dims};
  node.type.dims.pop_back();
  return Value::tensor(tensors.emit(std::move(node), {tensors.binary("sub", *logits, noise)}));
}

/// Whole numbers from low up to, not including, high.
Value runRandomInt(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<int64_t> low = evaluator.needInt(call[0], "`low`");
  std::optional<int64_t> high = evaluator.needInt(call[1], "`high`");
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[2]);
  if (!low || !high || !dims) return Value();
  bool fits = canHold(DType::I32, Number::whole(*low)) && canHold(DType::I32, Number::whole(*high));
  if (*low >= *high || !fits) {
    evaluator
        .report(Kind::NumberRange, call[1].span,
                fits ? "there is no number from " + std::to_string(*low) + " to below " +
                           std::to_string(*high)
                     : "`random.int` gives numbers that fit into `i32`")
        .secondary(call[0].span, "is " + std::to_string(*low));
    return Value();
  }
  Node node;
  node.op = "random";
  node.text = "int";
  node.ints = {*low, *high};
  node.type = {DType::I32, *dims};
  return Value::tensor(evaluator.tensors.emit(std::move(node), {}));
}

/// The numbers below n in an order of chance.
Value runPermutation(Evaluator &evaluator, const BuiltinCall &call) {
  Operand list = {Value::list({call[0].value}), nullptr, call[0].span};
  std::optional<std::vector<Dim>> dims = evaluator.needShape(list);
  if (!dims) return Value();
  Node node;
  node.op = "order";
  node.ints = {0, 0};
  node.type = {DType::I32, *dims};
  Tensor drawn = evaluator.tensors.random("uniform", *dims);
  return Value::tensor(evaluator.tensors.emit(std::move(node), {drawn}));
}

} // namespace

const BuiltinTable &randomBuiltins() {
  static const BuiltinTable table = {
      {"normal", "shape, mean?, std?", runRandomNormal},
      {"uniform", "shape, low?, high?", runRandomUniform},
      {"bernoulli", "p, shape?", runBernoulli},
      {"categorical", "logits", runCategorical},
      {"int", "low, high, shape", runRandomInt},
      {"permutation", "n", runPermutation},
  };
  return table;
}

} // namespace dlm::sema
