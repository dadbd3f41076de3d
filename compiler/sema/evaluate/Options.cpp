// Options: numbers a user may change. While nothing needs the value of one it stays a run-time
// scalar; options with units, texts and bools are always known when the program is compiled.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/RefusedOptions.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/value/Units.h"
#include "compiler/source/Utf8.h"
#include "runtime/abi/ProgramFlags.h"

#include <algorithm>
#include <cctype>
#include <tuple>

namespace dlm::sema {

const std::string *definitionOf(const Program &program, const std::string &name) {
  const std::string *result = nullptr;
  for (const auto &[key, text] : program.checkOptions.definitions)
    if (key == name) result = &text;
  return result;
}

namespace {

/// A number of `-D` and the unit behind it, which may be empty.
struct Amount {
  std::string digits;
  Number number;
  std::string unit;
};

/// Where the number that a text begins with ends: `1_000`, `0.5`, `1e-3`, and of `2epochs` the `2`.
size_t endOfNumber(const std::string &text) {
  auto isDigit = [&](size_t i) {
    return i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
  };
  size_t end = 0;
  while (isDigit(end) || (end > 0 && end < text.size() && text[end] == '_'))
    ++end;
  if (end == 0) return 0;
  if (text[end] == '.' && isDigit(end + 1))
    for (++end; isDigit(end);)
      ++end;
  size_t exponent = end + 1;
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    exponent += exponent < text.size() && (text[exponent] == '-' || text[exponent] == '+');
    for (bool isFirst = true; isDigit(exponent); isFirst = false, ++exponent)
      end = isFirst ? exponent + 1 : end + 1;
  }
  return end;
}

std::optional<Amount> parseAmount(const std::string &text) {
  bool isNegative = !text.empty() && text[0] == '-';
  std::string rest = text.substr(isNegative);
  size_t split = endOfNumber(rest);
  std::string digits = rest.substr(0, split), unit = rest.substr(split);
  unit.erase(0, unit.find_first_not_of(' '));
  auto isLetter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)); };
  if (unit != "%" && !std::all_of(unit.begin(), unit.end(), isLetter)) return std::nullopt;
  std::optional<Number> number = split == 0 ? std::nullopt : parseNumber(digits);
  if (!number) return std::nullopt;
  if (isNegative) number = calculate("-", Number::whole(0), *number);
  return Amount{(isNegative ? "-" : "") + digits, *number, unit};
}

/// Reads the text of `-D` as a value of the kind of the default, which may be a whole number.
std::optional<Value> parseDefinition(const std::string &text, const Value &byDefault,
                                     bool isWhole) {
  if (byDefault.is(ValueKind::String)) return Value::string(text);
  if (byDefault.is(ValueKind::Bool)) {
    if (text == "true" || text == "false") return Value::boolean(text == "true");
    return std::nullopt;
  }
  std::optional<Amount> amount = parseAmount(text);
  if (!amount) return std::nullopt;
  if (byDefault.is(ValueKind::Quantity)) {
    std::optional<Value> value = quantityOf(amount->number, amount->unit);
    bool fits = value && value->asMeasure() == byDefault.asMeasure();
    return fits ? value : std::nullopt;
  }
  if (amount->unit == "%") // a share in the place of a count of samples
    return Value::number(*calculate("/", amount->number, Number::whole(100)));
  if (!amount->unit.empty() || (isWhole && !amount->number.isWhole())) return std::nullopt;
  return Value::number(amount->number);
}

/// The unit that a default is written with: of `10 * 2 steps` the last word.
std::string unitWritten(std::string_view source) {
  size_t end = source.size();
  while (end > 0 && std::isalpha(static_cast<unsigned char>(source[end - 1])))
    --end;
  return std::string(source.substr(end));
}

/// What to write in the place of a text of `-D` that is no value of the kind of the default.
std::string adviceForDefinition(const std::string &text, const Value &byDefault, bool isWhole,
                                std::string_view source) {
  if (byDefault.is(ValueKind::Bool)) return "write `true` or `false`";
  std::optional<Amount> amount = parseAmount(text);
  if (!amount) {
    std::string digits = text.substr(text[0] == '-');
    bool isNumber = !digits.empty() && endOfNumber(digits) == digits.size();
    if (isNumber) return rangeText(digits);
    return "a value of `-D` is a number as it is written, such as `64` or `1e-3`, and no "
           "expression; the default is `" +
           std::string(source) + "`";
  }
  if (isWhole && amount->unit.empty() && !amount->number.isWhole())
    return "the option is whole, as its default `" + std::string(source) +
           "` is; `: f32` behind its name makes it a real one";
  std::string unit = unitHere(amount->unit);
  if (unit.empty()) unit = unitWritten(source);
  std::optional<Value> meant = quantityOf(amount->number, unit);
  bool isQuantity = byDefault.is(ValueKind::Quantity);
  if (!isQuantity) return "the option has no unit: write `" + amount->digits + "`";
  bool isFit = meant && meant->asMeasure() == byDefault.asMeasure();
  bool isMissing = amount->unit.empty() || !unitHere(amount->unit).empty();
  if (isFit && isMissing) return "write `" + amount->digits + " " + unit + "`";
  return "its default is `" + std::string(source) + "`";
}

/// Kind and text of an option that is not a plain number. One made of other options is a tensor by
/// now; what it is computed from says more than that.
std::pair<std::string, std::string> kindAndText(const Value &value, std::string_view written) {
  switch (value.kind()) {
  case ValueKind::Bool:
    return {"bool", value.text()};
  case ValueKind::String:
    return {"string", value.asString()};
  case ValueKind::Quantity:
    return {measureName(value.asMeasure()), value.text()};
  case ValueKind::Tensor:
    return {"number", std::string(written)};
  default:
    return {"value", std::string(written)};
  }
}

} // namespace

void Evaluator::declareOption(const ast::Option &option, const ScopePtr &scope) {
  const std::string &name = option.name.text;
  Value value = eval(*option.value, scope);
  if (option.type)
    value = conform(*option.type, {value, option.value.get(), option.value->span}, scope,
                    "`" + name + "`", false);
  bool isOption = value.isPoison() || value.is(ValueKind::Number) || value.is(ValueKind::Bool) ||
                  value.is(ValueKind::String) || value.is(ValueKind::Quantity) ||
                  (value.is(ValueKind::Tensor) && value.asTensor().type.dims.empty()); // of options
  if (!isOption) {
    report(Kind::OptionValue, option.value->span,
           "an option is a number, a number with a unit, a bool or a string, and this is " +
               value.describe())
        .help("`-D` and flags could not give another; a `let` holds any value");
    value = Value();
  }
  bool isReal = (value.is(ValueKind::Number) && !value.asNumber().isWhole()) ||
                (option.type && option.type->text == "f32"); // also if `-D` gives 2
  if (const std::string *text = definitionOf(program, name)) {
    bool isWhole = value.is(ValueKind::Number) && !isReal;
    std::optional<Value> given = parseDefinition(*text, value, isWhole);
    std::string_view source = sources.text(option.value->span);
    if (given)
      value = *given;
    else if (!value.isPoison())
      report(Kind::OptionValue, option.name.span,
             "`-D " + name + "=" + replaceInvalidUtf8(*text) + "` does not give " +
                 (isWhole ? "a whole number" : value.describe()))
          .help(adviceForDefinition(*text, value, isWhole, source));
  }
  if (const FlagSpec *flag = findProgramFlag(name))
    report(Kind::OptionName, option.name.span, "an option cannot be called `" + name + "`")
        .help("`--" + std::string(flag->name) +
              "` is a flag of every compiled program; choose another name");
  const Span &first = program.optionPlaces.emplace(name, option.name.span).first->second;
  if (first.file != option.name.span.file)
    report(Kind::DuplicateName, option.name.span,
           "two files declare `" + name + "`, and one `-D` would set both")
        .note(first, "the other option is declared here");
  Binding binding;
  binding.value = value;
  binding.declared = Declared::Option;
  binding.written = option.value->span;
  Option entry;
  entry.name = name;
  entry.doc = option.doc;
  entry.span = option.name.span;
  entry.isGiven = definitionOf(program, name) != nullptr;
  entry.isRunTime = value.is(ValueKind::Number) && !program.compileTime.count(name);
  if (value.is(ValueKind::Number)) {
    isReal |= !value.asNumber().isWhole();
    entry.dtype = isReal ? DType::F32 : DType::I64;
    entry.value = value.asNumber().toReal();
    if (entry.isRunTime) {
      Tensor tensor = tensors.freeLeaf("option", name, {entry.dtype, {}}, option.name.span);
      tensor.isLoose = true;
      binding.value = Value::tensor(tensor);
    } else {
      binding.value = value.from(&name);
    }
  } else {
    std::tie(entry.kind, entry.text) = kindAndText(value, sources.text(option.value->span));
  }
  program.options.push_back(std::move(entry));
  declare(*scope, option.name, std::move(binding));
}

} // namespace dlm::sema
