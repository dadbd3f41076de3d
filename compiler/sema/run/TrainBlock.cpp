// The items of a train block. Functions are declared before anything is evaluated, `let`s in the
// order written.
#include "compiler/sema/run/TrainBlock.h"

#include "compiler/sema/run/WeightFiles.h"

#include "compiler/sema/Survey.h"
#include "compiler/sema/run/Commands.h"
#include "compiler/sema/run/Derived.h"
#include "compiler/sema/run/TrainedParameters.h"
#include "compiler/sema/settings/ForeignSettings.h"
#include "compiler/sema/settings/SettingTable.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace dlm::sema {

namespace {

/// Whether an expression makes a model, or a list of them, as far as can be told without evaluating
/// it.
bool makesModel(const ast::Expr &expr, Scope &scope) {
  if (expr.kind == ast::ExprKind::List || expr.kind == ast::ExprKind::Comprehension)
    return !expr.entries.empty() && makesModel(*expr.entries[0].value, scope);
  if (expr.kind != ast::ExprKind::Call) return false;
  const ast::Expr &callee = *expr.operands[0];
  bool isMember =
      callee.kind == ast::ExprKind::Member && callee.operands[0]->kind == ast::ExprKind::Name;
  if (!isMember && callee.kind != ast::ExprKind::Name) return false;
  Binding *binding = scope.find(isMember ? callee.operands[0]->text : callee.text);
  if (binding && isMember) {
    if (!binding->value.is(ValueKind::Module)) return false;
    auto &members = binding->value.asModule().scope->bindings;
    auto found = members.find(callee.text);
    binding = found == members.end() ? nullptr : &found->second;
  }
  if (!binding) return false;
  static const std::set<std::string> ofModels = {"frozen", "copy", "ema", "weights", "recompute"};
  const Value &value = binding->value;
  return value.is(ValueKind::ModelType) ||
         (value.is(ValueKind::BuiltinFunction) && ofModels.count(value.text()) != 0);
}

} // namespace

TypedProgram TrainBlock::check(const ast::File &file) {
  namespace fs = std::filesystem;
  result.name = train.name.text;
  fs::path program(std::string(evaluator.sources.path(train.span.file)));
  std::error_code error; // of a folder that is gone
  fs::path folder = fs::absolute(program.parent_path() / "runs" / train.name.text, error);
  result.settings.checkpointTo = folder.lexically_normal().string();
  checkItems();
  findHeld();
  checkMissing();
  checkBatchFits();
  checkPeriods();
  checkBest();
  checkSchedules(train.items);
  checkOptimizer();
  checkWeightFiles(evaluator, result.weights);
  if (data) result.data = *data;
  if (!updates.empty()) checkUpdates();
  if (data && (hooks.count("loss") || !updates.empty())) {
    if (updates.empty()) {
      std::set<std::string> trained = allParameters();
      result.loss = checkLoss(*hooks["loss"], true, trained);
      result.evaluationLoss = checkLoss(*hooks["loss"], false, trained);
    }
    if (hooks.count("metrics")) result.metrics = checkMetrics();
    if (hooks.count("predict")) checkPredict();
    checkUpdateNames();
    checkBatchMultiple();
    checkSizes();
    if (report.diagnostics.errorCount() == 0) checkBuffers();
    checkMetricNames(settings.metrics);
  }
  checkSplits();
  checkCommands();
  checkDerived(file);
  if (evaluator.observer) {
    Survey(evaluator).items(train.items, scope);
    evaluator.observer->scope(*scope);
  }
  result.settings.given = settings.given;
  result.options = evaluator.program.options;
  result.parameters = evaluator.program.parameters;
  result.buffers = evaluator.program.buffers;
  result.markers = evaluator.program.markers;
  result.layers = evaluator.program.layers;
  return std::move(result);
}

void TrainBlock::checkItems() {
  for (const ast::Item &item : train.items)
    if (item.kind == ast::Item::Fn) checkFunction(item);
  std::set<const ast::Item *> forgotten;
  for (const ast::Item &item : train.items) {
    if (item.kind == ast::Item::Let) checkLet(item);
    if (!isForgottenLet(item)) continue;
    checkForgottenLet(item);
    forgotten.insert(&item);
  }
  for (const ast::Item &item : train.items) {
    if (forgotten.count(&item)) continue;
    switch (item.kind) {
    case ast::Item::Let:
    case ast::Item::Fn:
    case ast::Item::Require:
      break;
    case ast::Item::Update:
      updates.push_back(&item);
      break;
    case ast::Item::Command:
      commands.push_back(&item);
      break;
    case ast::Item::Setting:
      if (item.name.text != "optimizer") checkSetting(item);
      break;
    case ast::Item::Section:
      checkSection(item);
      break;
    }
  }
  if (data && result.settings.batch > 0)
    evaluator.program.length = {data->trainCount, result.settings.batch,
                                result.settings.batchOption};
  evaluator.program.isLengthLost = !evaluator.program.length;
  for (const ast::Item &item : train.items)
    if (item.kind == ast::Item::Require)
      evaluator.program.conditions.emplace_back(item.statement.get(), scope);
  evaluator.checkConditions();
  for (const ast::Item &item : train.items) // whose schedules may count epochs
    if (item.kind == ast::Item::Setting && item.name.text == "optimizer") checkSetting(item);
}

void TrainBlock::checkLet(const ast::Item &item) {
  const ast::Stmt &let = *item.statement;
  ContextScope saved(evaluator);
  evaluator.context.isInRun = true;
  evaluator.enterPath(let.pattern.names[0].text);
  Operand operand = evaluator.evalOperand(*let.value, scope);
  if (let.type)
    operand.value =
        evaluator.conform(*let.type, operand, scope, "`" + let.pattern.names[0].text + "`", false);
  evaluator.bind(let.pattern, operand.value, operand.span, *scope, Declared::Let);
}

bool TrainBlock::isForgottenLet(const ast::Item &item) const {
  bool isUnknown = item.kind == ast::Item::Setting && !findSetting("train", item.name.text);
  return isUnknown && makesModel(*item.value, *scope);
}

/// What follows is read as if the word stood there.
void TrainBlock::checkForgottenLet(const ast::Item &item) {
  const std::string &name = item.name.text;
  report(Kind::UnknownSetting, item.name.span, "a train block has no setting `" + name + "`")
      .help("a model is held by a `let`", item.name.span, "let " + name, Applicability::Exact);
  ContextScope saved(evaluator);
  evaluator.context.isInRun = true;
  evaluator.enterPath(name);
  Binding binding;
  binding.value = evaluator.eval(*item.value, scope);
  binding.declared = Declared::Let;
  evaluator.declare(*scope, item.name, std::move(binding));
}

void reportHookParameters(Reporter &report, const ast::Function &function, bool isOptimizer) {
  const std::string &name = function.name.text;
  Report message(report, Kind::HookParameters, function.name.span,
                 "`fn " + name + "` takes the " + (isOptimizer ? "parameter" : "batch") +
                     ", and this one has " + std::to_string(function.params.size()) +
                     " parameters");
  if (isOptimizer) return;
  std::vector<std::string> fields; // `fn loss(image, label)`
  bool hasBatch = function.params.empty();
  for (const ast::Param &param : function.params) {
    hasBatch |= param.name.text == "batch";
    fields.push_back("batch." + param.name.text);
  }
  message.help("write `fn " + name + "(batch)`" +
               (hasBatch ? "; the names of the train block can be used in it"
                         : ", and " + joinNames(fields) + " for the fields of the batch"));
}

void TrainBlock::checkFunction(const ast::Item &item) {
  const ast::Function &function = *item.function;
  const std::string &name = function.name.text;
  bool isOptimizer = name == "optimizer";
  if (isOptimizer || name == "loss" || name == "metrics" || name == "predict") {
    settings.given[name] = function.name.span;
    if (function.params.size() != 1)
      reportHookParameters(report, function, isOptimizer);
    else if (isOptimizer)
      optimizer.function = &function;
    else
      hooks[name] = &function;
  }
  if (isOptimizer) return; // called by the run only
  Binding binding;
  binding.value = evaluator.makeFunction(function, scope);
  binding.declared = Declared::Function;
  evaluator.declare(*scope, function.name, std::move(binding));
}

void TrainBlock::checkSetting(const ast::Item &item) {
  using Setter = void (TrainBlock::*)(const ast::Item &);
  static const std::map<std::string, Setter> special = {{"data", &TrainBlock::setData},
                                                        {"batch", &TrainBlock::setBatch},
                                                        {"optimizer", &TrainBlock::setOptimizer}};
  const SettingRow *row = settings.claim(item, "train");
  if (!row) return;
  auto setter = special.find(row->name);
  if (setter != special.end()) return (this->*setter->second)(item);
  if (std::optional<SettingValue> value = settings.read(item, *row))
    SettingReader::store(*row, *value, item.name.span, result.settings);
}

void TrainBlock::checkSection(const ast::Item &item) {
  const std::string &name = item.name.text;
  const std::vector<std::string> &names = sectionNames();
  if (std::count(names.begin(), names.end(), name) == 0) {
    Report message(report, Kind::UnknownSection, item.name.span,
                   "a train block has no section `" + name + "`");
    if (findSetting("train", name))
      message.help("`" + name + "` is a setting: `" + name + " = ...`");
    else if (const ForeignSetting *row = findForeignSetting(name); row && *row->advice)
      message.help(foreignSettingAdvice(*row, ""));
    else
      message.nearestOrAll("a section", name, item.name.span, names);
    return;
  }
  auto [known, isNew] = settings.given.emplace(name, item.name.span);
  if (!isNew) {
    report(Kind::DuplicateSetting, item.name.span, "the section `" + name + "` stands twice")
        .secondary(known->second, "it stands here first");
    return;
  }
  settings.readSection(item, result.settings);
}

void TrainBlock::checkCommands() {
  for (size_t i = 0; i < commands.size(); ++i) {
    const ast::Name &name = commands[i]->function->name;
    for (size_t j = 0; j < i; ++j)
      if (commands[j]->function->name.text == name.text)
        report(Kind::DuplicateName, name.span, "`" + name.text + "` is declared twice")
            .note(commands[j]->function->name.span, "it is declared here first");
    result.commands.push_back(CommandCheck(evaluator, *commands[i], scope).check());
  }
}

/// Searches and exports see the options and models of the run they name.
void TrainBlock::checkDerived(const ast::File &file) {
  for (const ast::Derived &each : file.searches) {
    if (each.of.text != train.name.text) continue;
    SearchCheck search(evaluator, each, scope);
    result.searches.push_back(search.check());
    checkMetricNames(search.settings.metrics);
  }
  for (const ast::Derived &each : file.exports)
    if (each.of.text == train.name.text)
      result.exports.push_back(checkExport(evaluator, each, scope));
}

void TrainBlock::findHeld() {
  ParameterSearch search(evaluator.tensors);
  for (const auto &[name, binding] : scope->bindings) {
    search.look(binding.value);
    bool isRun = binding.value.is(ValueKind::Module) && binding.value.asModule().isRun;
    if (isRun && isUsedOutsideOfLets(name)) search.lookAtRun(binding.value.asModule());
  }
  dropUnusedParts(search.found);
  std::set<std::string> held = search.held();
  for (Parameter &parameter : evaluator.program.parameters)
    parameter.isHeld = held.count(parameter.path) != 0;
}

bool TrainBlock::isUsedOutsideOfLets(const std::string &name) const {
  std::string_view text = evaluator.sources.text(train.span.file);
  auto isPart = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find(name); at != text.npos; at = text.find(name, at + 1)) {
    if ((at > 0 && isPart(at - 1)) || isPart(at + name.size())) continue;
    bool isInLet = std::any_of(train.items.begin(), train.items.end(), [&](const ast::Item &item) {
      return item.kind == ast::Item::Let && item.span.begin <= at && at < item.span.end;
    });
    if (!isInLet) return true;
  }
  return false;
}

void TrainBlock::dropUnusedParts(const std::set<std::string> &found) {
  auto isUnused = [&](const std::string &path) {
    if (found.count(path)) return false;
    const std::vector<Marker> &markers = evaluator.program.markers;
    return std::any_of(markers.begin(), markers.end(), [&](const Marker &marker) {
      return marker.kind == "trained" && path.rfind(marker.of + ".", 0) == 0;
    });
  };
  auto drop = [&](auto &all) {
    all.erase(std::remove_if(all.begin(), all.end(),
                             [&](const auto &each) { return isUnused(each.path); }),
              all.end());
  };
  drop(evaluator.program.parameters);
  drop(evaluator.program.buffers);
  drop(result.weights);
}

/// The paths of what the run trains.
std::set<std::string> TrainBlock::allParameters() const {
  std::set<std::string> paths;
  for (const Parameter &parameter : evaluator.program.parameters)
    if (!parameter.isHeld &&
        !std::count(result.constants.begin(), result.constants.end(), parameter.path))
      paths.insert(parameter.path);
  return paths;
}

void TrainBlock::checkOptimizer() {
  if (!updates.empty()) return; // each has its own
  if (!optimizer.function && !optimizer.value.value.is(ValueKind::OptimizerValue)) return;
  std::vector<const Parameter *> parameters;
  for (const Parameter &parameter : evaluator.program.parameters)
    if (!parameter.isHeld) parameters.push_back(&parameter);
  unsigned errors = report.diagnostics.errorCount();
  OptimizerGroups groups(evaluator, scope);
  groups.check(optimizer, parameters);
  optimizerErrors = report.diagnostics.errorCount() - errors;
  result.groups = std::move(groups.groups);
  result.constants = std::move(groups.constants);
}

void TrainBlock::checkMissing() {
  static const std::pair<const char *, const char *> needed[] = {
      {"data", "data = data.idx(\"DIRECTORY\")"},
      {"batch", "batch = 64"},
      {"optimizer", "optimizer = optim.AdamW(lr = 1e-3)"},
      {"duration", "duration = 5 epochs"},
      {"loss", "fn loss(batch) { ... }"}};
  std::vector<std::string> missing, examples;
  for (const auto &[name, example] : needed) {
    bool isOfUpdates = std::string(name) == "loss" || std::string(name) == "optimizer";
    bool isThere = settings.given.count(name) || settings.meant.count(name);
    if (isThere || (isOfUpdates && !updates.empty())) continue;
    missing.push_back((std::string(name) == "loss" ? "fn " : "") + std::string(name));
    examples.emplace_back(example);
  }
  if (missing.empty()) return;
  report(Kind::MissingSetting, train.name.span,
         "the train block `" + train.name.text + "` lacks " + joinNames(missing))
      .help("add, for example, " + joinNames(examples));
}

} // namespace dlm::sema
