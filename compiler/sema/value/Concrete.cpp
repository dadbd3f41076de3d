// Getting at what must be known while checking. A run-time option asked for in this way is noted
// as a compile-time one, and the check runs again with its value.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <cmath>

namespace dlm::sema {

namespace {

/// Reports that the operand is not what is needed, unless checking will run again anyway.
void reportNeed(Evaluator &evaluator, const Operand &operand, const std::string &what,
                const std::string &needed) {
  const Value &value = operand.value;
  if (value.isPoison()) return;
  bool isRunTime = value.is(ValueKind::Tensor) || value.is(ValueKind::Size);
  if (evaluator.fixOptions(value)) return;
  Report message(evaluator.report, isRunTime ? Kind::NotConstant : Kind::TypeMismatch, operand.span,
                 what + " is " + (isRunTime ? "needed at compile time" : needed) +
                     ", and this is " + value.describe());
  if (isRunTime) message.label(operand.span, "known only at run time");
  if (value.is(ValueKind::Tensor) && needed == "a bool")
    message.help("`where(c, a, b)` chooses between values");
  if (value.is(ValueKind::Record) && needed == "a list of sizes")
    message.help("a list stands in square brackets: `[a, b]`");
  if (value.is(ValueKind::String) && what == "`padding`") // "same"
    message.help(
        "it counts the zeros on each side: 1 keeps the size with a kernel of 3, 2 with one "
        "of 5, and 0 pads nothing");
}

/// For a list where a tensor is needed: the function that makes one of its elements.
void adviseList(Report &message, const std::vector<Value> &items, const Operand &list,
                const SourceManager &sources) {
  auto isAll = [&](auto isSuch) {
    return !items.empty() && std::all_of(items.begin(), items.end(), isSuch);
  };
  bool areNumbers = isAll([](const Value &item) { return item.is(ValueKind::Number); });
  bool areTensors = isAll([&](const Value &item) {
    return item.is(ValueKind::Tensor) && items[0].is(ValueKind::Tensor) &&
           sameShape(item.asTensor().type.dims, items[0].asTensor().type.dims);
  });
  if (!areNumbers && !areTensors) return;
  std::string text = (areNumbers ? "tensor(" : "stack(") + std::string(sources.text(list.span));
  text += ")";
  message.help("`" + text + "` makes a tensor of its elements" +
                   (areNumbers ? "" : ", along a new first axis"),
               list.span, text);
}

/// As `10.0` where the text of a real number would not tell it from a whole one.
std::string realText(const Number &number) {
  std::string text = number.text();
  bool looksWhole = text.find_first_not_of("-0123456789") == std::string::npos;
  return looksWhole ? text + ".0" : text;
}

} // namespace

bool Evaluator::fixOptions(const Value &value) {
  if (!value.is(ValueKind::Tensor) || !value.asTensor().type.dims.empty()) return false;
  std::vector<std::string> names;
  for (const Node *leaf : tensors.leavesOf(value.asTensor())) {
    bool isSize = leaf->op == "extent" || leaf->op == "sample_count"; // `count <= option`
    bool isKnown = leaf->op == "constant" || leaf->op == "option" || isSize;
    if (!isKnown || !leaf->type.dims.empty()) return false;
    if (leaf->op == "option") names.push_back(leaf->text);
  }
  for (const std::string &name : names)
    program.foundCompileTime |= program.compileTime.insert(name).second;
  return !names.empty(); // without options, checking again changes nothing
}

std::optional<Number> Evaluator::needNumber(const Operand &operand, const std::string &what) {
  if (operand.value.is(ValueKind::Number)) return operand.value.asNumber();
  reportNeed(*this, operand, what, "a number");
  return std::nullopt;
}

std::optional<int64_t> Evaluator::needInt(const Operand &operand, const std::string &what) {
  if (!operand.value.is(ValueKind::Number)) {
    reportNeed(*this, operand, what, "a whole number");
    return std::nullopt;
  }
  const Number &number = operand.value.asNumber();
  if (number.isWhole()) return number.numerator;
  constexpr double wholeMax = 9223372036854775807.0; // 2 ** 63, as near as an f64 comes
  if (std::abs(number.toReal()) >= wholeMax) {
    bool isNegative = number.toReal() < 0;
    report(Kind::NumberRange, operand.span,
           what + (isNegative ? " is at least -" : " is at most ") + "9223372036854775807" +
               (isNegative ? "" : " (2 ** 63 - 1)") + ", and this is " + number.text());
    return std::nullopt;
  }
  Report message(report, Kind::NotWhole, operand.span,
                 what + " is a whole number, and this is " + realText(number));
  if (operand.declared.isValid() && operand.expr) {
    bool isOption =
        std::any_of(program.options.begin(), program.options.end(),
                    [&](const Option &option) { return option.span == operand.declared; });
    message.note(operand.declared, isOption
                                       ? "the option `" + operand.expr->text + "` is declared here"
                                       : "`" + operand.expr->text + "` is computed here");
  }
  bool isLiteral = operand.expr && operand.expr->kind == ast::ExprKind::Number;
  constexpr double exactMax = 9007199254740992; // 2 ** 53
  double real = number.toReal();
  if (isLiteral && std::floor(real) == real && std::abs(real) < exactMax && real != 0) {
    std::string whole = std::to_string(int64_t(real));
    message.help("write `" + whole + "`", operand.span, whole);
    return std::nullopt;
  }
  if (number.isExact) {
    const ast::Expr *expr = operand.expr;
    bool isQuotient = expr && expr->kind == ast::ExprKind::Binary && expr->text == "/";
    std::string divided = isQuotient
                              ? "`" + std::string(sources.text(expr->operands[0]->span)) + "`"
                              : "the dividend";
    auto quotient = program.hints.quotients.find(number.text());
    message.help(quotient != program.hints.quotients.end()
                     ? quotient->second
                     : "the division is exact when " + divided + " is a multiple of " +
                           std::to_string(number.denominator) + "; `floor(a / b)` rounds down");
  }
  return std::nullopt;
}

std::optional<bool> Evaluator::needBool(const Operand &operand, const std::string &what) {
  if (operand.value.is(ValueKind::Bool)) return operand.value.asBool();
  reportNeed(*this, operand, what, "a bool");
  return std::nullopt;
}

std::optional<std::string> Evaluator::needString(const Operand &operand, const std::string &what) {
  if (operand.value.is(ValueKind::String)) return operand.value.asString();
  reportNeed(*this, operand, what, "a string");
  return std::nullopt;
}

std::optional<Tensor> Evaluator::needTensor(const Operand &operand, const std::string &what) {
  const Value &value = operand.value;
  if (value.is(ValueKind::Tensor)) return value.asTensor();
  if (value.is(ValueKind::Number))
    return tensors.constant(value.asNumber().toReal(),
                            value.asNumber().isWhole() ? DType::I32 : DType::F32);
  if (value.is(ValueKind::Bool)) return tensors.constant(value.asBool(), DType::Bool);
  if (value.is(ValueKind::Size)) return sizeTensor(value.asSize());
  if (value.isPoison()) return std::nullopt;
  Report message(report, Kind::TypeMismatch, operand.span,
                 what + " is a tensor, and this is " + value.describe());
  if (value.is(ValueKind::List)) adviseList(message, value.asList(), operand, sources);
  return std::nullopt;
}

std::optional<DType> Evaluator::needDType(const Operand &operand) {
  std::optional<DType> dtype;
  if (operand.value.is(ValueKind::String)) dtype = findDType(operand.value.asString());
  if (dtype || operand.value.isPoison()) return dtype;
  std::vector<std::string> names;
  for (const DTypeRow &row : dtypeRows())
    names.push_back(row.name);
  std::string given = operand.value.is(ValueKind::String) ? operand.value.asString() : "";
  Report message(report, Kind::UnknownType, operand.span,
                 given.empty()
                     ? "a dtype is a word such as `f32`, and this is " + operand.value.describe()
                     : "`" + given + "` is not a dtype");
  message.nearest("a dtype", given, operand.span, names);
  return std::nullopt;
}

std::optional<Tensor> Evaluator::literal(const Operand &operand, DType dtype,
                                         const Operand &beside) {
  const Value &value = operand.value;
  if (value.is(ValueKind::Size)) {
    bool isWhole = isReal(dtype) || requireWhole(value.asSize(), operand, "this number");
    return isWhole ? std::optional(tensors.cast(sizeTensor(value.asSize()), dtype)) : std::nullopt;
  }
  if (value.is(ValueKind::Bool) && dtype == DType::Bool)
    return tensors.constant(value.asBool(), DType::Bool);
  if (value.is(ValueKind::Number) && canHold(dtype, value.asNumber()))
    return tensors.constant(value.asNumber().toReal(), dtype);
  if (value.isPoison()) return std::nullopt;
  if (!value.is(ValueKind::Number)) {
    report(Kind::TypeMismatch, operand.span, value.describe() + " meets a tensor")
        .secondary(beside.span, "is `" + beside.value.text() + "`");
    return std::nullopt;
  }
  report(Kind::LiteralRange, operand.span,
         "`" + value.text() + "` cannot be represented as `" + dtypeName(dtype) + "`")
      .secondary(beside.span, "is `" + beside.value.text() + "`")
      .helpCast("the tensor", beside.expr ? beside.span : Span());
  return std::nullopt;
}

std::optional<std::vector<Dim>> Evaluator::needShape(const Operand &operand) {
  const Value &value = operand.value;
  if (value.is(ValueKind::Number) || value.is(ValueKind::Size)) {
    std::string text(sources.text(operand.span));
    report(Kind::TypeMismatch, operand.span,
           "a shape is a list of sizes, and this is " +
               std::string(value.is(ValueKind::Number) ? "a number" : "a size"))
        .help("sizes stand in square brackets: `[" + text + "]`", operand.span, "[" + text + "]");
    return std::nullopt;
  }
  if (!value.is(ValueKind::List)) {
    reportNeed(*this, operand, "a shape", "a list of sizes");
    return std::nullopt;
  }
  std::vector<Dim> dims;
  bool isList = operand.expr && operand.expr->kind == ast::ExprKind::List;
  for (const Value &item : value.asList()) {
    const ast::Expr *written = isList ? operand.expr->entries[dims.size()].value.get() : nullptr;
    std::string name = written && written->kind == ast::ExprKind::Name ? written->text : "";
    std::optional<Extent> size =
        needSize({item, written, written ? written->span : operand.span}, "a size");
    if (!size) return std::nullopt;
    bool isOne = written && written->kind == ast::ExprKind::Number && *size == Extent::whole(1);
    dims.push_back({*size, name, isOne});
  }
  return dims;
}

} // namespace dlm::sema
