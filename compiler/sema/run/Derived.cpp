// The space of a search holds options in place of settings, so it is read here; all else comes from
// the table of settings.
#include "compiler/sema/run/Derived.h"

#include "compiler/sema/run/TrainedParameters.h"
#include "compiler/sema/tensor/Markers.h"

#include <algorithm>
#include <map>
#include <set>

namespace dlm::sema {

namespace {

const std::vector<std::string> &rangeNames() {
  static const std::vector<std::string> names = {"log", "uniform", "int"};
  return names;
}

bool isPlainNumber(const Option &option) { return option.kind.empty(); }

std::string kindOf(const Option &option) {
  if (!isPlainNumber(option)) return option.kind;
  return option.dtype == DType::I64 ? "a whole number" : "a number";
}

/// Whether a value could stand in the place of the option's default.
bool fits(const Value &value, const Option &option) {
  if (isPlainNumber(option))
    return value.is(ValueKind::Number) &&
           (option.dtype != DType::I64 || value.asNumber().isWhole());
  if (option.kind == "bool") return value.is(ValueKind::Bool);
  if (option.kind == "string") return value.is(ValueKind::String);
  return value.is(ValueKind::Quantity) && option.kind == measureName(value.asMeasure());
}

std::string definitionText(const Value &value) {
  return value.is(ValueKind::String) ? value.asString() : value.text();
}

/// A model, or an average or copy of it: then what is stored for that leaves.
void setModel(Evaluator &evaluator, const Operand &operand, Export &result) {
  const Value &value = unmarked(operand.value);
  if (value.isPoison()) return;
  if (!value.is(ValueKind::Instance)) {
    Report message(evaluator.report, Kind::SettingType, operand.span,
                   "`model` is a model of the train block, and this is " + value.describe());
    message.help(modelAdvice(value, evaluator.sources.text(operand.span)));
    return;
  }
  const InstanceObject &instance = value.asInstance();
  result.model = instance.path;
  if (instance.marker >= 0)
    result.stored = storedPath(evaluator.program.markers[size_t(instance.marker)], instance.path);
}

} // namespace

void checkDerivedNames(const ast::File &file, Reporter &report) {
  std::vector<std::string> names;
  for (const ast::Train &train : file.trains)
    names.push_back(train.name.text);
  std::vector<const ast::Derived *> all;
  for (const ast::Derived &each : file.searches)
    all.push_back(&each);
  for (const ast::Derived &each : file.exports)
    all.push_back(&each);
  std::set<std::string> known(names.begin(), names.end());
  std::map<std::string, Span> declared;
  for (const ast::Derived *each : all) {
    const ast::Name &of = each->of;
    if (known.count(of.text) == 0)
      report(Kind::UnknownName, of.span, "there is no train block named `" + of.text + "`")
          .nearestOrAll("a train block", of.text, of.span, names);
    auto [first, isNew] = declared.emplace(each->name.text, each->name.span);
    if (!isNew)
      report(Kind::DuplicateName, each->name.span, "`" + each->name.text + "` is declared twice")
          .note(first->second, "it is declared here first");
  }
}

Search SearchCheck::check() {
  result.name = search.name.text;
  result.span = search.name.span;
  result.strategy = {SettingValue::List, "", 0, Unit::None, {}};
  SettingValue byDefault = SettingValue::word("random");
  byDefault.parts.emplace_back("trials", SettingValue::plain(20));
  for (const ast::Item &item : search.items) {
    bool isSpace = item.kind == ast::Item::Section && item.name.text == "space";
    if (isSpace) {
      if (!settings.given.emplace("space", item.name.span).second)
        report(Kind::DuplicateSetting, item.name.span, "the section `space` stands twice");
      for (const ast::Item &option : item.items)
        addOption(option);
      continue;
    }
    const SettingRow *row = settings.claim(item, "search");
    if (!row) continue;
    std::optional<SettingValue> value = settings.read(item, *row);
    std::string name = row->name;
    bool isObjective = name == "minimize" || name == "maximize";
    if (isObjective) setObjective(item, name == "maximize");
    if (!value) continue;
    if (isObjective)
      result.objective = value->text;
    else if (value->kind == SettingValue::List)
      result.strategy = std::move(*value);
    else
      result.strategy.parts.emplace_back("", std::move(*value));
  }
  if (result.strategy.parts.empty()) result.strategy.parts.emplace_back("", byDefault);
  std::vector<std::string> missing;
  if (!settings.given.count("space")) missing.push_back("space { }");
  if (!settings.given.count("search.minimize") && !settings.given.count("search.maximize"))
    missing.push_back("minimize");
  if (!missing.empty())
    report(Kind::MissingSetting, search.name.span,
           "the search `" + result.name + "` lacks " + joinNames(missing))
        .help("for example `space { lr = log(1e-5, 1e-2) }` and `minimize = validation.loss`");
  return std::move(result);
}

void SearchCheck::setObjective(const ast::Item &item, bool isMaximized) {
  result.isMaximized = isMaximized;
  auto other = settings.given.find(isMaximized ? "search.minimize" : "search.maximize");
  if (other == settings.given.end()) return;
  report(Kind::DuplicateSetting, item.name.span, "a search has one objective, and this is a second")
      .secondary(other->second, "the first");
}

void SearchCheck::addOption(const ast::Item &item) {
  const std::string &name = item.name.text;
  std::vector<std::string> names;
  const Option *option = nullptr;
  for (const Option &each : evaluator.program.options) {
    names.push_back(each.name);
    if (each.name == name) option = &each;
  }
  if (item.kind != ast::Item::Setting) {
    report(Kind::UnknownSetting, item.span, "`space` holds options and their values only");
    return;
  }
  if (!option) {
    Report message(report, Kind::UnknownOption, item.name.span,
                   "the program has no option `" + name + "`");
    if (names.empty())
      message.help("a search varies options: declare `option " + name + " = ...`");
    else
      message.nearestOrAll("an option", name, item.name.span, names);
    return;
  }
  if (!settings.given.emplace("space." + name, item.name.span).second) {
    report(Kind::DuplicateSetting, item.name.span, "`" + name + "` is given values twice");
    return;
  }
  SearchOption entry;
  entry.option = name;
  entry.isRunTime = option->isRunTime && isPlainNumber(*option);
  entry.span = item.name.span;
  const ast::Expr &value = *item.value;
  bool isRange =
      value.kind == ast::ExprKind::Call && value.operands[0]->kind == ast::ExprKind::Name;
  if (value.kind != ast::ExprKind::List && !isRange) {
    report(Kind::SettingType, value.span, "the values of `" + name + "` are a list or a range")
        .help("write `[a, b]`, `log(low, high)`, `uniform(low, high)` or `int(low, high)`");
    return;
  }
  bool isFine = isRange ? readRange(value, *option, entry) : readValues(value, *option, entry);
  if (isFine) result.space.push_back(std::move(entry));
}

bool SearchCheck::readRange(const ast::Expr &call, const Option &option, SearchOption &entry) {
  const ast::Expr &name = *call.operands[0];
  const std::vector<std::string> &names = rangeNames();
  if (std::count(names.begin(), names.end(), name.text) == 0) {
    report(Kind::UnknownChoice, name.span, "there is no range `" + name.text + "`")
        .nearestOrAll("a range", name.text, name.span, names);
    return false;
  }
  entry.kind = name.text;
  Signature signature = {name.text, {"low", "high"}, {false, false}, {}};
  std::vector<CallArgument> arguments;
  for (const ast::Argument &each : call.arguments)
    arguments.push_back(
        {each.name.text, each.name.span, {Value(), each.value.get(), each.value->span}, false});
  std::optional<std::vector<int>> matched = evaluator.match(signature, arguments, call.span);
  if (!matched) return false;
  double limits[2] = {0, 0};
  for (size_t i : {0, 1}) {
    const ast::Expr &expr = *arguments[size_t((*matched)[i])].operand.expr;
    Operand operand = evaluator.evalOperand(expr, scope);
    std::string what = "`" + signature.names[i] + "`";
    std::optional<Number> number;
    if (entry.kind == "int") {
      if (std::optional<int64_t> whole = evaluator.needInt(operand, what))
        number = Number::whole(*whole);
    } else {
      number = evaluator.needNumber(operand, what);
    }
    if (!number) return false;
    limits[i] = number->toReal();
  }
  entry.low = limits[0];
  entry.high = limits[1];
  return checkLimits(call, option, entry);
}

bool SearchCheck::checkLimits(const ast::Expr &call, const Option &option,
                              const SearchOption &range) {
  std::string text(evaluator.sources.text(call.span));
  bool isWhole = isPlainNumber(option) && option.dtype == DType::I64;
  if (range.low >= range.high) {
    report(Kind::SettingRange, call.span, "the range `" + text + "` is empty");
  } else if (range.kind == "log" && range.low <= 0) {
    report(Kind::SettingRange, call.span, "the limits of `log` are more than zero");
  } else if (!isPlainNumber(option)) {
    report(Kind::SettingType, call.span,
           "`" + option.name + "` is of the kind `" + option.kind +
               "`, and a range is one of plain numbers")
        .note(option.span, "the option is declared here")
        .help("write a list: `[a, b]`");
  } else if (isWhole != (range.kind == "int")) {
    report(Kind::SettingType, call.span,
           "`" + option.name + "` is " + kindOf(option) + ", and `" + range.kind + "` gives " +
               (isWhole ? "real ones" : "whole ones"))
        .note(option.span, "the option is declared here")
        .help(isWhole ? "`int(low, high)` gives whole numbers"
                      : "`uniform(low, high)` and `log(low, high)` give real numbers");
  } else if (!range.isRunTime) {
    report(Kind::SettingType, call.span,
           "`" + option.name +
               "` is fixed when the program is compiled, so a range "
               "would need any number of executables")
        .note(option.span, "the option is declared here")
        .help("write a list: an executable is made for each of its values");
  } else {
    return true;
  }
  return false;
}

bool SearchCheck::readValues(const ast::Expr &list, const Option &option, SearchOption &entry) {
  entry.kind = "list";
  if (list.entries.empty()) {
    report(Kind::SettingRange, list.span, "`" + option.name + "` is given no values");
    return false;
  }
  bool isFine = true;
  for (const ast::Entry &each : list.entries) {
    Operand operand = evaluator.evalOperand(*each.value, scope);
    if (operand.value.isPoison()) return false;
    if (fits(operand.value, option)) {
      entry.values.push_back(definitionText(operand.value));
      entry.places.push_back(operand.span);
      continue;
    }
    isFine = false;
    report(Kind::SettingType, operand.span,
           "`" + option.name + "` is " +
               (isPlainNumber(option) ? kindOf(option) : "of the kind `" + option.kind + "`") +
               ", and this is " + operand.value.describe())
        .note(option.span, "the option is declared here");
  }
  return isFine;
}

Export checkExport(Evaluator &evaluator, const ast::Derived &derived, const ScopePtr &scope) {
  Reporter &report = evaluator.report;
  Export result;
  result.name = derived.name.text;
  result.span = derived.name.span;
  SettingReader reader(evaluator, scope);
  for (const ast::Item &item : derived.items) {
    const SettingRow *row = reader.claim(item, "export");
    if (!row) continue;
    if (std::string(row->name) != "model") {
      if (std::optional<SettingValue> value = reader.read(item, *row))
        result.settings.push_back({row->path(), std::move(*value), item.name.span});
      continue;
    }
    evaluator.program.hints.isModelNeeded =
        item.value->kind == ast::ExprKind::Name && !scope->find(item.value->text);
    Operand operand = evaluator.evalOperand(*item.value, scope);
    evaluator.program.hints.isModelNeeded = false;
    setModel(evaluator, operand, result);
  }
  std::vector<std::string> missing;
  if (!reader.given.count("export.model")) missing.push_back("model");
  if (!reader.given.count("export.onnx") && !reader.given.count("export.safetensors"))
    missing.push_back("onnx");
  if (!missing.empty())
    report(Kind::MissingSetting, derived.name.span,
           "the export `" + result.name + "` lacks " + joinNames(missing))
        .help("for example `model = net` and `onnx = \"net.onnx\"`");
  return result;
}

} // namespace dlm::sema
