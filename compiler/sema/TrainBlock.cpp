// The items of a train block. Functions are declared before anything is evaluated, `let`s in the
// order written.
#include "compiler/sema/TrainBlock.h"

#include "compiler/sema/ForeignNames.h"
#include "compiler/sema/Survey.h"

#include <filesystem>

namespace dlm::sema {

using Setter = void (TrainBlock::*)(const ast::Item &);

/// A name that may stand in a block; without a setter it is known, and cannot be compiled yet.
struct SettingRow {
  const char *name;
  Setter set;

  static const std::vector<SettingRow> &settings() {
    static const std::vector<SettingRow> rows = {{"data", &TrainBlock::setData},
                                                 {"batch", &TrainBlock::setBatch},
                                                 {"micro", &TrainBlock::setMicro},
                                                 {"optimizer", &TrainBlock::setOptimizer},
                                                 {"duration", &TrainBlock::setDuration},
                                                 {"seed", &TrainBlock::setSeed},
                                                 {"clip_norm", nullptr},
                                                 {"precision", nullptr}};
    return rows;
  }

  static const std::vector<SettingRow> &evaluate() {
    static const std::vector<SettingRow> rows = {{"every", &TrainBlock::setEvaluateEvery},
                                                 {"batches", nullptr},
                                                 {"keep_best", nullptr},
                                                 {"patience", nullptr}};
    return rows;
  }

  static const std::vector<SettingRow> &checkpoint() {
    static const std::vector<SettingRow> rows = {{"every", &TrainBlock::setCheckpointEvery},
                                                 {"keep", &TrainBlock::setKeep},
                                                 {"to", &TrainBlock::setTo},
                                                 {"light", nullptr}};
    return rows;
  }

  static const SettingRow *find(const std::vector<SettingRow> &rows, const std::string &name) {
    for (const SettingRow &row : rows)
      if (name == row.name) return &row;
    return nullptr;
  }

  static std::vector<std::string> names(const std::vector<SettingRow> &rows) {
    std::vector<std::string> result;
    for (const SettingRow &row : rows)
      if (row.set) result.push_back(row.name);
    return result;
  }
};

namespace {

/// A section's own settings; null for a section that cannot be compiled yet.
struct SectionRow {
  const char *name;
  const std::vector<SettingRow> *settings;
};

const std::vector<SectionRow> &sections() {
  static const std::vector<SectionRow> rows = {{"evaluate", &SettingRow::evaluate()},
                                               {"checkpoint", &SettingRow::checkpoint()},
                                               {"memory", nullptr},
                                               {"parallel", nullptr},
                                               {"guard", nullptr},
                                               {"report", nullptr}};
  return rows;
}

} // namespace

TypedProgram TrainBlock::check() {
  namespace fs = std::filesystem;
  result.name = train.name.text;
  fs::path file(std::string(evaluator.sources.path(train.span.file)));
  fs::path folder = fs::absolute(file.parent_path() / "runs" / train.name.text);
  result.settings.checkpointTo = folder.lexically_normal().string();
  checkItems();
  checkMissing();
  checkBatchFits();
  if (data && hooks.count("loss")) {
    result.data = *data;
    result.loss = checkLoss(true);
    result.evaluationLoss = checkLoss(false);
    if (hooks.count("metrics")) result.metrics = checkMetrics();
    checkBatchMultiple();
    checkSizes();
  }
  if (optimizer.value.is(ValueKind::OptimizerValue)) result.optimizer = checkOptimizer(optimizer);
  if (evaluator.observer) {
    Survey(evaluator).items(train.items, scope);
    evaluator.observer->scope(*scope);
  }
  result.options = evaluator.program.options;
  result.parameters = evaluator.program.parameters;
  result.layers = evaluator.program.layers;
  return std::move(result);
}

void TrainBlock::checkItems() {
  for (const ast::Item &item : train.items)
    if (item.kind == ast::Item::Fn) checkFunction(item);
  for (const ast::Item &item : train.items)
    if (item.kind == ast::Item::Let) checkLet(item);
  for (const ast::Item &item : train.items) {
    switch (item.kind) {
    case ast::Item::Let:
    case ast::Item::Fn:
      break;
    case ast::Item::Update:
      evaluator.notYet(item.name.span, "an `update` block");
      break;
    case ast::Item::Command:
      evaluator.notYet(item.function->name.span, "a `command`");
      break;
    case ast::Item::Setting:
      checkSetting(item);
      break;
    case ast::Item::Section:
      checkSection(item);
      break;
    }
  }
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

void TrainBlock::checkFunction(const ast::Item &item) {
  const ast::Function &function = *item.function;
  const std::string &name = function.name.text;
  if (name == "optimizer") {
    evaluator.notYet(function.name.span, "an optimizer that depends on the parameter");
    given["optimizer"] = function.name.span;
    return;
  }
  if (name == "loss" || name == "metrics") {
    if (function.params.size() == 1)
      hooks[name] = &function;
    else
      report(Kind::HookParameters, function.name.span,
             "`fn " + name + "` takes the batch, and this one has " +
                 std::to_string(function.params.size()) + " parameters");
    given[name] = function.name.span;
  }
  Binding binding;
  binding.value = evaluator.makeFunction(function, scope);
  binding.declared = Declared::Function;
  evaluator.declare(*scope, function.name, std::move(binding));
}

static bool hasItem(const ast::Train &train, const std::string &name) {
  for (const ast::Item &item : train.items)
    if (item.name.text == name || (item.function && item.function->name.text == name)) return true;
  return false;
}

void TrainBlock::checkSetting(const ast::Item &item) {
  const std::string &name = item.name.text;
  const SettingRow *row = SettingRow::find(SettingRow::settings(), name);
  if (!row) {
    Report message(report, Kind::UnknownSetting, item.name.span,
                   "a train block has no setting `" + name + "`");
    for (const SectionRow &section : sections()) {
      if (name != section.name) continue;
      message.help("`" + name + "` is a section: `" + name + " { }`");
      return;
    }
    bool isSame = false;
    std::string meant = settingHere(name, isSame);
    if (meant.empty()) {
      message.nearestOrAll("a setting", name, item.name.span,
                           SettingRow::names(SettingRow::settings()));
      return;
    }
    if (!hasItem(train, meant)) given.emplace(meant, item.name.span); // it is not missing, too
    if (isSame)
      message.help("it is called `" + meant + "` here", item.name.span, meant,
                   Applicability::Exact);
    else
      message.help(meant == "duration" ? "the length of a run is `duration = 5 epochs` or the like"
                   : meant == "optimizer" ? "it is given to the optimizer: `optim.AdamW(lr = 1e-3)`"
                                          : "the loss is a function: `fn loss(batch) { ... }`");
    return;
  }
  auto [known, isNew] = given.emplace(name, item.name.span);
  if (!isNew) {
    report(Kind::DuplicateSetting, item.name.span, "`" + name + "` is set twice")
        .secondary(known->second, "set here first");
    return;
  }
  if (row->set)
    (this->*row->set)(item);
  else
    evaluator.notYet(item.name.span, "the setting `" + name + "`");
}

void TrainBlock::checkSection(const ast::Item &item) {
  const std::string &name = item.name.text;
  const SectionRow *row = nullptr;
  std::vector<std::string> names;
  for (const SectionRow &each : sections()) {
    if (each.settings) names.push_back(each.name);
    if (name == each.name) row = &each;
  }
  if (!row) {
    report(Kind::UnknownSection, item.name.span, "a train block has no section `" + name + "`")
        .nearestOrAll("a section", name, item.name.span, names);
    return;
  }
  if (!given.emplace(name, item.name.span).second) {
    report(Kind::DuplicateSetting, item.name.span, "the section `" + name + "` stands twice");
    return;
  }
  if (!row->settings) {
    evaluator.notYet(item.name.span, "the section `" + name + "`");
    return;
  }
  for (const ast::Item &part : item.items) {
    const SettingRow *setting = SettingRow::find(*row->settings, part.name.text);
    if (part.kind != ast::Item::Setting || !setting) {
      report(Kind::UnknownSetting, part.name.span.isValid() ? part.name.span : part.span,
             "`" + name + "` has no setting `" + part.name.text + "`")
          .nearestOrAll("a setting", part.name.text, part.name.span,
                        SettingRow::names(*row->settings));
    } else if (!given.emplace(name + "." + part.name.text, part.name.span).second) {
      report(Kind::DuplicateSetting, part.name.span, "`" + part.name.text + "` is set twice");
    } else if (!setting->set) {
      evaluator.notYet(part.name.span, "the setting `" + part.name.text + "` of `" + name + "`");
    } else {
      (this->*setting->set)(part);
    }
  }
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
    if (given.count(name)) continue;
    missing.push_back((std::string(name) == "loss" ? "fn " : "") + std::string(name));
    examples.emplace_back(example);
  }
  if (missing.empty()) return;
  report(Kind::MissingSetting, train.name.span,
         "the train block `" + train.name.text + "` lacks " + joinNames(missing))
      .help("add, for example, " + joinNames(examples));
}

} // namespace dlm::sema
