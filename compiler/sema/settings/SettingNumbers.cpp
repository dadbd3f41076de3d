// The plain values of settings: numbers and their ranges, sizes, times, texts.
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/settings/SettingReader.h"

namespace dlm::sema {

namespace {

/// The kind of a plain value that a form takes; empty if it takes words only.
std::string plainKind(const SettingForm &form) {
  for (const FormCase &each : form.cases)
    if (each.isKind) return each.name;
  return "";
}

/// An option that stays open, a number by itself.
bool isOpenNumber(const Value &value) {
  return value.is(ValueKind::Tensor) && value.asTensor().isLoose;
}

std::string shown(const Value &value) {
  if (isOpenNumber(value)) return "a number without a unit";
  bool isNumber = value.is(ValueKind::Number) || value.is(ValueKind::Quantity);
  return isNumber ? "`" + value.text() + "`" : value.describe();
}

Unit unitOf(Measure measure) {
  switch (measure) {
  case Measure::Steps:
    return Unit::Steps;
  case Measure::Epochs:
    return Unit::Epochs;
  case Measure::Samples:
    return Unit::Samples;
  case Measure::Tokens:
    return Unit::Tokens;
  case Measure::Time:
    return Unit::Milliseconds;
  case Measure::Bytes:
    return Unit::Bytes;
  }
  return Unit::None;
}

} // namespace

void SettingReader::wrongKind(const Operand &operand, const SettingForm &form,
                              const std::string &what) {
  const Value &value = operand.value;
  Report message(report, Kind::SettingType, operand.span,
                 what + " is " + form.describe() + ", and this is " + shown(value));
  bool isWord = value.is(ValueKind::String) && form.findWord(value.asString());
  if (isWord && operand.expr && operand.expr->kind == ast::ExprKind::String)
    message.help("the word is written without quotes", operand.span, value.asString());
  else if (form.takes("BYTES") && (value.is(ValueKind::Number) || isOpenNumber(value)))
    adviseUnit(message, operand, "GiB", "`16GiB` or `500MiB`");
}

/// For a number that lacks its unit: it is written here, or where the number is declared.
void SettingReader::adviseUnit(Report &message, const Operand &operand, const std::string &unit,
                               const std::string &examples) {
  if (!operand.declared.isValid() || !operand.expr) {
    message.help("write a unit, such as " + examples);
    return;
  }
  message.note(operand.declared, "`" + operand.expr->text + "` is declared here");
  message.help(adviceForUnit(evaluator.sources, operand, unit));
}

std::optional<SettingValue> SettingReader::readKind(const Operand &operand, const SettingForm &form,
                                                    const std::string &what) {
  const Value &value = operand.value;
  if (value.isPoison()) return std::nullopt;
  std::string kind = plainKind(form);
  bool isNumber = value.is(ValueKind::Number) || value.is(ValueKind::Tensor);
  if (kind == "PERIOD") return readPeriod(operand, what);
  if ((kind == "COUNT" || kind == "WHOLE" || kind == "PORT") && isNumber)
    return readCount(operand, kind, what);
  if (kind == "NUMBER" && isNumber) return readNumber(operand, what);
  if (kind == "BYTES" && value.is(ValueKind::Quantity) && value.asMeasure() == Measure::Bytes)
    return readBytes(value, operand.span, what);
  if (kind == "TEXT" && value.is(ValueKind::String)) {
    if (!value.asString().empty()) return SettingValue::string(value.asString());
    report(Kind::SettingRange, operand.span, what + " is a string that is not empty");
    return std::nullopt;
  }
  wrongKind(operand, form, what);
  return std::nullopt;
}

std::optional<SettingValue>
SettingReader::readCount(const Operand &operand, const std::string &kind, const std::string &what) {
  std::optional<int64_t> count = evaluator.needInt(operand, what);
  if (!count) return std::nullopt;
  constexpr int64_t portMax = 65535;
  std::string wanted;
  if (kind == "PORT" && (*count < 1 || *count > portMax)) wanted = "a port from 1 to 65535";
  if (kind == "COUNT" && *count < 1) wanted = "at least 1";
  if (kind == "WHOLE" && *count < 0) wanted = "not negative";
  if (wanted.empty()) return SettingValue::plain(double(*count));
  report(Kind::SettingRange, operand.span,
         what + " is " + wanted + ", and this is " + std::to_string(*count));
  return std::nullopt;
}

std::optional<SettingValue> SettingReader::readNumber(const Operand &operand,
                                                      const std::string &what) {
  std::optional<Number> number = evaluator.needNumber(operand, what);
  if (!number) return std::nullopt;
  if (number->toReal() > 0) return SettingValue::plain(number->toReal());
  report(Kind::SettingRange, operand.span,
         what + " is more than zero, and this is " + number->text());
  return std::nullopt;
}

std::optional<SettingValue> SettingReader::readBytes(const Value &value, Span span,
                                                     const std::string &what) {
  if (value.asNumber().isWhole() && value.asNumber().toReal() > 0)
    return SettingValue::quantity(value.asNumber().toReal(), Unit::Bytes);
  report(Kind::SettingRange, span,
         what + " is more than zero and whole, and this is " + value.text());
  return std::nullopt;
}

std::optional<SettingValue> SettingReader::readPeriod(const Operand &operand,
                                                      const std::string &what) {
  const Value &value = operand.value;
  if (value.isPoison()) return std::nullopt;
  if (!value.is(ValueKind::Quantity) || value.asMeasure() == Measure::Bytes) {
    Report message(report, Kind::SettingType, operand.span,
                   what + " is a number of steps, epochs or samples or a time, and this is " +
                       shown(value));
    adviseUnit(message,
               value.is(ValueKind::Quantity) ? Operand{value, nullptr, operand.span} : operand,
               "steps", "`5 epochs`, `1000 steps` or `30min`");
    return std::nullopt;
  }
  Unit unit = unitOf(value.asMeasure());
  double amount = value.asNumber().toReal();
  bool needsWhole = unit == Unit::Steps || unit == Unit::Samples || unit == Unit::Tokens;
  if (amount > 0 && (!needsWhole || value.asNumber().isWhole()))
    return SettingValue::quantity(amount, unit);
  report(Kind::SettingRange, operand.span,
         what + " is more than zero" + (needsWhole ? " and whole" : "") + ", and this is " +
             value.text());
  return std::nullopt;
}

} // namespace dlm::sema
