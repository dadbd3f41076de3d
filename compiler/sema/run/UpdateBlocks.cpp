// `update` blocks: several optimisations in one step, each with its own models, loss and optimizer.
#include "compiler/sema/run/TrainBlock.h"
#include "compiler/sema/run/TrainedParameters.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>
#include <map>

namespace dlm::sema {

namespace {

/// The functions of an update by name.
struct UpdateHooks {
  const ast::Function *loss = nullptr;
  const ast::Function *optimizer = nullptr;
};

UpdateHooks readHooks(Reporter &report, const ast::Item &update) {
  UpdateHooks hooks;
  for (const ast::Item &item : update.items) {
    if (item.kind != ast::Item::Fn) continue;
    const ast::Function &function = *item.function;
    const std::string &name = function.name.text;
    bool isOptimizer = name == "optimizer";
    if (name != "loss" && !isOptimizer)
      report(Kind::UnknownSetting, function.name.span, "an update has no function `" + name + "`")
          .help("its functions are `fn loss(batch)` and `fn optimizer(p)`; others stand in the "
                "train block");
    else if (isOptimizer ? hooks.optimizer : hooks.loss)
      report(Kind::DuplicateSetting, function.name.span, "`fn " + name + "` stands twice");
    else if (function.params.size() != 1)
      reportHookParameters(report, function, isOptimizer);
    else
      (isOptimizer ? hooks.optimizer : hooks.loss) = &function;
  }
  return hooks;
}

void addPrefix(Graph &graph, const std::string &update) {
  for (auto &entry : graph.results)
    entry.first = update + "." + entry.first;
}

/// Values that updates give a buffer are averaged, and those of integers and bools cannot be.
void reportGivenTwice(Reporter &report, const std::vector<Buffer> &buffers,
                      const std::vector<Update> &updates) {
  std::map<std::string, const Update *> given;
  for (const Update &update : updates)
    for (const NextValue &next : update.loss.nexts) {
      auto buffer = std::find_if(buffers.begin(), buffers.end(),
                                 [&](const Buffer &each) { return each.path == next.path; });
      if (buffer == buffers.end() || isReal(buffer->type.dtype)) continue;
      auto [first, isNew] = given.emplace(next.path, &update);
      if (isNew && update.repeat == 1) continue;
      std::string count = isNew ? std::to_string(update.repeat) : "two";
      Report message(report, Kind::DuplicateNext, next.span,
                     "`" + next.path + "` gets " + count + " values in one step");
      if (isNew)
        message.note(update.span, "this update is made " + count + " times a step");
      else
        message.note(first->second->span, "the first is of this update")
            .note(update.span, "the second is of this one");
      message.help(std::string("values of one step are averaged, and those of `") +
                   dtypeName(buffer->type.dtype) +
                   "` have no average; `frozen(m)(x)` calls a model and changes no buffer");
    }
}

} // namespace

/// What the updates have themselves does not stand in the train block too.
void TrainBlock::checkBeside() {
  for (const char *name : {"loss", "optimizer", "clip_norm"}) {
    auto given = settings.given.find(name);
    if (given == settings.given.end()) continue;
    std::string text = std::string(name) == "loss" ? "fn loss" : name;
    report(Kind::MisplacedSetting, given->second,
           "`" + text + "` stands beside `update` blocks, which have their own")
        .secondary(updates[0]->name.span, "an update")
        .help("move it into the update that it is for");
  }
}

void TrainBlock::checkUpdates() {
  checkBeside();
  isInUpdate = true;
  for (size_t i = 0; i < updates.size(); ++i) {
    for (size_t j = 0; j < i; ++j)
      if (updates[j]->name.text == updates[i]->name.text) {
        report(Kind::DuplicateName, updates[i]->name.span,
               "`" + updates[i]->name.text + "` is declared twice")
            .note(updates[j]->name.span, "it is declared here first");
        break;
      }
    checkUpdate(*updates[i]);
  }
  isInUpdate = false;
  reportGivenTwice(report, evaluator.program.buffers, result.updates);
  reportUnchanged();
}

/// A metric is reported beside the losses of the updates, which have their names in front.
void TrainBlock::checkUpdateNames() {
  for (const auto &entry : result.metrics.results)
    for (const Update &update : result.updates)
      if (entry.first == update.name)
        report(Kind::DuplicateName, update.span,
               "the update `" + update.name + "` has the name of a metric")
            .note(hooks["metrics"]->name.span, "the metrics")
            .help("its losses are reported as `" + update.name + ".loss`: give one another name");
}

void TrainBlock::checkUpdate(const ast::Item &item) {
  Update update;
  update.name = item.name.text;
  update.span = item.name.span;
  UpdateHooks functions = readHooks(report, item);
  OptimizerChoice choice;
  choice.function = functions.optimizer;
  SettingReader reader(evaluator, scope);
  if (functions.optimizer) reader.given["update.optimizer"] = functions.optimizer->name.span;
  std::optional<std::set<std::string>> changed;
  auto note = [&](const std::string &name, Span span) {
    settings.given.emplace("update." + update.name + "." + name, span);
  };
  for (const ast::Item &part : item.items) {
    bool isOptimizer = part.function && part.function.get() == functions.optimizer;
    if (isOptimizer) note("optimizer", part.span);
    if (part.kind == ast::Item::Fn) continue;
    const SettingRow *row = reader.claim(part, "update");
    if (!row) continue;
    std::string name = row->name;
    if (part.value) note(name, part.value->span);
    if (name == "of") {
      changed = parametersOf(valueOf(part));
    } else if (name == "optimizer") {
      Operand operand = valueOf(part);
      if (checkOptimizerValue(evaluator, operand)) choice.value = operand;
    } else if (std::optional<SettingValue> value = reader.read(part, *row)) {
      if (name == "repeat") update.repeat = int64_t(value->number);
      if (name == "every") update.every = int64_t(value->number);
      if (name == "clip_norm") update.clipNorm = value->number;
    }
  }
  std::vector<std::string> missing;
  if (!reader.given.count("update.of")) missing.push_back("of");
  if (!reader.given.count("update.optimizer") && !reader.meant.count("optimizer"))
    missing.push_back("optimizer");
  if (!functions.loss && !reader.meant.count("loss")) missing.push_back("fn loss");
  if (!missing.empty())
    report(Kind::MissingSetting, item.name.span,
           "the update `" + update.name + "` lacks " + joinNames(missing))
        .help(missing[0] == "of" ? adviceOnModels() : "");
  if (changed) update.parameters.assign(changed->begin(), changed->end());
  bool hasOptimizer = choice.function || choice.value.value.is(ValueKind::OptimizerValue);
  if (changed && hasOptimizer) {
    std::vector<const Parameter *> parameters;
    for (const Parameter &parameter : evaluator.program.parameters)
      if (changed->count(parameter.path)) parameters.push_back(&parameter);
    OptimizerGroups groups(evaluator, scope);
    groups.check(choice, parameters);
    for (const std::string &path : groups.constants)
      changed->erase(path);
    update.groups = std::move(groups.groups);
    update.constants = std::move(groups.constants);
  }
  if (changed && functions.loss && data) {
    update.loss = checkLoss(*functions.loss, true, *changed);
    update.evaluationLoss = checkLoss(*functions.loss, false, *changed);
    addPrefix(update.loss, update.name);
    addPrefix(update.evaluationLoss, update.name);
  }
  result.updates.push_back(std::move(update));
}

/// The models of the train block that `of` may name.
std::vector<std::string> TrainBlock::changeableModels() const {
  std::vector<std::string> names;
  for (const auto &[name, binding] : scope->bindings)
    if (binding.value.is(ValueKind::Instance) && binding.value.asInstance().marker < 0)
      names.push_back(name);
  return names;
}

std::string TrainBlock::adviceOnModels() const {
  std::vector<std::string> names = changeableModels();
  if (names.empty()) return "make a model in a `let` of the train block, and name it: `of = net`";
  return "`of` says what the update changes; the models are " + joinNames(names);
}

/// For a loss that depends on models beside those of the update only.
std::string TrainBlock::adviceOnOthers(const std::set<std::string> &paths) const {
  std::vector<std::string> used;
  std::string value;
  for (const std::string &name : changeableModels()) {
    std::string prefix = scope->bindings.at(name).value.asInstance().path + ".";
    auto first = paths.lower_bound(prefix);
    if (first == paths.end() || first->compare(0, prefix.size(), prefix) != 0) continue;
    used.push_back(name);
    value += (value.empty() ? "" : ", ") + name;
  }
  if (used.empty()) return "";
  return "the loss depends on " + joinNames(used) +
         ": `of = " + (used.size() == 1 ? value : "[" + value + "]") + "`, if that is to change";
}

/// Whether a value is a model that an update can change, or a list of them; reports why not.
bool TrainBlock::isChangeable(const Operand &operand) {
  const Value &value = unmarked(operand.value);
  if (value.isPoison()) return false;
  if (value.is(ValueKind::List)) {
    const std::vector<Value> &items = value.asList();
    bool isWritten = operand.expr && operand.expr->kind == ast::ExprKind::List &&
                     operand.expr->entries.size() == items.size();
    for (size_t i = 0; i < items.size(); ++i) {
      const ast::Expr *expr = isWritten ? operand.expr->entries[i].value.get() : nullptr;
      if (!isChangeable({items[i], expr, expr ? expr->span : operand.span})) return false;
    }
    return true;
  }
  if (value.is(ValueKind::Instance)) {
    int marker = value.asInstance().marker;
    if (marker < 0) return true;
    reportHeld(operand, evaluator.program.markers[size_t(marker)]);
    return false;
  }
  Report message(report, Kind::SettingType, operand.span,
                 "`of` is a model of the train block or a list of them, and this is " +
                     value.describe());
  message.help(modelAdvice(value, evaluator.sources.text(operand.span)));
  return false;
}

/// A model whose parameters no update can change.
void TrainBlock::reportHeld(const Operand &operand, const Marker &marker) {
  static const std::map<std::string, std::string> rows = {
      {"frozen", "a frozen model keeps its parameters"},
      {"copy", "a copy keeps the parameters it starts with"},
      {"ema", "an average follows its model and is not trained itself"}};
  Report message(report, Kind::SettingType, operand.span,
                 "`of` names models that the update changes, and " + rows.at(marker.kind));
  bool isHere = marker.span.file == operand.span.file && marker.span.begin >= operand.span.begin &&
                marker.span.end <= operand.span.end;
  if (!isHere) message.note(marker.span, "it is made here");
  bool isCall =
      operand.expr && operand.expr->kind == ast::ExprKind::Call && !operand.expr->arguments.empty();
  if (isHere && isCall)
    message.help("name the model itself: `" +
                 std::string(evaluator.sources.text(operand.expr->arguments[0].value->span)) +
                 "`; what no `of` names is constant to the update");
  else
    message.help("leave it out: what `of` does not name is constant to the update");
}

std::optional<std::set<std::string>> TrainBlock::parametersOf(const Operand &operand) {
  if (!isChangeable(operand)) return std::nullopt;
  ParameterSearch search(evaluator.tensors);
  search.look(operand.value);
  if (!search.trained.empty()) return search.trained;
  Report message(report, Kind::NoGradient, operand.span,
                 "the models of the update have no parameters to change");
  if (!search.held().empty()) message.help("all of them belong to models that are not trained");
  return std::nullopt;
}

/// Warns of parameters that no update changes.
void TrainBlock::reportUnchanged() {
  if (report.diagnostics.hasErrors()) return;
  std::set<std::string> unchanged;
  for (const Parameter &parameter : evaluator.program.parameters)
    if (!parameter.isHeld) unchanged.insert(parameter.path);
  for (const Update &update : result.updates) {
    for (const std::string &path : update.parameters)
      unchanged.erase(path);
    for (const std::string &path : update.constants)
      unchanged.erase(path);
  }
  reportUnused(unchanged, "no update changes");
}

} // namespace dlm::sema
