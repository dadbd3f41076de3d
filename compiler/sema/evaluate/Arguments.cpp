// See Arguments.h.
#include "compiler/sema/evaluate/Arguments.h"

#include "compiler/sema/evaluate/Evaluator.h"

#include <cmath>

namespace dlm::sema {

namespace {

/// The unit that a literal has, as a parameter's default shows it; nothing for any other value.
std::optional<Measure> measureOf(Evaluator &evaluator, const ast::Expr &expr,
                                 const ScopePtr &scope) {
  bool isQuantity = expr.kind == ast::ExprKind::Quantity || !expr.unit.empty();
  if (!isQuantity) return std::nullopt;
  Value value = evaluator.eval(expr, scope);
  if (!value.is(ValueKind::Quantity)) return std::nullopt;
  return value.asMeasure();
}

/// The number that stands alone as the value of a declaration.
std::string_view numberDeclared(const SourceManager &sources, const Operand &operand) {
  if (!operand.written.isValid()) return "";
  std::string_view text = sources.text(operand.written);
  bool isLiteral = text.find_first_not_of("0123456789_.") == std::string_view::npos &&
                   text.find("..") == std::string_view::npos;
  return isLiteral ? text : std::string_view();
}

/// Whether one is counted, so that a number of it has one spelling.
bool isCounted(Measure measure) { return measure != Measure::Time && measure != Measure::Bytes; }

} // namespace

std::string adviceForUnit(const SourceManager &sources, const Operand &operand,
                          const std::string &unit) {
  std::string_view number = numberDeclared(sources, operand);
  if (number.empty()) return "a number is given a unit by multiplying: `n * 1 " + unit + "`";
  return "give it its unit there: `" + std::string(sources.text(operand.span)) + " = " +
         std::string(number) + " " + unit + "`";
}

std::optional<Value> asSteps(Program &program, const Value &value) {
  bool areEpochs = value.is(ValueKind::Quantity) && value.asMeasure() == Measure::Epochs;
  bool areSamples = value.is(ValueKind::Quantity) && value.asMeasure() == Measure::Samples;
  if ((!areEpochs && !areSamples) || !program.length) return std::nullopt;
  const RunLength &length = *program.length;
  if (!length.batchOption.empty()) // it has to be known then
    program.foundCompileTime |= program.compileTime.insert(length.batchOption).second;
  double samples = value.asNumber().toReal() * double(areEpochs ? length.samplesOfEpoch : 1);
  int64_t steps = int64_t(std::ceil(samples / double(length.samplesOfStep)));
  return Value::quantity(Number::whole(steps), Measure::Steps);
}

Value conformToMeasure(Evaluator &evaluator, Measure measure, const Operand &operand,
                       const std::string &what) {
  const Value &value = operand.value;
  if (value.isPoison()) return Value();
  if (value.is(ValueKind::Quantity) && value.asMeasure() == measure) return value;
  if (measure == Measure::Steps)
    if (std::optional<Value> steps = asSteps(evaluator.program, value)) return *steps;
  bool isOfRun = value.is(ValueKind::Quantity) &&
                 (value.asMeasure() == Measure::Epochs || value.asMeasure() == Measure::Samples);
  if (measure == Measure::Steps && isOfRun && evaluator.program.isLengthLost) return Value();
  bool isScalar = value.is(ValueKind::Tensor) && value.asTensor().type.dims.empty();
  bool isNumber = value.is(ValueKind::Number) || isScalar;
  std::string unit = measureName(measure);
  Report message(evaluator.report, Kind::UnitMismatch, operand.span,
                 what + " is " + Value::quantity(Number::whole(1), measure).describe() +
                     ", and gets " + (isNumber ? "a number without a unit" : value.describe()));
  if (operand.declared.isValid() && operand.expr)
    message.note(operand.declared, "`" + operand.expr->text + "` is declared here");
  if (!isNumber) return Value();
  if (!isCounted(measure)) {
    message.help(measure == Measure::Time ? "times are written `30s`, `10min`, `2h`"
                                          : "sizes are written `512MiB`, `16GiB`");
    return Value();
  }
  std::string written(evaluator.sources.text(operand.span));
  if (operand.expr && operand.expr->kind == ast::ExprKind::Number) {
    std::string whole = written + " " + unit;
    message.help("write `" + whole + "`", operand.span, whole, Applicability::Exact);
    return Value::quantity(value.asNumber(), measure);
  }
  message.help(adviceForUnit(evaluator.sources, operand, unit));
  return Value();
}

Value conformToDefault(Evaluator &evaluator, const ast::Param &param, const Operand &operand) {
  const Value &value = operand.value;
  if (!param.value) return value;
  std::string what = "`" + param.name.text + "`";
  if (std::optional<Measure> measure = measureOf(evaluator, *param.value, evaluator.library))
    return conformToMeasure(evaluator, *measure, operand, what);
  bool isPlain = param.value->kind == ast::ExprKind::Number && param.value->unit.empty();
  if (!isPlain || !value.is(ValueKind::Quantity)) return value;
  std::string example(evaluator.sources.text(param.value->span));
  evaluator.report(Kind::UnitMismatch, operand.span,
                   what + " is a number without a unit, such as `" + example + "`, and gets " +
                       value.describe());
  return Value();
}

bool reportNoTuple(Evaluator &evaluator, const ast::Stmt &let, const Operand &operand,
                   Scope &scope) {
  const Value &value = operand.value;
  bool isTuple = value.is(ValueKind::Record) || value.is(ValueKind::List);
  bool isName = let.value->kind == ast::ExprKind::Name;
  if (!let.pattern.isTuple || !isName || isTuple || value.isPoison()) return false;
  const Binding *binding = scope.find(let.value->text);
  if (!binding || !binding->parameter || !binding->given.isValid()) return false;
  const ast::Param &param = *binding->parameter;
  size_t count = let.pattern.names.size();
  std::string example =
      param.value ? ", such as `" + std::string(evaluator.sources.text(param.value->span)) + "`"
                  : "";
  Report message(evaluator.report, Kind::PatternMismatch, binding->given,
                 "`" + param.name.text + "` is " +
                     (count == 2 ? "a pair" : "a tuple of " + std::to_string(count)) + example +
                     ", and gets " + value.describe());
  if (!evaluator.report.libraryFiles.count(let.pattern.span.file))
    message.note(let.pattern.span, "it is taken apart here");
  return true;
}

void adviseBatchSize(const Evaluator &evaluator, Report &message, const Operand &batch) {
  std::string text = std::string(evaluator.sources.text(batch.span)) + ".size";
  message.help("the number of its samples is `" + text + "`", batch.span, text,
               Applicability::Exact);
}

} // namespace dlm::sema
