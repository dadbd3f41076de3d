// Periods of a run against each other and against the data: tokens become samples, and what comes
// later than the end of the run is warned about.
#include "compiler/sema/run/TrainBlock.h"

#include <cmath>
#include <map>

namespace dlm::sema {

std::string periodText(const Quantity &period) {
  return settingText(SettingValue::quantity(period.value, period.unit));
}

namespace {

/// The tokens of a sample; nothing if it has none, or not always as many.
std::optional<int64_t> tokensOfSample(const DataSource &data) {
  if (data.vocab == 0) return std::nullopt;
  for (const Field &field : data.fields)
    if (field.type.dtype == DType::I32 && field.type.dims.size() == 1)
      return field.type.dims[0].isWhole() ? std::optional(field.type.dims[0].size()) : std::nullopt;
  return std::nullopt;
}

/// What a schedule counts.
const std::map<Measure, Unit> &periodUnits() {
  static const std::map<Measure, Unit> units = {{Measure::Steps, Unit::Steps},
                                                {Measure::Epochs, Unit::Epochs},
                                                {Measure::Samples, Unit::Samples}};
  return units;
}

/// Finds the numbers of steps that are given to schedules, where they are literals or named ones.
class ScheduleSearch {
public:
  explicit ScheduleSearch(Evaluator &evaluator) : evaluator(evaluator) {}

  void look(const ast::Expr &expr, const ScopePtr &scope) {
    for (const ast::ExprPtr &operand : expr.operands)
      look(*operand, scope);
    for (const ast::Argument &argument : expr.arguments)
      look(*argument.value, scope);
    for (const ast::Entry &entry : expr.entries)
      look(*entry.value, scope);
    for (const auto *block : {expr.body.get(), expr.elseBody.get()})
      if (block) look(*block, scope);
    bool isSchedule = expr.kind == ast::ExprKind::Call &&
                      expr.operands[0]->kind == ast::ExprKind::Member &&
                      expr.operands[0]->operands[0]->kind == ast::ExprKind::Name &&
                      expr.operands[0]->operands[0]->text == "schedule";
    if (!isSchedule) return;
    for (const ast::Argument &argument : expr.arguments) {
      Value value = known(*argument.value, scope);
      if (value.is(ValueKind::Quantity) && periodUnits().count(value.asMeasure()))
        found.emplace_back(argument.value->span, value);
    }
  }

  void look(const ast::Block &block, const ScopePtr &outer) {
    ScopePtr scope = evaluator.makeScope(outer);
    for (const ast::Stmt &statement : block.statements) {
      if (!statement.value) continue;
      look(*statement.value, scope);
      if (statement.kind == ast::StmtKind::Let)
        scope->bindings[statement.pattern.names[0].text].value = known(*statement.value, scope);
    }
  }

  std::vector<std::pair<Span, Value>> found;

private:
  Value known(const ast::Expr &value, const ScopePtr &scope) {
    if (value.kind == ast::ExprKind::Quantity || !value.unit.empty())
      return evaluator.eval(value, scope);
    Binding *binding = value.kind == ast::ExprKind::Name ? scope->find(value.text) : nullptr;
    return binding ? binding->value : Value();
  }

  Evaluator &evaluator;
};

} // namespace

/// How many steps a period is; nothing for a time, or if that is not known.
std::optional<double> TrainBlock::stepsOf(const Quantity &period) const {
  double batch = double(result.settings.batch);
  if (period.unit == Unit::Steps) return period.value;
  if (!data || batch < 1) return std::nullopt;
  if (period.unit == Unit::Epochs)
    return std::ceil(period.value * double(data->trainCount) / batch);
  if (period.unit == Unit::Samples) return std::ceil(period.value / batch);
  return std::nullopt;
}

/// False if they cannot be compared.
bool TrainBlock::isShorter(const Quantity &period, const Quantity &other) const {
  if (period.unit == other.unit) return period.value < other.value;
  std::optional<double> steps = stepsOf(period), others = stepsOf(other);
  return steps && others && *steps < *others;
}

/// Whether a period is over before the run is; true if they cannot be compared.
bool TrainBlock::endsWithin(const Quantity &period) const {
  return !isShorter(result.settings.duration, period);
}

void TrainBlock::checkPeriods() {
  Settings &values = result.settings;
  convertTokens(values.duration, "duration");
  convertTokens(values.evaluateEvery, "evaluate.every");
  convertTokens(values.checkpointEvery, "checkpoint.every");
  convertTokens(values.checkpointLight, "checkpoint.light");
  for (Setting &setting : values.others) {
    Quantity period = {setting.value.number, setting.value.unit};
    if (period.unit != Unit::Tokens) continue;
    convertTokens(period, setting.path);
    setting.value = SettingValue::quantity(period.value, period.unit);
  }
  if (values.duration.unit == Unit::None) return;
  auto warn = [&](const Quantity &period, const std::string &path) {
    if (period.unit == Unit::None || endsWithin(period)) return;
    report(Kind::LongPeriod, settings.given[path],
           "`" + path + "` is " + periodText(period) + ", and the run ends after " +
               periodText(values.duration))
        .secondary(settings.given["duration"], "the length of the run");
  };
  warn(values.evaluateEvery, "evaluate.every");
  for (const Setting &setting : values.others)
    if (setting.path == "evaluate.patience" || setting.path == "report.every")
      warn({setting.value.number, setting.value.unit}, setting.path);
}

/// Tokens become samples, rounded up.
void TrainBlock::convertTokens(Quantity &period, const std::string &path) {
  if (period.unit != Unit::Tokens) return;
  std::optional<int64_t> count = data ? tokensOfSample(*data) : std::nullopt;
  if (!count) {
    if (data)
      report(Kind::UnitMismatch, settings.given[path],
             "`" + path + "` is in tokens, and the data source has no samples of so many tokens")
          .secondary(settings.given["data"], "the data source")
          .help("count steps, epochs or samples");
    period = {};
    return;
  }
  double samples = period.value / double(*count);
  period = {std::ceil(samples), Unit::Samples};
  if (period.value == samples) return;
  report(Kind::RoundedPeriod, settings.given[path],
         "`" + path + "` is rounded up to " + periodText(period) + " of " + std::to_string(*count) +
             " tokens");
}

/// Warns of `schedule.cosine(..., warmup = 200 steps)` in a run of 100 steps, wherever an optimizer
/// is given.
void TrainBlock::checkSchedules(const std::vector<ast::Item> &items) {
  ScheduleSearch search(evaluator);
  for (const ast::Item &item : items) {
    if (item.kind == ast::Item::Update) checkSchedules(item.items);
    if (item.kind == ast::Item::Setting && item.name.text == "optimizer")
      search.look(*item.value, scope);
    if (item.kind == ast::Item::Fn && item.function->name.text == "optimizer")
      search.look(item.function->body, scope);
  }
  for (const auto &[place, period] : search.found) {
    if (endsWithin({period.asNumber().toReal(), periodUnits().at(period.asMeasure())})) continue;
    report(Kind::LongSchedule, place,
           "the schedule counts " + period.text() + ", and the run ends after " +
               periodText(result.settings.duration))
        .secondary(settings.given["duration"], "the length of the run");
  }
}

} // namespace dlm::sema
