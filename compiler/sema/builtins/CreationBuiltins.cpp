// Functions that make tensors from sizes and numbers, and initialisers.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// Whether an element type can hold a number; reports if not.
bool checkHeld(Evaluator &evaluator, DType dtype, const Number &number, Span span) {
  bool isBit = number.isWhole() && (number.numerator == 0 || number.numerator == 1);
  if (dtype == DType::Bool ? isBit : canHold(dtype, number)) return true;
  evaluator.report(Kind::LiteralRange, span,
                   "`" + number.text() + "` cannot be represented as `" + dtypeName(dtype) + "`");
  return false;
}

/// The element type an argument names; nothing if it names none.
std::optional<DType> dtypeArgument(Evaluator &evaluator, const BuiltinCall &call, size_t index) {
  if (!call.has(index)) return DType::F32;
  std::optional<DType> dtype = evaluator.needDType(call[index]);
  return dtype;
}

/// `zeros([n])` is a tensor, `zeros` alone an initialiser.
Value runSplat(Evaluator &evaluator, const BuiltinCall &call) {
  double value = std::string(call.builtin.detail) == "ones" ? 1 : 0;
  if (!call.has(0)) return Value::initialiser({"constant", value, 0});
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[0]);
  std::optional<DType> dtype = dtypeArgument(evaluator, call, 1);
  if (!dims || !dtype) return Value();
  return Value::tensor(evaluator.tensors.constant(value, *dtype, *dims));
}

Value runFull(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<std::vector<Dim>> dims = evaluator.needShape(call[0]);
  std::optional<DType> dtype = dtypeArgument(evaluator, call, 2);
  if (!dims || !dtype) return Value();
  const Value &value = call[1].value;
  TensorWriter &tensors = evaluator.tensors;
  if (value.is(ValueKind::Tensor) && value.asTensor().type.dims.empty()) {
    Tensor scalar = value.asTensor();
    if (scalar.isLoose || call.has(2)) scalar = tensors.cast(scalar, *dtype);
    return Value::tensor(tensors.stretch(scalar, *dims));
  }
  if (value.is(ValueKind::Size)) {
    std::optional<Tensor> scalar = evaluator.literal(call[1], *dtype, call[1]);
    return scalar ? Value::tensor(tensors.stretch(*scalar, *dims)) : Value();
  }
  if (value.is(ValueKind::Bool) && *dtype == DType::Bool)
    return Value::tensor(tensors.constant(value.asBool(), *dtype, *dims));
  std::optional<Number> number = evaluator.needNumber(call[1], "the value of `full`");
  if (!number || !checkHeld(evaluator, *dtype, *number, call[1].span)) return Value();
  return Value::tensor(tensors.constant(number->toReal(), *dtype, *dims));
}

Value runIota(Evaluator &evaluator, const BuiltinCall &call) {
  std::optional<Extent> count = evaluator.needSize(call[0], "the length of `iota`");
  if (!count) return Value();
  const ast::Expr *written = call[0].expr;
  std::string name = written && written->kind == ast::ExprKind::Name ? written->text : "";
  return Value::tensor(evaluator.tensors.iota({Dim{*count, name, false}}, 0, DType::I32));
}

/// The numbers of nested lists, row by row.
class NestedLists {
public:
  /// `dtype` is what the call says of the elements; empty if it says nothing.
  NestedLists(Evaluator &evaluator, const Operand &list, std::string dtype)
      : evaluator(evaluator), list(list), dtype(std::move(dtype)) {}

  bool read() {
    const Value *first = &list.value;
    while (first->is(ValueKind::List)) {
      if (first->asList().empty()) return fault(Kind::BadSize, list.span, "a list is empty");
      sizes.push_back(int64_t(first->asList().size()));
      first = &first->asList()[0];
    }
    return readLevel(list.value, list.expr, 0);
  }

  std::vector<int64_t> sizes;
  std::vector<Number> numbers;
  bool isBool = true, isWhole = true;

private:
  bool readLevel(const Value &value, const ast::Expr *expr, size_t level) {
    if (value.isPoison()) return false;
    Span span = expr ? expr->span : list.span;
    if (level == sizes.size()) return readNumber({value, expr, span});
    std::string row = place.empty() ? "the list" : "row [" + placeText() + "]";
    if (!value.is(ValueKind::List))
      return fault(Kind::ShapeMismatch, span,
                   row + " is " + value.describe() + ", and its neighbours are lists");
    const std::vector<Value> &items = value.asList();
    if (int64_t(items.size()) != sizes[level])
      return fault(Kind::ShapeMismatch, span,
                   row + " has " + std::to_string(items.size()) +
                       " elements, and the first of its kind has " + std::to_string(sizes[level]));
    bool isWritten = expr && expr->kind == ast::ExprKind::List;
    for (size_t i = 0; i < items.size(); ++i) {
      place.push_back(i);
      if (!readLevel(items[i], isWritten ? expr->entries[i].value.get() : nullptr, level + 1))
        return false;
      place.pop_back();
    }
    return true;
  }

  bool readNumber(const Operand &element) {
    if (element.value.is(ValueKind::Bool)) {
      numbers.push_back(Number::whole(element.value.asBool()));
      return true;
    }
    if (element.value.is(ValueKind::List))
      return fault(Kind::ShapeMismatch, element.span,
                   "element [" + placeText() + "] is a list, and its neighbours are numbers");
    bool isOpen = element.value.is(ValueKind::Tensor) || element.value.is(ValueKind::Size);
    if (isOpen) return reportOpen(element.value, element.span), false;
    std::optional<Number> number = evaluator.needNumber(element, "an element of a tensor");
    if (!number) return false;
    isBool = false;
    isWhole &= number->isWhole();
    numbers.push_back(*number);
    return true;
  }

  /// An element that is no number yet, unless it is one in the next pass.
  void reportOpen(const Value &value, Span span) {
    if (evaluator.fixOptions(value)) return;
    bool isNumber = value.is(ValueKind::Size) || value.asTensor().type.dims.empty();
    Report message(evaluator.report, Kind::NotConstant, span,
                   "`tensor` holds numbers that are known when the program is compiled");
    if (isNumber) message.label(span, "known only at run time");
    message.help(isNumber ? adviceForOpen(std::string(evaluator.sources.text(span)))
                          : "`stack([a, b])` joins tensors along a new axis");
  }

  /// Whether a list has a number that is not whole, known or not.
  static bool hasReal(const Value &value) {
    if (value.is(ValueKind::Number)) return !value.asNumber().isWhole();
    if (value.is(ValueKind::Tensor)) return isReal(value.asTensor().type.dtype);
    const bool isList = value.is(ValueKind::List);
    return isList && std::any_of(value.asList().begin(), value.asList().end(), hasReal);
  }

  /// How a list of numbers is written of which one, `element`, is known only at run time.
  std::string adviceForOpen(const std::string &element) const {
    constexpr size_t shownMax = 4;
    std::string type = !dtype.empty() ? dtype : hasReal(list.value) ? "f32" : "i32", shape;
    bool isOne = true;
    for (int64_t size : sizes) {
      isOne &= size == 1;
      shape += (shape.empty() ? "" : ", ") + std::to_string(size);
    }
    if (isOne) return "`full([" + shape + "], " + element + ", " + type + ")` holds it";
    bool isWritten = sizes.size() == 1 && list.expr && list.expr->kind == ast::ExprKind::List &&
                     list.expr->entries.size() <= shownMax;
    if (!isWritten)
      return "`full([], " + element + ", " + type +
             ")` holds it, and `stack([a, b])` joins tensors along a new axis";
    std::string text;
    for (const ast::Entry &entry : list.expr->entries)
      text += (text.empty() ? "" : ", ") +
              ("full([], " + std::string(evaluator.sources.text(entry.value->span)) + ", " + type +
               ")");
    return "`stack([" + text + "])` holds such numbers";
  }

  std::string placeText() const {
    std::string text;
    for (size_t at : place)
      text += (text.empty() ? "" : ", ") + std::to_string(at);
    return text;
  }

  bool fault(Kind kind, Span span, const std::string &message) {
    evaluator.report(kind, span, message);
    return false;
  }

  Evaluator &evaluator;
  const Operand &list;
  std::string dtype;
  std::vector<size_t> place; // of the element that is being read
};

/// A tensor of the numbers in nested lists: `i32` if all are whole, `f32` otherwise.
Value runTensor(Evaluator &evaluator, const BuiltinCall &call) {
  if (call[0].value.is(ValueKind::Tensor)) return call[0].value;
  std::string asked(call.has(1) ? evaluator.sources.text(call[1].span) : "");
  NestedLists lists(evaluator, call[0], asked);
  if (!lists.read()) return Value();
  std::optional<DType> dtype = lists.isBool ? DType::Bool : lists.isWhole ? DType::I32 : DType::F32;
  if (call.has(1)) dtype = evaluator.needDType(call[1]);
  if (!dtype) return Value();
  Node node;
  node.op = "dense";
  node.type.dtype = *dtype;
  for (int64_t size : lists.sizes)
    node.type.dims.push_back(Dim::whole(size));
  for (const Number &number : lists.numbers) {
    if (!checkHeld(evaluator, *dtype, number, call[0].span)) return Value();
    node.numbers.push_back(number.toReal());
  }
  if (lists.sizes.empty())
    return Value::tensor(evaluator.tensors.constant(node.numbers[0], *dtype));
  return Value::tensor(evaluator.tensors.emit(std::move(node), {}));
}

std::optional<double> numberOr(Evaluator &evaluator, const BuiltinCall &call, size_t index,
                               double otherwise, const char *what) {
  if (!call.has(index)) return otherwise;
  std::optional<Number> value = evaluator.needNumber(call[index], what);
  if (!value) return std::nullopt;
  return value->toReal();
}

/// `normal([n, m])`: an initialiser is given a shape, as if it made a tensor; reports that.
bool isGivenShape(Evaluator &evaluator, const BuiltinCall &call) {
  if (!call.has(0) || !call[0].value.is(ValueKind::List)) return false;
  std::string name = call.builtin.name;
  std::string shape(evaluator.sources.text(call[0].span));
  Report message(evaluator.report, Kind::TypeMismatch, call[0].span,
                 "`" + name + "` says how a parameter starts, whatever its shape");
  if (name == "normal" || name == "uniform")
    message.help("a tensor of random numbers is `random." + name + "(" + shape + ")`");
  return true;
}

Value runNormal(Evaluator &evaluator, const BuiltinCall &call) {
  if (isGivenShape(evaluator, call)) return Value();
  auto deviation = numberOr(evaluator, call, 0, 1, "`std`");
  auto mean = numberOr(evaluator, call, 1, 0, "`mean`");
  return deviation && mean ? Value::initialiser({"normal", *mean, *deviation}) : Value();
}

Value runUniform(Evaluator &evaluator, const BuiltinCall &call) {
  if (isGivenShape(evaluator, call)) return Value();
  auto bound = numberOr(evaluator, call, 0, 1, "`bound`");
  return bound ? Value::initialiser({"uniform", -*bound, *bound}) : Value();
}

/// Beyond four deviations the distribution has steps that f32 is too coarse for, and cutting it
/// there changes nothing to speak of.
Value runTruncatedNormal(Evaluator &evaluator, const BuiltinCall &call) {
  constexpr double BoundMax = 4;
  if (isGivenShape(evaluator, call)) return Value();
  auto deviation = numberOr(evaluator, call, 0, 1, "`std`");
  auto mean = numberOr(evaluator, call, 1, 0, "`mean`");
  auto bound = numberOr(evaluator, call, 2, 2, "`bound`");
  if (!deviation || !mean || !bound) return Value();
  if (*bound > 0 && *bound <= BoundMax)
    return Value::initialiser({"truncated_normal", *mean, *deviation, *bound});
  evaluator.report(Kind::NumberRange, call[2].span,
                   "`bound` is in standard deviations, above 0 and at most 4, and this is " +
                       call[2].value.text());
  return Value();
}

Value runOrthogonal(Evaluator &evaluator, const BuiltinCall &call) {
  if (isGivenShape(evaluator, call)) return Value();
  auto gain = numberOr(evaluator, call, 0, 1, "`gain`");
  return gain ? Value::initialiser({"orthogonal", *gain}) : Value();
}

Value runFans(Evaluator &evaluator, const BuiltinCall &call) {
  std::string name = call.builtin.detail;
  auto gain = numberOr(evaluator, call, 0, name == "kaiming" ? 2 : 1, "`gain`");
  return gain ? Value::initialiser({name, *gain, 0}) : Value();
}

} // namespace

const BuiltinTable &creationBuiltins() {
  static const BuiltinTable table = {
      {"full", "shape, value, dtype?", runFull},
      {"iota", "count", runIota},
      {"tensor", "values, dtype?", runTensor},
  };
  return table;
}

const BuiltinTable &initialiserBuiltins() {
  static const BuiltinTable table = {
      {"zeros", "shape?, dtype?", runSplat, "zeros"},
      {"ones", "shape?, dtype?", runSplat, "ones"},
      {"normal", "std?, mean?", runNormal},
      {"uniform", "bound?", runUniform},
      {"xavier", "gain?", runFans, "xavier"},
      {"kaiming", "gain?", runFans, "kaiming"},
      {"orthogonal", "gain?", runOrthogonal},
      {"truncated_normal", "std?, mean?, bound?", runTruncatedNormal},
  };
  return table;
}

} // namespace dlm::sema
