// Reductions and what is made of them. Over the batch axis they become sums over all samples,
// divided by the number of samples where a mean is meant.
#include "compiler/sema/Evaluator.h"
#include "compiler/sema/Probabilities.h"
#include "compiler/sema/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

bool isKept(Evaluator &evaluator, const BuiltinCall &call, size_t index) {
  return call.has(index) && evaluator.needBool(call[index], "`keep`").value_or(false);
}

/// The tensor and the axes of a call "x, over?, keep?", with the tensor as f32 if `wantsReal`.
struct Reduction {
  Tensor x;
  std::vector<int64_t> axes;
  bool keep = false;
};

std::optional<Reduction> reductionOf(Evaluator &evaluator, const BuiltinCall &call, size_t over,
                                     bool wantsReal) {
  std::string name = call.builtin.name;
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `" + name + "`");
  if (!x) return std::nullopt;
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, over, *x);
  if (!axes) return std::nullopt;
  DType dtype = x->type.dtype;
  if (wantsReal && dtype != DType::F32 && dtype != DType::Bool) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "`" + name + "` has no meaning for `" + dtypeName(dtype) + "`")
        .label(call[0].span, "is `" + typeText(x->type) + "`")
        .help("convert it with `cast(x, f32)`");
    return std::nullopt;
  }
  evaluator.tensors.span = call.span;
  if (wantsReal) x = evaluator.tensors.cast(*x, DType::F32);
  return Reduction{*x, *axes, isKept(evaluator, call, over + 1)};
}

/// A sum divided by the number of elements it adds up: a constant, and the number of samples if
/// the batch is among the axes.
Tensor divideByCount(Evaluator &evaluator, const Tensor &sum, const Reduction &reduction) {
  std::vector<Dim> dims;
  for (int64_t axis : reduction.axes)
    dims.push_back(reduction.x.type.dims[axis]);
  std::optional<Extent> count = elementCount(dims);
  bool isOne = !count || *count == Extent::whole(1); // a count that does not fit is reported later
  if (isOne) return sum;
  return evaluator.tensors.binary("div", sum, evaluator.sizeTensor(*count));
}

Tensor meanOf(Evaluator &evaluator, const Reduction &reduction) {
  Tensor sum = evaluator.tensors.reduce("add", reduction.x, reduction.axes, reduction.keep);
  return divideByCount(evaluator, sum, reduction);
}

Value runSum(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, false);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  DType dtype = reduction->x.type.dtype;
  Tensor x = dtype == DType::Bool || dtype == DType::U8 ? tensors.cast(reduction->x, DType::I64)
                                                        : reduction->x;
  return Value::tensor(tensors.reduce("add", x, reduction->axes, reduction->keep));
}

Value runMean(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  return Value::tensor(meanOf(evaluator, *reduction));
}

Value runVariance(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  Reduction centred = *reduction;
  centred.keep = true;
  Tensor mean = tensors.stretch(meanOf(evaluator, centred), reduction->x.type.dims);
  Tensor rest = tensors.binary("sub", reduction->x, mean);
  reduction->x = tensors.binary("mul", rest, rest);
  Tensor variance = meanOf(evaluator, *reduction);
  bool isDeviation = std::string(call.builtin.detail) == "std";
  return Value::tensor(isDeviation ? tensors.unary("sqrt", variance) : variance);
}

/// `max(x, over = ...)` reduces, `max(a, b)` chooses by element.
Value runExtreme(Evaluator &evaluator, const BuiltinCall &call) {
  std::string kind = call.builtin.detail;
  if (call.has(1)) return evaluator.binary(kind, call[0], call[1], call.span, call.span);
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 2, false);
  if (!reduction) return Value();
  if (reduction->x.type.dtype == DType::Bool) {
    evaluator.report(Kind::DtypeMismatch, call[0].span, "`" + kind + "` has no meaning for `bool`");
    return Value();
  }
  return Value::tensor(
      evaluator.tensors.reduce(kind, reduction->x, reduction->axes, reduction->keep));
}

Value runArgmax(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, false);
  if (!reduction) return Value();
  if (reduction->axes.size() != 1) {
    evaluator.report(Kind::AxisMismatch, call.span, "`argmax` goes over one axis");
    return Value();
  }
  int64_t axis = reduction->axes[0];
  if (reduction->x.type.dims[axis].isBatch()) {
    evaluator.report(Kind::CoupledBatch, call.span, "`argmax` goes over the batch")
        .help("over the batch, `sum`, `mean`, `max` and `min` are defined");
    return Value();
  }
  return Value::tensor(evaluator.tensors.argmax(reduction->x, axis));
}

/// x minus its maximum over the axes. The maximum is a constant to differentiation: it cancels
/// in what is computed from the difference.
Tensor shifted(TensorWriter &tensors, const Reduction &reduction, Tensor &maximum) {
  maximum =
      tensors.unary("stop_gradient", tensors.reduce("max", reduction.x, reduction.axes, true));
  return tensors.binary("sub", reduction.x, tensors.stretch(maximum, reduction.x.type.dims));
}

Value runSoftmax(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  if (isSoftmax(tensors, reduction->x))
    evaluator.report(Kind::RepeatedSoftmax, call.span, "the softmax of a softmax is taken")
        .help("leave one out; `cross_entropy` takes logits and has a softmax inside");
  const std::vector<Dim> &dims = reduction->x.type.dims;
  Tensor maximum;
  Tensor rest = shifted(tensors, *reduction, maximum);
  Tensor power = tensors.unary("exp", rest);
  Tensor sum = tensors.reduce("add", power, reduction->axes, true);
  if (std::string(call.builtin.detail) == "softmax")
    return Value::tensor(tensors.binary("div", power, tensors.stretch(sum, dims)));
  return Value::tensor(
      tensors.binary("sub", rest, tensors.stretch(tensors.unary("log", sum), dims)));
}

Value runLogSumExp(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  Tensor maximum;
  Tensor power = tensors.unary("exp", shifted(tensors, *reduction, maximum));
  Tensor sum = tensors.reduce("add", power, reduction->axes, true);
  Tensor result = tensors.binary("add", tensors.unary("log", sum), maximum);
  if (reduction->keep) return Value::tensor(result);
  std::vector<Dim> dims;
  for (size_t i = 0; i < reduction->x.type.dims.size(); ++i)
    if (!std::count(reduction->axes.begin(), reduction->axes.end(), int64_t(i)))
      dims.push_back(reduction->x.type.dims[i]);
  return Value::tensor(tensors.reshape(result, dims));
}

} // namespace

const BuiltinTable &reductionBuiltins() {
  static const BuiltinTable table = {
      {"sum", "x, over?, keep?", runSum},
      {"mean", "x, over?, keep?", runMean},
      {"var", "x, over?, keep?", runVariance, "var"},
      {"std", "x, over?, keep?", runVariance, "std"},
      {"max", "x, other?, over?, keep?", runExtreme, "max"},
      {"min", "x, other?, over?, keep?", runExtreme, "min"},
      {"argmax", "x, over?", runArgmax},
      {"softmax", "x, over", runSoftmax, "softmax"},
      {"log_softmax", "x, over", runSoftmax, "log_softmax"},
      {"logsumexp", "x, over?, keep?", runLogSumExp},
  };
  return table;
}

} // namespace dlm::sema
