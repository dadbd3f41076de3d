// Functions that change shapes or tell them.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/AcrossSamples.h"
#include "compiler/sema/tensor/ShapeAdvice.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <utility>

namespace dlm::sema {

namespace {

Value runReshape(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `reshape`");
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[1]);
  if (!x || !dims) return Value();
  std::optional<Extent> count = elementCount(x->type.dims), wanted = elementCount(*dims);
  if (!count || !wanted || *count != *wanted) {
    auto isPerSample = [](const std::optional<Extent> &size) {
      return size && Extent::divide(*size, Extent::batch()).has_value();
    };
    bool arePerSample = isPerSample(count) && isPerSample(wanted);
    auto text = [&](const std::optional<Extent> &size) -> std::string {
      if (!size) return "more than 2 ** 63";
      return (arePerSample ? *Extent::divide(*size, Extent::batch()) : *size).text();
    };
    Report message(evaluator.report, Kind::ShapeMismatch, call[1].span,
                   "`reshape` turns " + text(count) + " elements into " + text(wanted) +
                       (arePerSample ? " for each sample" : ""));
    message.label(call[1].span, "is `" + shapeText(*dims) + "`");
    message.secondary(call[0].span, "is `" + typeText(x->type) + "`");
    if (call[0].declared.isValid()) message.note(call[0].declared, "declared here");
    message.help(adviceForReshape(x->type.dims, *dims));
    return Value();
  }
  evaluator.tensors.span = call.span;
  return Value::tensor(evaluator.tensors.reshape(*x, std::move(*dims)));
}

/// Stretches x to a shape: axes in front are new, and those of size 1 are repeated.
Value runExpand(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `expand`");
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[1]);
  if (!x || !dims) return Value();
  const std::vector<Dim> &from = x->type.dims;
  size_t lead = dims->size() - std::min(dims->size(), from.size());
  bool fits = from.size() <= dims->size();
  for (size_t i = 0; fits && i < from.size(); ++i) {
    Dim &dim = (*dims)[lead + i];
    fits = sameSize(from[i], dim) || (from[i].isWhole() && from[i].size() == 1);
    if (sameSize(from[i], dim) && dim.name.empty()) dim.name = from[i].name;
  }
  if (fits) return Value::tensor(evaluator.tensors.stretch(*x, *dims));
  evaluator
      .report(Kind::ShapeMismatch, call[1].span,
              "`expand` cannot make `" + shapeText(*dims) + "` of `" + shapeText(from) + "`")
      .secondary(call[0].span, "is `" + typeText(x->type) + "`")
      .note("axes in front are added, and an axis of size 1 is repeated; others stay");
  return Value();
}

/// Repeats x along the further axes of y: its own are the first of y.
Value runExpandLike(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `expand_like`");
  std::optional<Tensor> y = evaluator.needTensor(call[1], "the model of `expand_like`");
  if (!x || !y) return Value();
  const std::vector<Dim> &from = x->type.dims, &to = y->type.dims;
  std::vector<Dim> padded = from;
  bool fits = from.size() <= to.size();
  for (size_t i = 0; fits && i < to.size(); ++i) {
    if (i >= from.size()) padded.push_back(Dim::one());
    fits = sameSize(padded[i], to[i]) || (padded[i].isWhole() && padded[i].size() == 1);
  }
  TensorWriter &tensors = evaluator.tensors;
  if (fits) return Value::tensor(tensors.stretch(tensors.reshape(*x, std::move(padded)), to));
  evaluator
      .report(Kind::ShapeMismatch, call[0].span,
              "`expand_like` cannot make `" + shapeText(to) + "` of `" + shapeText(from) + "`")
      .label(call[0].span, "is `" + typeText(x->type) + "`")
      .secondary(call[1].span, "is `" + typeText(y->type) + "`")
      .note("its axes are the first of the result, and further ones are added behind");
  return Value();
}

Value runShape(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `shape`");
  if (!x) return Value();
  std::vector<Value> sizes;
  for (const Dim &dim : x->type.dims)
    sizes.push_back(Value::size(dim.extent));
  return Value::list(std::move(sizes));
}

/// The number of elements, or of those along the axes.
Value runSize(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `size`");
  if (!x) return Value();
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, 1, *x);
  if (!axes) return Value();
  Extent size = Extent::whole(1);
  for (int64_t axis : *axes)
    size = Extent::multiply(size, x->type.dims[axis].extent).value_or(size);
  return Value::size(size);
}

/// Whether each class is that of the id: a bool tensor with one more dimension.
Value runOneHot(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> ids = evaluator.needTensor(call[0], "the ids of `one_hot`");
  if (call[1].value.is(ValueKind::Size) && call[1].value.asSize().countsSamples()) {
    bool isSaid = std::exchange(evaluator.program.hints.areSamplesClasses, true);
    if (!isSaid)
      evaluator
          .report(Kind::CoupledBatch, call[1].span,
                  "each sample of the batch would be a class, and a run computes parts of a batch")
          .help(groupsAdvice);
    return Value();
  }
  std::optional<int64_t> classes = evaluator.needInt(call[1], "the number of classes");
  if (!ids || !classes) return Value();
  if (!isInteger(ids->type.dtype)) {
    evaluator.report(Kind::DtypeMismatch, call[0].span,
                     "class ids are whole numbers, and these are `" + typeText(ids->type) + "`");
    return Value();
  }
  if (*classes < 1) {
    evaluator.report(Kind::BadSize, call[1].span,
                     "there is at least 1 class, and this is " + std::to_string(*classes));
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  std::vector<Dim> dims = ids->type.dims, narrow = dims;
  dims.push_back(Dim::whole(*classes));
  narrow.push_back(Dim::one());
  tensors.span = call.span;
  Tensor index = tensors.iota({dims.back()}, 0, DType::I32);
  if (ids->type.dtype != DType::I32) index = tensors.cast(index, ids->type.dtype);
  return Value::tensor(tensors.pointwise(
      "compare",
      {tensors.stretch(tensors.reshape(*ids, narrow), dims), tensors.stretch(index, dims)},
      DType::Bool, "eq"));
}

} // namespace

const BuiltinTable &shapeBuiltins() {
  static const BuiltinTable table = {
      {"reshape", "x, shape", runReshape},
      {"one_hot", "ids, classes", runOneHot},
      {"expand", "x, shape", runExpand},
      {"expand_like", "x, y", runExpandLike},
      {"shape", "x", runShape},
      {"size", "x, over?", runSize},
  };
  return table;
}

} // namespace dlm::sema
