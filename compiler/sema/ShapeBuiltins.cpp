// Functions that change shapes, make tensors from sizes, or work on lists.
#include "compiler/sema/Evaluator.h"
#include "compiler/sema/Shapes.h"

#include <algorithm>

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
    return Value();
  }
  evaluator.tensors.span = call.span;
  return Value::tensor(evaluator.tensors.reshape(*x, std::move(*dims)));
}

DType dtypeArgument(Evaluator &evaluator, const BuiltinCall &call, size_t index) {
  if (!call.has(index)) return DType::F32;
  std::string name = evaluator.needString(call[index], "the dtype").value_or("f32");
  for (DType dtype : {DType::Bool, DType::U8, DType::I32, DType::I64})
    if (name == dtypeName(dtype)) return dtype;
  return DType::F32;
}

/// `zeros([n])` is a tensor, `zeros` alone an initialiser.
Value runSplat(Evaluator &evaluator, const BuiltinCall &call) {
  double value = std::string(call.builtin.detail) == "ones" ? 1 : 0;
  if (!call.has(0)) return Value::initialiser({"constant", value, 0});
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[0]);
  if (!dims) return Value();
  return Value::tensor(evaluator.tensors.constant(value, dtypeArgument(evaluator, call, 1), *dims));
}

Value runFull(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[0]);
  std::optional<Number> value = evaluator.needNumber(call[1], "the value of `full`");
  if (!dims || !value) return Value();
  return Value::tensor(
      evaluator.tensors.constant(value->toReal(), dtypeArgument(evaluator, call, 2), *dims));
}

Value runIota(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Extent> count = evaluator.needSize(call[0], "the length of `iota`");
  if (!count) return Value();
  const ast::Expr *written = call[0].expr;
  std::string name = written && written->kind == ast::ExprKind::Name ? written->text : "";
  return Value::tensor(evaluator.tensors.iota({Dim{*count, name, false}}, 0, DType::I32));
}

/// Whether each class is that of the id: a bool tensor with one more dimension.
Value runOneHot(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> ids = evaluator.needTensor(call[0], "the ids of `one_hot`");
  std::optional<int64_t> classes = evaluator.needInt(call[1], "the number of classes");
  if (!ids || !classes) return Value();
  if (ids->type.dtype != DType::I32) {
    evaluator
        .report(Kind::DtypeMismatch, call[0].span,
                "class ids are `i32`, and these are `" + typeText(ids->type) + "`")
        .help("convert them with `cast(x, i32)`");
    return Value();
  }
  TensorWriter &tensors = evaluator.tensors;
  std::vector<Dim> dims = ids->type.dims, narrow = dims;
  dims.push_back(Dim::whole(*classes));
  narrow.push_back(Dim::one());
  tensors.span = call.span;
  Tensor index = tensors.iota({dims.back()}, 0, DType::I32);
  return Value::tensor(tensors.pointwise(
      "compare",
      {tensors.stretch(tensors.reshape(*ids, narrow), dims), tensors.stretch(index, dims)},
      DType::Bool, "eq"));
}

Value runLen(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::List))
    return Value::whole(int64_t(call[0].value.asList().size()));
  evaluator.report(Kind::TypeMismatch, call[0].span,
                   "`len` counts a list, and this is " + call[0].value.describe());
  return Value();
}

Value runReverse(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::List)) {
    std::vector<Value> items = call[0].value.asList();
    std::reverse(items.begin(), items.end());
    return Value::list(std::move(items));
  }
  evaluator.report(Kind::TypeMismatch, call[0].span,
                   "`reverse` turns a list around, and this is " + call[0].value.describe());
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

std::optional<double> numberOr(Evaluator &evaluator, const BuiltinCall &call, size_t index,
                               double otherwise, const char *what) {
  if (!call.has(index)) return otherwise;
  std::optional<Number> value = evaluator.needNumber(call[index], what);
  if (!value) return std::nullopt;
  return value->toReal();
}

Value runNormal(Evaluator &evaluator, const BuiltinCall &call) {
  auto deviation = numberOr(evaluator, call, 0, 1, "`std`");
  auto mean = numberOr(evaluator, call, 1, 0, "`mean`");
  return deviation && mean ? Value::initialiser({"normal", *mean, *deviation}) : Value();
}

Value runUniform(Evaluator &evaluator, const BuiltinCall &call) {
  auto bound = numberOr(evaluator, call, 0, 1, "`bound`");
  return bound ? Value::initialiser({"uniform", -*bound, *bound}) : Value();
}

Value runFans(Evaluator &evaluator, const BuiltinCall &call) {
  std::string name = call.builtin.detail;
  auto gain = numberOr(evaluator, call, 0, name == "kaiming" ? 2 : 1, "`gain`");
  return gain ? Value::initialiser({name, *gain, 0}) : Value();
}

} // namespace

const BuiltinTable &shapeBuiltins() {
  static const BuiltinTable table = {
      {"reshape", "x, shape", runReshape},
      {"one_hot", "ids, classes", runOneHot},
      {"len", "xs", runLen},
      {"reverse", "xs", runReverse},
      {"zip", "xs, ys", runZip},
  };
  return table;
}

const BuiltinTable &creationBuiltins() {
  static const BuiltinTable table = {
      {"full", "shape, value, dtype?", runFull},
      {"iota", "count", runIota},
  };
  return table;
}

const BuiltinTable &initialiserBuiltins() {
  static const BuiltinTable table = {
      {"zeros", "shape?, dtype?", runSplat, "zeros"}, {"ones", "shape?, dtype?", runSplat, "ones"},
      {"normal", "std?, mean?", runNormal},           {"uniform", "bound?", runUniform},
      {"xavier", "gain?", runFans, "xavier"},         {"kaiming", "gain?", runFans, "kaiming"},
  };
  return table;
}

} // namespace dlm::sema
