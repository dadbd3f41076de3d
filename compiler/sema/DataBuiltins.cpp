// Data sources: what is known about one is read when the program is compiled.
#include "compiler/sema/Evaluator.h"
#include "compiler/sema/IdxSource.h"

#include <cmath>
#include <filesystem>

namespace dlm::sema {

namespace {

/// How many of `count` samples a share (`5%`) or a number of samples is; nothing if reported.
std::optional<int64_t> partOf(Evaluator &evaluator, const Operand &operand, int64_t count) {
  const Value &value = operand.value;
  std::optional<Number> amount;
  if (value.is(ValueKind::Quantity) && value.asMeasure() == Measure::Samples)
    amount = value.asNumber();
  else
    amount = evaluator.needNumber(operand, "the validation part");
  if (!amount) return std::nullopt;
  std::string text(evaluator.sources.text(operand.span));
  bool isPercentage = text.back() == '%'; // `100%` is the number 1, and not one sample
  bool isShare = isPercentage || (!value.is(ValueKind::Quantity) && amount->toReal() < 1);
  double samples = isShare ? std::floor(amount->toReal() * double(count) + 1e-9) : amount->toReal();
  if (samples >= 0 && samples < double(count) && samples == std::floor(samples))
    return int64_t(samples);
  evaluator.report(Kind::SettingRange, operand.span,
                   "the validation part is a share below 100% or a number of samples below " +
                       std::to_string(count) + ", and this is `" + text + "`");
  return std::nullopt;
}

Value runIdx(Evaluator &evaluator, const BuiltinCall &call) {
  namespace fs = std::filesystem;
  std::optional<std::string> directory = evaluator.needString(call[0], "the directory");
  if (!directory) return Value();
  fs::path base = fs::path(std::string(evaluator.sources.path(call.span.file))).parent_path();
  std::string path = fs::absolute(base / *directory).lexically_normal().string();
  std::string reason;
  std::optional<DataSource> source = probeIdx(path, reason);
  if (!source) {
    evaluator.report(Kind::DataSource, call[0].span, reason).note("the directory is " + path);
    return Value();
  }
  source->span = call.span;
  if (call.has(1)) {
    std::optional<int64_t> part = partOf(evaluator, call[1], source->trainCount);
    if (!part) return Value();
    source->validationCount = *part;
    source->trainCount -= *part;
  }
  return Value::data(std::move(*source));
}

} // namespace

const BuiltinTable &dataBuiltins() {
  static const BuiltinTable table = {{"idx", "directory, validation?", runIdx}};
  return table;
}

} // namespace dlm::sema
