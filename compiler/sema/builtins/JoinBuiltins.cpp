// Functions that join tensors, take them apart or move their elements along an axis.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

namespace dlm::sema {

namespace {

/// The tensors of a list; nothing if it holds anything else, or nothing at all.
std::optional<std::vector<Tensor>> tensorsOf(Evaluator &evaluator, const BuiltinCall &call) {
  std::string name = call.builtin.name;
  const Operand &list = call[0];
  if (!list.value.is(ValueKind::List) || list.value.asList().empty()) {
    Report message(evaluator.report, Kind::TypeMismatch, list.span,
                   "`" + name + "` joins a list of tensors, and this is " +
                       (list.value.is(ValueKind::List) ? "empty" : list.value.describe()));
    if (list.value.is(ValueKind::Tensor) || list.value.is(ValueKind::Record))
      message.help("a list stands in square brackets: `" + name + "([a, b], ...)`");
    return std::nullopt;
  }
  bool isWritten = list.expr && list.expr->kind == ast::ExprKind::List;
  std::vector<Tensor> result;
  for (const Value &item : list.value.asList()) {
    if (item.isPoison()) return std::nullopt;
    const ast::Expr *expr = isWritten ? list.expr->entries[result.size()].value.get() : nullptr;
    std::optional<Tensor> tensor =
        evaluator.needTensor({item, expr, expr ? expr->span : list.span}, "an element of the list");
    if (!tensor) return std::nullopt;
    result.push_back(*tensor);
  }
  return result;
}

/// Whether all have one element type and the shape of the first, but for one axis (-1: none).
/// Whole numbers become real ones, and not the other way: that would round.
void adviseDType(const Evaluator &evaluator, Report &message, const TensorType &first,
                 const TensorType &second, bool isWritten, Span firstPlace, Span secondPlace) {
  bool isMixed = isReal(first.dtype) != isReal(second.dtype);
  bool castsFirst = isMixed && isReal(second.dtype);
  const char *dtype = dtypeName(castsFirst ? second.dtype : first.dtype);
  if (!isWritten || !isMixed) {
    message.help("convert one of them with `cast(x, " + std::string(dtype) + ")`");
    return;
  }
  Span place = castsFirst ? firstPlace : secondPlace;
  message.helpCast("it", place, dtype);
  if (evaluator.sources.text(place).find(".category") != std::string_view::npos)
    message.help("ids are no amounts: `nn.Embedding(count, width)` makes numbers of them");
}

bool agree(Evaluator &evaluator, const BuiltinCall &call, const std::vector<Tensor> &parts,
           int64_t free) {
  const TensorType &first = parts[0].type;
  for (size_t i = 1; i < parts.size(); ++i) {
    const TensorType &type = parts[i].type;
    bool isFine = type.dims.size() == first.dims.size();
    for (size_t axis = 0; isFine && axis < first.dims.size(); ++axis)
      isFine = int64_t(axis) == free || sameSize(first.dims[axis], type.dims[axis]);
    if (isFine && type.dtype == first.dtype) continue;
    bool isWritten = call[0].expr && call[0].expr->kind == ast::ExprKind::List;
    auto place = [&](size_t at) {
      return isWritten ? call[0].expr->entries[at].value->span : call[0].span;
    };
    Report message(evaluator.report, isFine ? Kind::DtypeMismatch : Kind::ShapeMismatch, place(i),
                   "`" + std::string(call.builtin.name) + "` joins `" + typeText(first) +
                       "` and `" + typeText(type) + "`");
    if (isWritten) {
      message.label(place(i), "is `" + typeText(type) + "`");
      message.secondary(place(0), "is `" + typeText(first) + "`");
    }
    if (!isFine && free >= 0)
      message.note("sizes are equal but along the axis that is joined, here axis " +
                   std::to_string(free));
    if (isFine) adviseDType(evaluator, message, first, type, isWritten, place(0), place(i));
    return false;
  }
  return true;
}

Value runConcat(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Tensor>> parts = tensorsOf(evaluator, call);
  if (!parts) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 1, parts->front());
  if (!axis || !agree(evaluator, call, *parts, *axis)) return Value();
  return Value::tensor(evaluator.tensors.concat(*parts, *axis));
}

/// The tensors one after another along a new axis; `over` is its place in the result.
Value runStack(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Tensor>> parts = tensorsOf(evaluator, call);
  if (!parts || !agree(evaluator, call, *parts, -1)) return Value();
  int64_t rank = int64_t(parts->front().type.dims.size()) + 1, axis = 0;
  if (call.has(1)) {
    Operand over = call[1];
    if (over.expr && over.value.isPoison()) over = evaluator.evalOperand(*over.expr, call.scope);
    std::optional<int64_t> position = evaluator.needInt(over, "the place of the new axis");
    if (!position) return Value();
    axis = *position < 0 ? *position + rank : *position;
    if (axis < 0 || axis >= rank) {
      evaluator.report(Kind::AxisMismatch, over.span,
                       "there is no axis " + std::to_string(*position) + " in a result of " +
                           std::to_string(rank) + " dimensions");
      return Value();
    }
  }
  for (Tensor &part : *parts) {
    std::vector<Dim> dims = part.type.dims;
    dims.insert(dims.begin() + axis, Dim::whole(1));
    part = evaluator.tensors.reshape(part, std::move(dims));
  }
  return Value::tensor(evaluator.tensors.concat(*parts, axis));
}

/// The sizes of the parts that `split` makes: equal ones, or those of a list.
std::optional<std::vector<Extent>> partSizes(Evaluator &evaluator, const BuiltinCall &call,
                                             const Dim &dim) {
  std::vector<Extent> sizes;
  const Operand &parts = call[1];
  if (parts.value.is(ValueKind::List)) {
    std::optional<std::vector<Dim>> dims = evaluator.needShape(parts);
    if (!dims) return std::nullopt;
    Extent sum;
    for (const Dim &each : *dims) {
      sizes.push_back(each.extent);
      sum = Extent::add(sum, each.extent).value_or(sum);
    }
    if (sum == dim.extent) return sizes;
    evaluator
        .report(Kind::ShapeMismatch, parts.span,
                "`split` makes parts of " + sum.text() + " in all, of an axis of " + dimText(dim))
        .secondary(call[0].span, "is `" + call[0].value.text() + "`");
    return std::nullopt;
  }
  std::optional<int64_t> count = evaluator.needInt(parts, "the number of parts");
  if (!count) return std::nullopt;
  if (*count < 1) {
    evaluator.report(Kind::BadSize, parts.span,
                     "`split` makes at least 1 part, and this is " + std::to_string(*count));
    return std::nullopt;
  }
  std::optional<Extent> size = Extent::divide(dim.extent, Extent::whole(*count));
  bool isOpen = false; // to the run, which need not give a multiple
  if (size)
    for (const auto &divisor : size->divisors())
      isOpen |= divisor.first != batchSymbol;
  if (isOpen && call.has(2)) {
    evaluator
        .report(Kind::NotWhole, call[0].span,
                "`split` makes " + std::to_string(*count) + " equal parts of an axis of `" +
                    dimText(dim) + "`, which need not be a multiple")
        .secondary(call[2].span, "goes along this axis")
        .help("`over = -1` is the last axis");
    return std::nullopt;
  }
  if (size && !size->isConstant() && !evaluator.requireWhole(*size, call[0], "a part"))
    return std::nullopt;
  if (size && (!size->isConstant() || size->isWhole()))
    return std::vector<Extent>(size_t(*count), *size);
  evaluator
      .report(Kind::NotWhole, parts.span,
              "`split` makes " + std::to_string(*count) + " equal parts, of an axis of " +
                  dimText(dim))
      .secondary(call[0].span, "is `" + call[0].value.text() + "`")
      .help("the axis has to be a multiple of " + std::to_string(*count) +
            "; a list of sizes makes unequal parts");
  return std::nullopt;
}

Value runSplit(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `split` takes apart");
  if (!x) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 2, *x);
  if (!axis) return Value();
  auto sizes = partSizes(evaluator, call, x->type.dims[*axis]);
  if (!sizes) return Value();
  std::vector<Value> parts;
  std::vector<Extent> begins(x->type.dims.size());
  for (const Extent &size : *sizes) {
    std::vector<Dim> dims = x->type.dims;
    dims[*axis] = {size, "", false};
    parts.push_back(Value::tensor(evaluator.tensors.slice(*x, begins, std::move(dims))));
    begins[*axis] = Extent::add(begins[*axis], size).value_or(size);
  }
  return Value::list(std::move(parts));
}

/// The elements to put in front and behind: one number for both, or two.
std::optional<std::pair<int64_t, int64_t>> padWidths(Evaluator &evaluator, const Operand &width) {
  std::vector<Value> sides = {width.value, width.value};
  if (width.value.is(ValueKind::List)) sides = width.value.asList();
  if (width.value.is(ValueKind::Record)) {
    sides.clear();
    for (const auto &field : width.value.asRecord().fields)
      sides.push_back(field.second);
  }
  if (sides.size() != 2) {
    evaluator.report(Kind::TypeMismatch, width.span,
                     "the width is a number, or one for each side: `(before, after)`");
    return std::nullopt;
  }
  std::vector<int64_t> result;
  for (const Value &side : sides) {
    std::optional<int64_t> count = evaluator.needInt({side, nullptr, width.span}, "a width");
    if (!count) return std::nullopt;
    if (*count < 0) {
      evaluator.report(Kind::BadSize, width.span,
                       "a width is at least 0, and this is " + std::to_string(*count));
      return std::nullopt;
    }
    result.push_back(*count);
  }
  return std::pair(result[0], result[1]);
}

Value runPad(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `pad` makes longer");
  if (!x) return Value();
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, 2, *x);
  auto widths = padWidths(evaluator, call[1]);
  if (!axes || !widths) return Value();
  Number value = Number::whole(0);
  if (call.has(3)) {
    std::optional<Number> given = evaluator.needNumber(call[3], "the value of `pad`");
    if (!given) return Value();
    value = *given;
  }
  if (!canHold(x->type.dtype, value) && x->type.dtype != DType::Bool) {
    evaluator
        .report(Kind::LiteralRange, call[3].span,
                "`" + value.text() + "` cannot be represented as `" + dtypeName(x->type.dtype) +
                    "`")
        .secondary(call[0].span, "is `" + typeText(x->type) + "`");
    return Value();
  }
  if (widths->first == 0 && widths->second == 0) return Value::tensor(*x);
  Node node;
  node.op = "pad";
  node.number = value.toReal();
  node.type = x->type;
  for (int64_t axis : *axes) {
    Extent size = Extent::whole(widths->first + widths->second);
    Dim &dim = node.type.dims[axis];
    dim = {Extent::add(dim.extent, size).value_or(size), "", false};
    node.ints.insert(node.ints.end(), {axis, widths->first, widths->second});
  }
  return Value::tensor(evaluator.tensors.emit(std::move(node), {*x}));
}

Value runFlip(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `flip` turns around");
  if (!x) return Value();
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, 1, *x);
  if (!axes) return Value();
  Node node;
  node.op = "flip";
  node.ints = *axes;
  node.type = x->type;
  return Value::tensor(evaluator.tensors.emit(std::move(node), {*x}));
}

/// Element i comes to place i + shift; what leaves at the end comes in at the beginning.
Value runRoll(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Tensor> x = evaluator.needTensor(call[0], "what `roll` moves");
  if (!x) return Value();
  std::optional<int64_t> axis = evaluator.axis(call, 2, *x);
  std::optional<int64_t> shift = evaluator.needInt(call[1], "the shift");
  if (!axis || !shift) return Value();
  const Dim &dim = x->type.dims[*axis];
  if (dim.isWhole()) shift = *shift % dim.size();
  if (*shift == 0) return Value::tensor(*x);
  Extent cut = Extent::whole(-*shift); // where the part begins that comes first
  if (*shift > 0) cut = Extent::add(cut, dim.extent).value_or(cut);
  std::vector<Dim> head = x->type.dims, tail = head;
  head[*axis] = {Extent::subtract(dim.extent, cut).value_or(cut), "", false};
  tail[*axis] = {cut, "", false};
  std::vector<Extent> begins(head.size());
  Tensor last = evaluator.tensors.slice(*x, begins, std::move(tail));
  begins[*axis] = cut;
  Tensor first = evaluator.tensors.slice(*x, begins, std::move(head));
  Tensor result = evaluator.tensors.concat({first, last}, *axis);
  result.type.dims = x->type.dims;
  return Value::tensor(result);
}

} // namespace

const BuiltinTable &joinBuiltins() {
  static const BuiltinTable table = {
      {"concat", "parts, over", runConcat},  {"stack", "parts, over?", runStack},
      {"split", "x, parts, over", runSplit}, {"pad", "x, width, over, value?", runPad},
      {"flip", "x, over", runFlip},          {"roll", "x, shift, over", runRoll},
  };
  return table;
}

} // namespace dlm::sema
