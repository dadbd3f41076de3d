// Options: numbers a user may change. While nothing needs the value of one it stays a run-time
// scalar; options with units, texts and bools are always known when the program is compiled.
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/abi/ProgramFlags.h"

#include <cctype>
#include <tuple>

namespace dlm::sema {

namespace {

/// The text that `-D` gives for an option, the last one if several do.
const std::string *definitionOf(const Program &program, const std::string &name) {
  const std::string *result = nullptr;
  for (const auto &[key, text] : program.checkOptions.definitions)
    if (key == name) result = &text;
  return result;
}

/// Reads the text of `-D` as a value of the kind of the default.
std::optional<Value> parseDefinition(Evaluator &evaluator, const std::string &text,
                                     const Value &byDefault, Span span) {
  if (byDefault.is(ValueKind::String)) return Value::string(text);
  if (byDefault.is(ValueKind::Bool)) {
    if (text == "true" || text == "false") return Value::boolean(text == "true");
    return std::nullopt;
  }
  bool isNegative = !text.empty() && text[0] == '-';
  std::string rest = text.substr(isNegative);
  size_t split = 0;
  auto isDigit = [&](char c) { return std::isdigit(static_cast<unsigned char>(c)) || c == '_'; };
  while (split < rest.size() && (isDigit(rest[split]) || rest[split] == '.'))
    ++split;
  size_t behind = rest.find_first_not_of("eE", split); // of `1e-3`, not of `2epochs`
  bool hasExponent =
      behind == split + 1 && (isDigit(rest[behind]) || rest[behind] == '-' || rest[behind] == '+');
  if (hasExponent) split = rest.size();
  bool isFormed = split > 0 && isDigit(rest[0]);
  std::string number = rest.substr(0, split), unit = rest.substr(split);
  while (!unit.empty() && unit[0] == ' ')
    unit.erase(0, 1);
  std::optional<Number> amount;
  if (isFormed) amount = parseNumber(number);
  if (!amount) return std::nullopt;
  if (isNegative) amount = calculate("-", Number::whole(0), *amount);
  if (unit == "%")
    amount = calculate("/", *amount, Number::whole(100));
  else if (!unit.empty() || byDefault.is(ValueKind::Quantity)) {
    Value value = evaluator.evalQuantity(number, unit, span);
    if (value.is(byDefault.kind()) && value.asMeasure() == byDefault.asMeasure()) return value;
    return std::nullopt;
  }
  return Value::number(*amount);
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
  if (const std::string *text = definitionOf(program, name)) {
    std::optional<Value> given = parseDefinition(*this, *text, value, option.name.span);
    if (given)
      value = *given;
    else if (!value.isPoison())
      report(Kind::OptionValue, option.name.span,
             "`-D " + name + "=" + *text + "` does not give " + value.describe());
  }
  if (const FlagSpec *flag = findProgramFlag(name))
    report(Kind::OptionName, option.name.span, "an option cannot be called `" + name + "`")
        .help("`--" + std::string(flag->name) +
              "` is a flag of every compiled program; choose another name");
  for (const Option &other : program.options)
    if (other.name == name && other.span.file != option.name.span.file)
      report(Kind::DuplicateName, option.name.span,
             "two files declare `" + name + "`, and one `-D` would set both")
          .note(other.span, "the other option is declared here");
  Binding binding;
  binding.value = value;
  binding.declared = Declared::Option;
  Option entry;
  entry.name = name;
  entry.doc = option.doc;
  entry.span = option.name.span;
  entry.isRunTime = value.is(ValueKind::Number) && !program.compileTime.count(name);
  if (value.is(ValueKind::Number)) {
    bool isReal = !value.asNumber().isWhole() || (option.type && option.type->text == "f32");
    entry.dtype = isReal ? DType::F32 : DType::I64;
    entry.value = value.asNumber().toReal();
    if (entry.isRunTime) {
      Tensor tensor = tensors.freeLeaf("option", name, {entry.dtype, {}}, option.name.span);
      tensor.isLoose = true;
      binding.value = Value::tensor(tensor);
    }
  } else {
    std::tie(entry.kind, entry.text) = kindAndText(value, sources.text(option.value->span));
  }
  program.options.push_back(std::move(entry));
  declare(*scope, option.name, std::move(binding));
}

} // namespace dlm::sema
