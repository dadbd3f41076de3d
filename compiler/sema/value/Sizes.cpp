// Sizes that are known only at run time, computed with while a program is checked: `2 * batch`,
// `batch / 32`, `length <= 512`. The result is exact, or it is a number of the running program
// (`1 / batch`), or it cannot be known, which is an error that says what is known.
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/RefusedOptions.h"
#include "compiler/sema/value/Symbols.h"

#include <set>

namespace dlm::sema {

namespace {

bool isOrder(const std::string &op) {
  return op == "==" || op == "!=" || op == "<" || op == "<=" || op == ">" || op == ">=";
}

/// The exact value of a number or a size; nothing for anything else.
std::optional<Extent> exactSize(const Value &value) {
  if (value.is(ValueKind::Size)) return value.asSize();
  if (value.is(ValueKind::Number) && value.asNumber().isExact)
    return Extent::number(value.asNumber());
  return std::nullopt;
}

std::optional<Extent> sizePower(const Extent &base, int64_t exponent) {
  std::optional<Extent> result = Extent::whole(1);
  for (int64_t i = 0; i < exponent && result; ++i)
    result = Extent::multiply(*result, base);
  return result;
}

/// A note for each symbol that says what is known of it.
void noteSymbols(Evaluator &evaluator, Report &message, const std::vector<Extent> &extents) {
  std::set<std::string> said;
  for (const Extent &extent : extents)
    for (const std::string &name : extent.symbols()) {
      if (!said.insert(name).second) continue;
      Symbol symbol = symbolOf(evaluator.program.symbols, name);
      std::string text = boundsText(name, symbol);
      if (symbol.declared.isValid())
        message.note(symbol.declared, text);
      else
        message.note(text);
    }
}

/// `min`, `max`, `%` and comparisons: what the bounds of the symbols decide.
Value decide(Evaluator &evaluator, const std::string &op, const Operand &lhs, const Operand &rhs,
             Span opSpan) {
  const Symbols &symbols = evaluator.program.symbols;
  Extent a = *exactSize(lhs.value), b = *exactSize(rhs.value);
  std::optional<Extent> size;
  if (isOrder(op)) {
    if (std::optional<bool> result = compareSizes(symbols, op, a, b))
      return Value::boolean(*result);
  } else if (op == "%") {
    size = remainderOf(symbols, a, b);
  } else if (std::optional<bool> isFirst = compareSizes(symbols, op == "min" ? "<=" : ">=", a, b)) {
    size = *isFirst ? a : b;
  }
  if (size) return Value::size(*size);
  Report message(evaluator.report, Kind::NotConstant, opSpan,
                 "`" + op + "` of `" + a.text() + "` and `" + b.text() +
                     "` is not known at compile time");
  message.secondary(lhs.span, "is `" + a.text() + "`");
  message.secondary(rhs.span, "is `" + b.text() + "`");
  noteSymbols(evaluator, message, {a, b});
  return Value();
}

} // namespace

std::optional<Value> Evaluator::binarySizes(const std::string &op, const Operand &lhs,
                                            const Operand &rhs, Span opSpan) {
  std::optional<Extent> a = exactSize(lhs.value), b = exactSize(rhs.value);
  bool hasSize = lhs.value.is(ValueKind::Size) || rhs.value.is(ValueKind::Size);
  if (!hasSize || !a || !b) return std::nullopt;
  bool isZero = b->isConstant() && b->constantPart().numerator == 0;
  if (isZero && (op == "/" || op == "%")) {
    report(Kind::DivisionByZero, opSpan, "`" + op + "` divides by zero")
        .secondary(rhs.span, "is " + rhs.value.text());
    return Value();
  }
  if (isOrder(op) || op == "%" || op == "min" || op == "max")
    return decide(*this, op, lhs, rhs, opSpan);
  std::optional<Extent> result;
  constexpr int64_t exponentMax = 16;
  if (op == "+") result = Extent::add(*a, *b);
  if (op == "-") result = Extent::subtract(*a, *b);
  if (op == "*") result = Extent::multiply(*a, *b);
  if (op == "/") {
    result = Extent::divide(*a, *b);
    if (!result && !b->isConstant()) return std::nullopt; // a number of the running program
  }
  if (op == "**") {
    bool isPower = b->isWhole() && b->asWhole() >= 0;
    if (!isPower) return std::nullopt;
    if (b->asWhole() <= exponentMax) result = sizePower(*a, b->asWhole());
  }
  if (result) return Value::size(*result);
  if (op != "+" && op != "-" && op != "*" && op != "/" && op != "**") return std::nullopt;
  report(Kind::NumberRange, opSpan, "`" + op + "` of sizes does not fit into 64 bits")
      .secondary(lhs.span, "is `" + a->text() + "`")
      .secondary(rhs.span, "is `" + b->text() + "`");
  return Value();
}

Tensor Evaluator::sizeTensor(const Extent &size) {
  std::optional<Tensor> sum;
  auto addTerm = [&](const Tensor &term) { sum = sum ? tensors.binary("add", *sum, term) : term; };
  for (const auto &[product, coefficient] : size.products()) {
    std::optional<Tensor> term;
    if (coefficient.toReal() != 1) term = tensors.constant(coefficient.toReal(), DType::F32);
    for (const std::string &name : product) {
      Tensor factor = name == batchSymbol
                          ? tensors.sampleCount()
                          : tensors.leaf("extent", name, {DType::F32, {}}, tensors.span);
      term = term ? tensors.binary("mul", factor, *term) : factor;
    }
    addTerm(*term);
  }
  bool hasConstant = !sum || size.constantPart().numerator != 0;
  if (hasConstant) addTerm(tensors.constant(size.constantPart().toReal(), DType::F32));
  return *sum;
}

bool Evaluator::requireWhole(const Extent &size, const Operand &operand, const std::string &what) {
  bool isWhole = size.constantPart().isWhole();
  for (const auto &[name, divisor] : size.divisors()) {
    isWhole &= name == batchSymbol;
    if (isWhole) program.requireBatchMultiple(divisor, report.placeToShow(operand.span));
  }
  if (isWhole) return true;
  Report message(report, Kind::NotWhole, operand.span,
                 what + " is a whole number, and `" + size.text() + "` need not be one");
  noteSymbols(*this, message, {size});
  return false;
}

/// `columns.numbers` of a table that has none is the table's fault, and reported once, however many
/// sizes it stands in.
static bool blamesTable(Evaluator &evaluator, const Operand &operand) {
  Hints &hints = evaluator.program.hints;
  bool isNone = operand.value.is(ValueKind::Number) && operand.value.asNumber().numerator == 0;
  if (!hints.isNumberless || !isNone) return false;
  if (hints.isNumberlessTold) return true;
  bool isOfNumbers = operand.expr && operand.expr->kind == ast::ExprKind::Member &&
                     operand.expr->text == "numbers";
  if (!isOfNumbers) return false;
  hints.isNumberlessTold = true;
  Report(evaluator.report, Kind::BadSize, operand.span,
         "the table has no columns of numbers, so `numbers` is 0, and a dimension is at least 1")
      .help(
          "its columns are names: `batch.category` holds their ids, and `columns.categories` says "
          "how many each has");
  return true;
}

std::optional<Extent> Evaluator::needSize(const Operand &operand, const std::string &what) {
  Extent size;
  if (operand.value.is(ValueKind::Size)) {
    size = operand.value.asSize();
    if (!requireWhole(size, operand, what)) return std::nullopt;
  } else if (operand.value.is(ValueKind::Batch)) {
    Report message(report, Kind::TypeMismatch, operand.span,
                   what + " is a number, and this is a batch");
    adviseBatchSize(*this, message, operand);
    return std::nullopt;
  } else {
    std::optional<int64_t> count = needInt(operand, what);
    if (!count) return std::nullopt;
    size = Extent::whole(*count);
  }
  boundBelow(program.symbols, size);
  if (size.isConstant() ? size.asWhole() >= 1
                        : compareSizes(program.symbols, ">=", size, Extent()).value_or(false))
    return size;
  if (blamesOption(*this, Kind::BadSize, operand)) return std::nullopt;
  if (blamesTable(*this, operand)) return std::nullopt;
  Report message(report, Kind::BadSize, operand.span,
                 what + " is at least 1, and this is " +
                     (size.isConstant() ? size.text() : "`" + size.text() + "`"));
  bool isInferred =
      size == Extent::whole(-1) && operand.expr && operand.expr->kind == ast::ExprKind::Unary;
  if (isInferred)
    message.help("no size is inferred: write it, such as `batch.size` or `x.shape[0]`");
  noteSymbols(*this, message, {size});
  return std::nullopt;
}

} // namespace dlm::sema
