// Reductions and what is made of them. Over the batch axis they become sums over all samples,
// divided by the number of samples where a mean is meant; with `where`, by the number of elements
// that the mask lets through.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Probabilities.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The tensor, the axes and the mask of a call "x, over?, keep?, where?".
struct Reduction {
  Tensor x;
  std::vector<int64_t> axes;
  bool keep = false;
  std::optional<Tensor> mask; // of the shape of x
};

/// The argument `where`, stretched to the shape of x.
std::optional<Tensor> maskOf(Evaluator &evaluator, const Operand &given, const Operand &subject,
                             const Tensor &x) {
  std::optional<Tensor> mask = evaluator.needTensor(given, "`where`");
  if (!mask) return std::nullopt;
  if (mask->type.dtype != DType::Bool) {
    bool isLibrary = evaluator.report.libraryFiles.count(given.span.file) != 0;
    std::string text(isLibrary ? "mask" : evaluator.sources.text(given.span));
    bool isPlain = text.find(' ') == std::string::npos;
    std::string meant = (isPlain ? text : "(" + text + ")") + " > 0";
    std::string advice = "a comparison makes a mask: `" + meant + "`";
    evaluator
        .report(Kind::DtypeMismatch, given.span,
                "`where` is a bool tensor, and this is `" + typeText(mask->type) + "`")
        .help(advice, isLibrary ? Span() : given.span, meant);
    return std::nullopt;
  }
  Stretch stretch = stretchShapes(mask->type.dims, x.type.dims);
  if (stretch.fits && sameShape(stretch.dims, x.type.dims))
    return evaluator.tensors.stretch(*mask, x.type.dims);
  evaluator
      .report(Kind::ShapeMismatch, given.span,
              "`where` chooses among elements of `" + shapeText(x.type.dims) +
                  "`, and has the shape `" + shapeText(mask->type.dims) + "`")
      .secondary(subject.span, "is `" + typeText(x.type) + "`");
  return std::nullopt;
}

/// What a reduction is called with; `over` is the index of that parameter. With `wantsReal`, bools
/// are 0 and 1 of `f32`, and integers have no meaning.
std::optional<Reduction> reductionOf(Evaluator &evaluator, const BuiltinCall &call, size_t over,
                                     bool wantsReal) {
  std::string name = call.builtin.name;
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `" + name + "`");
  if (!x) return std::nullopt;
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, over, *x);
  if (!axes) return std::nullopt;
  DType dtype = x->type.dtype;
  if (wantsReal && !isReal(dtype) && dtype != DType::Bool) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "`" + name + "` has no meaning for `" + dtypeName(dtype) + "`")
        .label(call[0].span, "is `" + typeText(x->type) + "`")
        .helpCast("it", call[0].span);
    return std::nullopt;
  }
  evaluator.tensors.span = call.span;
  if (wantsReal && dtype == DType::Bool) x = evaluator.tensors.cast(*x, DType::F32);
  std::optional<bool> keep = false;
  if (const Operand *given = call.find("keep")) keep = evaluator.needBool(*given, "`keep`");
  if (!keep) return std::nullopt;
  Reduction result = {*x, *axes, *keep, std::nullopt};
  const Operand *mask = call.find("where");
  if (!mask || mask->value.is(ValueKind::None)) return result;
  result.mask = maskOf(evaluator, *mask, call[0], *x);
  if (!result.mask) return std::nullopt;
  return result;
}

/// x where the mask holds, a constant elsewhere.
Tensor masked(TensorWriter &tensors, const Reduction &reduction, double otherwise) {
  const Tensor &x = reduction.x;
  if (!reduction.mask) return x;
  Tensor rest = tensors.stretch(tensors.constant(otherwise, x.type.dtype), x.type.dims);
  return tensors.pointwise("select", {*reduction.mask, x, rest}, x.type.dtype);
}

/// The number of elements that are reduced to one, in the type of x.
Tensor countOf(Evaluator &evaluator, const Reduction &reduction) {
  TensorWriter &tensors = evaluator.tensors;
  DType dtype = reduction.x.type.dtype;
  if (reduction.mask)
    return tensors.reduce("add", tensors.cast(*reduction.mask, dtype), reduction.axes,
                          reduction.keep);
  std::vector<Dim> dims;
  for (int64_t axis : reduction.axes)
    dims.push_back(reduction.x.type.dims[axis]);
  std::optional<Extent> count = elementCount(dims); // one that does not fit is reported later
  return tensors.cast(evaluator.sizeTensor(count.value_or(Extent::whole(1))), dtype);
}

/// The sum divided by the number of elements less `less`.
Tensor meanOf(Evaluator &evaluator, const Reduction &reduction, double less = 0) {
  TensorWriter &tensors = evaluator.tensors;
  Tensor sum = tensors.reduce("add", masked(tensors, reduction, 0), reduction.axes, reduction.keep);
  Tensor count = countOf(evaluator, reduction);
  const Node &node = tensors.node(count);
  if (less == 0 && node.op == "constant" && node.number == 1) return sum;
  if (less != 0) count = tensors.binary("sub", count, tensors.constant(less, count.type.dtype));
  return tensors.binary("div", sum, count);
}

/// The mean itself. Over all training samples rounding would carry it a little off, and the
/// deviation of equal numbers would be a remainder that people divide by: here it stays between the
/// least and the largest element, so equal numbers have themselves for a mean, and deviation 0.
Tensor centreOf(Evaluator &evaluator, const Reduction &reduction) {
  Tensor mean = meanOf(evaluator, reduction);
  if (!evaluator.context.isFit || reduction.x.type.dtype != DType::F32) return mean;
  TensorWriter &tensors = evaluator.tensors;
  for (auto [kind, worst, beyond] : {std::tuple("min", highestNumber(DType::F32), "lt"),
                                     std::tuple("max", lowestNumber(DType::F32), "gt")}) {
    Tensor extreme =
        tensors.reduce(kind, masked(tensors, reduction, worst), reduction.axes, reduction.keep);
    // A mean of nothing is NaN, which is beyond nothing, and stays.
    Tensor isBeyond = tensors.pointwise("compare", {mean, extreme}, DType::Bool, beyond);
    mean = tensors.pointwise("select", {isBeyond, extreme, mean}, DType::F32);
  }
  return mean;
}

/// The elements of a list put together by an operator: `sum([a, b])`, `max([1, 2])`.
Value foldList(Evaluator &evaluator, const BuiltinCall &call, const std::string &op) {
  const std::vector<Value> &items = call[0].value.asList();
  if (items.empty() && op == "+") return Value::whole(0);
  if (items.empty()) {
    evaluator.report(Kind::TypeMismatch, call[0].span,
                     "`" + std::string(call.builtin.name) + "` of an empty list has no value");
    return Value();
  }
  Operand result = {items[0], nullptr, call[0].span};
  for (size_t i = 1; i < items.size(); ++i)
    result.value =
        evaluator.binary(op, result, {items[i], nullptr, call[0].span}, call.span, call[0].span);
  return result.value;
}

Value runSum(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::List)) return foldList(evaluator, call, "+");
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, false);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  DType dtype = reduction->x.type.dtype;
  bool isNarrow = dtype == DType::Bool || dtype == DType::U8 || dtype == DType::I8;
  if (isNarrow) reduction->x = tensors.cast(reduction->x, DType::I64);
  return Value::tensor(
      tensors.reduce("add", masked(tensors, *reduction, 0), reduction->axes, reduction->keep));
}

Value runMean(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  return Value::tensor(centreOf(evaluator, *reduction));
}

/// Whether the reduction goes over samples that an evaluation sees a part of at a time.
bool isOverParts(const Evaluator &evaluator, const Reduction &reduction) {
  const std::vector<Dim> &dims = reduction.x.type.dims;
  return evaluator.context.training == false && !evaluator.context.test &&
         std::any_of(reduction.axes.begin(), reduction.axes.end(),
                     [&](int64_t axis) { return dims[size_t(axis)].extent.countsSamples(); });
}

/// The mean of the squared distances from the mean.
Tensor varianceOf(Evaluator &evaluator, const Reduction &reduction, double less) {
  TensorWriter &tensors = evaluator.tensors;
  Reduction centred = reduction;
  centred.keep = true;
  Tensor mean = tensors.stretch(centreOf(evaluator, centred), reduction.x.type.dims);
  Tensor rest = tensors.binary("sub", reduction.x, mean);
  Reduction squares = reduction;
  squares.x = tensors.binary("mul", rest, rest);
  return meanOf(evaluator, squares, less);
}

/// The same where an evaluation sees a part of the samples at a time: what the parts have is put
/// together by their numbers, means and squared distances.
Tensor varianceOfParts(Evaluator &evaluator, const Reduction &reduction, double less) {
  TensorWriter &tensors = evaluator.tensors;
  Tensor squares =
      tensors.squaredDistances(reduction.x, reduction.mask, reduction.axes, reduction.keep);
  Tensor count = countOf(evaluator, reduction);
  if (less != 0) count = tensors.binary("sub", count, tensors.constant(less, count.type.dtype));
  return tensors.binary("div", squares, count);
}

Value runVariance(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  std::optional<Number> less = Number::whole(0);
  if (call.has(4)) less = evaluator.needNumber(call[4], "`ddof`");
  if (!reduction || !less) return Value();
  Tensor variance = isOverParts(evaluator, *reduction)
                        ? varianceOfParts(evaluator, *reduction, less->toReal())
                        : varianceOf(evaluator, *reduction, less->toReal());
  bool isDeviation = std::string(call.builtin.detail) == "std";
  return Value::tensor(isDeviation ? evaluator.tensors.unary("sqrt", variance) : variance);
}

/// `max(x, over = ...)` reduces, `max(a, b)` chooses by element.
Value runExtreme(Evaluator &evaluator, const BuiltinCall &call) {
  std::string kind = call.builtin.detail;
  if (call.has(1)) return evaluator.binary(kind, call[0], call[1], call.span, call.span);
  if (call[0].value.is(ValueKind::List)) return foldList(evaluator, call, kind);
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 2, false);
  if (!reduction) return Value();
  DType dtype = reduction->x.type.dtype;
  if (dtype == DType::Bool) {
    evaluator.report(Kind::DtypeMismatch, call[0].span, "`" + kind + "` has no meaning for `bool`")
        .help(kind == "max" ? "`any(x)` says whether one of them is true"
                            : "`all(x)` says whether all of them are true");
    return Value();
  }
  double worst = kind == "max" ? lowestNumber(dtype) : highestNumber(dtype);
  TensorWriter &tensors = evaluator.tensors;
  return Value::tensor(
      tensors.reduce(kind, masked(tensors, *reduction, worst), reduction->axes, reduction->keep));
}

/// `count`, `any` and `all`: how many elements are true, and what that says.
Value runCount(Evaluator &evaluator, const BuiltinCall &call) {
  std::string name = call.builtin.name;
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, false);
  if (!reduction) return Value();
  if (reduction->x.type.dtype != DType::Bool) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "`" + name + "` goes over bools, and this is `" + typeText(reduction->x.type) + "`")
        .help("compare first: `" + name + "(x > 0)`");
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  bool isAll = name == "all";
  if (isAll) reduction->x = tensors.unary("not", reduction->x);
  reduction->x = tensors.cast(reduction->x, DType::I64);
  Tensor count =
      tensors.reduce("add", masked(tensors, *reduction, 0), reduction->axes, reduction->keep);
  if (name == "count") return Value::tensor(count);
  Tensor zero = tensors.stretch(tensors.constant(0, DType::I64), count.type.dims);
  return Value::tensor(
      tensors.pointwise("compare", {count, zero}, DType::Bool, isAll ? "eq" : "gt"));
}

/// The root of a sum of squares; its gradient at 0 is 0, where that of a root has no value.
Tensor rootOf(TensorWriter &tensors, const Tensor &square) {
  auto splat = [&](double value) {
    return tensors.stretch(tensors.constant(value, square.type.dtype), square.type.dims);
  };
  Tensor isThere = tensors.pointwise("compare", {square, splat(0)}, DType::Bool, "ne");
  Tensor safe = tensors.pointwise("select", {isThere, square, splat(1)}, square.type.dtype);
  Tensor root = tensors.unary("sqrt", safe);
  return tensors.pointwise("select", {isThere, root, splat(0)}, square.type.dtype);
}

Tensor normOf(TensorWriter &tensors, Reduction reduction) {
  reduction.x = tensors.binary("mul", reduction.x, reduction.x);
  Tensor square =
      tensors.reduce("add", masked(tensors, reduction, 0), reduction.axes, reduction.keep);
  return rootOf(tensors, square);
}

Value runNorm(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  return Value::tensor(normOf(evaluator.tensors, *reduction));
}

/// x divided by its norm along the axes.
Value runNormalize(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `normalize`");
  if (!x) return Value();
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, 1, *x);
  std::optional<Number> floor = Number::fromReal(1e-12);
  if (call.has(2)) floor = evaluator.needNumber(call[2], "`eps`");
  if (!axes || !floor) return Value();
  if (!isReal(x->type.dtype)) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "`normalize` has no meaning for `" + std::string(dtypeName(x->type.dtype)) + "`")
        .helpCast("it", call[0].span);
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  Tensor norm = normOf(tensors, {*x, *axes, true, std::nullopt});
  Tensor least = tensors.constant(floor->toReal(), norm.type.dtype);
  Tensor divisor = tensors.binary("max", norm, tensors.stretch(least, norm.type.dims));
  return Value::tensor(tensors.binary("div", *x, tensors.stretch(divisor, x->type.dims)));
}

/// x minus its maximum over the axes, 0 where the mask does not hold. The maximum is a constant to
/// differentiation: it cancels in what is computed from the difference.
Tensor shifted(TensorWriter &tensors, const Reduction &reduction, Tensor &maximum) {
  double lowest = lowestNumber(reduction.x.type.dtype);
  Tensor among = masked(tensors, reduction, lowest);
  maximum = tensors.unary("stop_gradient", tensors.reduce("max", among, reduction.axes, true));
  Reduction rest = reduction;
  rest.x = tensors.binary("sub", reduction.x, tensors.stretch(maximum, reduction.x.type.dims));
  return masked(tensors, rest, 0);
}

/// exp of the difference, 0 where the mask does not hold.
Tensor powers(TensorWriter &tensors, const Reduction &reduction, const Tensor &rest) {
  Reduction power = reduction;
  power.x = tensors.unary("exp", rest);
  return masked(tensors, power, 0);
}

void warnOfSoftmax(Evaluator &evaluator, Span first, Span second) {
  Span shown = evaluator.report.placeToShow(second);
  bool isInside = !(shown == second); // of a loss of the library
  Report message(evaluator.report, Kind::RepeatedSoftmax, second,
                 "the softmax of a softmax is taken");
  message.withoutLibrary();
  bool isWithin = first.file == shown.file && shown.begin <= first.begin && first.end <= shown.end;
  if (isWithin)
    message.secondary(first, "the first one");
  else
    message.note(first, "the first one is here");
  message.help(isInside ? "leave this `softmax` out: the loss takes logits and has one inside"
                        : "leave one out");
}

Value runSoftmax(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Reduction> reduction = reductionOf(evaluator, call, 1, true);
  if (!reduction) return Value();
  TensorWriter &tensors = evaluator.tensors;
  if (Span first = softmaxBehind(tensors, reduction->x); first.isValid())
    warnOfSoftmax(evaluator, first, call.span);
  const std::vector<Dim> &dims = reduction->x.type.dims;
  Tensor maximum;
  Tensor rest = shifted(tensors, *reduction, maximum);
  Tensor power = powers(tensors, *reduction, rest);
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
  Tensor power = powers(tensors, *reduction, shifted(tensors, *reduction, maximum));
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
      {"sum", "x, over?, keep?, where?", runSum},
      {"mean", "x, over?, keep?, where?", runMean},
      {"var", "x, over?, keep?, where?, ddof?", runVariance, "var"},
      {"std", "x, over?, keep?, where?, ddof?", runVariance, "std"},
      {"max", "x, other?, over?, keep?, where?", runExtreme, "max"},
      {"min", "x, other?, over?, keep?, where?", runExtreme, "min"},
      {"count", "x, over?, keep?, where?", runCount},
      {"any", "x, over?, keep?, where?", runCount},
      {"all", "x, over?, keep?, where?", runCount},
      {"norm", "x, over?, keep?, where?", runNorm},
      {"normalize", "x, over, eps?", runNormalize},
      {"softmax", "x, over, where?", runSoftmax, "softmax"},
      {"log_softmax", "x, over", runSoftmax, "log_softmax"},
      {"logsumexp", "x, over?, keep?, where?", runLogSumExp},
  };
  return table;
}

} // namespace dlm::sema
