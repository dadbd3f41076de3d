// Functions that look for elements by their size, or take them by their place.
//
// What gives values and their places is two nodes: the places, which carry no gradient, and a
// `gather` of the values by them, which does. So no operation has two results.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/AcrossSamples.h"
#include "compiler/sema/tensor/DataSizes.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

namespace dlm::sema {

namespace {

bool checkOrdered(Evaluator &evaluator, const BuiltinCall &call, const Tensor &x) {
  if (x.type.dtype != DType::Bool) return true;
  evaluator
      .report(Kind::DtypeMismatch, call[0].span,
              "`" + std::string(call.builtin.name) + "` has no meaning for `bool`")
      .helpCast("it", call[0].span, "i32");
  return false;
}

Value runArgExtreme(Evaluator &evaluator, const BuiltinCall &call) {
  std::string name = call.builtin.name;
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `" + name + "`");
  if (!x || !checkOrdered(evaluator, call, *x)) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 1, *x);
  if (!axis) return Value();
  bool isEvaluation = evaluator.context.training == false;
  if (isEvaluation && x->type.dims[*axis].extent.countsSamples()) {
    bool isLast = *axis + 1 == int64_t(x->type.dims.size());
    bool isSaid =
        isLast && evaluator.program.hints.areSamplesClasses; // what is mended there is here
    if (!isSaid)
      evaluator
          .report(Kind::CoupledBatch, call.span,
                  "`" + name + "` goes over the samples, which are not all there while evaluating")
          .secondary(call[0].span, "is `" + typeText(x->type) + "`")
          .help(isLast ? groupsAdvice : "the classes are the last axis: `over = -1`");
    return Value();
  }
  Node node;
  node.op = name;
  node.ints = {*axis};
  node.type = {DType::I32, x->type.dims};
  node.type.dims.erase(node.type.dims.begin() + *axis);
  return Value::tensor(evaluator.tensors.emit(std::move(node), {*x}));
}

Value runCumulativeSum(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `cumsum`");
  if (!x) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 1, *x);
  if (!axis) return Value();
  TensorWriter &tensors = evaluator.tensors;
  bool isNarrow = x->type.dtype == DType::Bool || x->type.dtype == DType::U8;
  if (isNarrow) x = tensors.cast(*x, DType::I64);
  Node node;
  node.op = "cumsum";
  node.ints = {*axis};
  node.type = x->type;
  return Value::tensor(tensors.emit(std::move(node), {*x}));
}

/// The axes with this one moved to the end; the same list undoes it when inverted.
std::vector<int64_t> axisLast(size_t rank, int64_t axis) {
  std::vector<int64_t> result;
  for (int64_t i = 0; i < int64_t(rank); ++i)
    if (i != axis) result.push_back(i);
  result.push_back(axis);
  return result;
}

std::vector<int64_t> inverse(const std::vector<int64_t> &permutation) {
  std::vector<int64_t> result(permutation.size());
  for (size_t i = 0; i < permutation.size(); ++i)
    result[permutation[i]] = int64_t(i);
  return result;
}

/// Values and their places along an axis, in an order; `count` of them, or all.
struct Ordered {
  Tensor values, ids;
};

Ordered ordered(TensorWriter &tensors, const Tensor &x, int64_t axis, const Node &how,
                const Dim &count) {
  size_t rank = x.type.dims.size();
  bool isLast = axis + 1 == int64_t(rank);
  std::vector<int64_t> move = axisLast(rank, axis);
  Tensor moved = isLast ? x : tensors.transpose(x, move);
  Node node = how;
  node.ints.insert(node.ints.begin(), int64_t(rank) - 1);
  node.type = {DType::I32, moved.type.dims};
  node.type.dims.back() = count;
  Ordered result;
  result.ids = tensors.emit(std::move(node), {moved});
  result.values = tensors.gather(moved, result.ids, int64_t(rank) - 1);
  if (isLast) return result;
  return {tensors.transpose(result.values, inverse(move)),
          tensors.transpose(result.ids, inverse(move))};
}

Value runSort(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `sort` orders");
  if (!x || !checkOrdered(evaluator, call, *x)) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 1, *x);
  std::optional<bool> isDescending = false;
  if (call.has(2)) isDescending = evaluator.needBool(call[2], "`descending`");
  if (!axis || !isDescending) return Value();
  Node how;
  how.op = "order";
  how.ints = {*isDescending ? 1 : 0};
  return Value::tensor(ordered(evaluator.tensors, *x, *axis, how, x->type.dims[*axis]).values);
}

Value runTopK(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "the argument of `top_k`");
  if (!x || !checkOrdered(evaluator, call, *x)) return Value();
  std::optional<Extent> k = evaluator.needSize(call[1], "`k`");
  std::optional<int64_t> axis = int64_t(x->type.dims.size()) - 1;
  if (call.has(2) || x->type.dims.empty()) axis = evaluator.axis(call, 2, *x);
  if (!k || !axis) return Value();
  const Dim &dim = x->type.dims[*axis];
  std::optional<bool> fits = compareSizes(evaluator.program.symbols, "<=", *k, dim.extent);
  bool isTooMany = fits ? !*fits : dim.isWhole(); // else both are open, and the batch may be large
  if (isTooMany) {
    Report message(evaluator.report, Kind::IndexRange, call[1].span,
                   "`top_k` takes the largest " + dimText({*k, "", false}) + " of " + dimText(dim));
    message.secondary(call[0].span, "is `" + typeText(x->type) + "`");
    std::vector<std::string> names = k->symbols();
    bool isArgument = names.size() == 1 && *k == Extent::symbol(names[0]); // of a command
    if (isArgument)
      message.help("say that it is no more: `require " + names[0].substr(names[0].rfind('.') + 1) +
                   " <= " + dimText(dim) + "`");
    return Value();
  }
  Node how;
  how.op = "top_k";
  Ordered found = ordered(evaluator.tensors, *x, *axis, how, {*k, "", false});
  return Value::record(
      {{{"values", Value::tensor(found.values)}, {"ids", Value::tensor(found.ids)}}});
}

Value runGather(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `gather` takes from");
  std::optional<Tensor> ids = evaluator.needTensor(call[1], "the ids of `gather`");
  if (!x || !ids) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 2, *x);
  if (!axis) return Value();
  if (!isInteger(ids->type.dtype)) {
    evaluator.report(Kind::DtypeMismatch, call[1].span,
                     "ids are whole numbers, and these are `" + typeText(ids->type) + "`");
    return Value();
  }
  std::vector<Dim> lead(x->type.dims.begin(), x->type.dims.begin() + *axis);
  std::vector<Dim> given = ids->type.dims;
  given.resize(std::min(given.size(), lead.size()));
  if (!sameShape(lead, given)) {
    evaluator
        .report(Kind::ShapeMismatch, call[1].span,
                "`gather` over axis " + std::to_string(*axis) + " takes ids for each of `" +
                    shapeText(lead) + "`")
        .label(call[1].span, "is `" + typeText(ids->type) + "`")
        .secondary(call[0].span, "is `" + typeText(x->type) + "`")
        .note("ids have the axes in front of the one that is gathered over, then any others");
    return Value();
  }
  if (!checkRowCount(evaluator, *x, x->type.dims[*axis], *ids, call.span)) return Value();
  return Value::tensor(evaluator.tensors.gather(*x, *ids, *axis));
}

/// One start of `dynamic_slice`: a number or a run-time scalar, as `i32`.
std::optional<Tensor> startOf(Evaluator &evaluator, const Operand &start) {
  if (start.value.is(ValueKind::Size)) {
    const Extent &size = start.value.asSize();
    if (!evaluator.requireWhole(size, start, "a start")) return std::nullopt;
    return evaluator.tensors.cast(evaluator.sizeTensor(size), DType::I32);
  }
  std::optional<Tensor> tensor = evaluator.needTensor(start, "a start");
  if (!tensor) return std::nullopt;
  if (isInteger(tensor->type.dtype) && tensor->type.dims.empty())
    return evaluator.tensors.cast(*tensor, DType::I32);
  evaluator.report(Kind::TypeMismatch, start.span,
                   "a start is a whole number, and this is " + start.value.describe());
  return std::nullopt;
}

Value runDynamicSlice(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `dynamic_slice` takes from");
  std::optional<std::vector<Dim>> size = evaluator.needShape(call[2]);
  if (!x || !size) return Value();
  size_t rank = x->type.dims.size();
  size_t starts = call[1].value.is(ValueKind::List) ? call[1].value.asList().size() : 0;
  if (starts != rank || size->size() != rank) {
    evaluator
        .report(Kind::ShapeMismatch, (starts != rank ? call[1] : call[2]).span,
                "`dynamic_slice` takes a list of " + std::to_string(rank) +
                    (starts != rank ? " starts" : " sizes") + ", one for each axis")
        .secondary(call[0].span, "is `" + typeText(x->type) + "`");
    return Value();
  }
  std::vector<Tensor> operands = {*x};
  Node node;
  node.op = "dynamic_slice";
  node.type = {x->type.dtype, {}};
  for (size_t i = 0; i < rank; ++i) {
    const Dim &dim = x->type.dims[i], &part = (*size)[i];
    std::optional<Tensor> start =
        startOf(evaluator, {call[1].value.asList()[i], nullptr, call[1].span});
    if (!start) return Value();
    operands.push_back(*start);
    if (dim.isWhole() && part.isWhole() && part.size() > dim.size()) {
      evaluator
          .report(Kind::IndexRange, call[2].span,
                  "`dynamic_slice` takes " + dimText(part) + " of an axis of " + dimText(dim))
          .secondary(call[0].span, "is `" + typeText(x->type) + "`");
      return Value();
    }
    node.type.dims.push_back(sameSize(dim, part) ? dim : Dim{part.extent, "", false});
  }
  return Value::tensor(evaluator.tensors.emit(std::move(node), operands));
}

} // namespace

const BuiltinTable &orderBuiltins() {
  static const BuiltinTable table = {
      {"argmax", "x, over?", runArgExtreme},
      {"argmin", "x, over?", runArgExtreme},
      {"cumsum", "x, over", runCumulativeSum},
      {"sort", "x, over, descending?", runSort},
      {"top_k", "x, k, over?", runTopK},
      {"gather", "x, ids, over", runGather},
      {"dynamic_slice", "x, start, size", runDynamicSlice},
  };
  return table;
}

} // namespace dlm::sema
