// The items of a section, and the forms of values. What kinds of numbers there are is in
// SettingNumbers.cpp.
#include "compiler/sema/settings/SettingReader.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/settings/ForeignSettings.h"

#include <algorithm>
#include <filesystem>

namespace dlm::sema {

namespace {

const ast::Expr *nameOf(const ast::Expr &expr) {
  if (expr.kind == ast::ExprKind::Name) return &expr;
  bool isCall = expr.kind == ast::ExprKind::Call;
  return isCall && expr.operands[0]->kind == ast::ExprKind::Name ? expr.operands[0].get() : nullptr;
}

} // namespace

std::string settingHolder(const std::string &section) {
  static const std::map<std::string, const char *> holders = {{"train", "a train block"},
                                                              {"update", "an update"},
                                                              {"search", "a search"},
                                                              {"export", "an export"}};
  auto found = holders.find(section);
  return found == holders.end() ? "`" + section + "`" : found->second;
}

const SettingRow *SettingReader::claim(const ast::Item &item, const std::string &section) {
  const SettingRow *row =
      item.kind == ast::Item::Setting ? findSetting(section, item.name.text) : nullptr;
  if (!row) {
    reportUnknown(item, section);
    return nullptr;
  }
  auto [known, isNew] = given.emplace(row->path(), item.name.span);
  if (isNew) return row;
  report(Kind::DuplicateSetting, item.name.span, "`" + item.name.text + "` is set twice")
      .secondary(known->second, "set here first");
  return nullptr;
}

void SettingReader::reportUnknown(const ast::Item &item, const std::string &section) {
  const std::string &name = item.name.text;
  if (item.kind == ast::Item::Section && findSetting(section, name)) {
    report(Kind::UnknownSection, item.name.span, "`" + name + "` is a setting, not a section")
        .help("write `" + name + " = ...`");
    meant.insert(name);
    return;
  }
  if (item.kind != ast::Item::Setting && item.kind != ast::Item::Section) {
    report(Kind::UnknownSetting, item.span, settingHolder(section) + " holds settings only");
    return;
  }
  Report message(report, Kind::UnknownSetting, item.name.span,
                 settingHolder(section) + " has no setting `" + name + "`");
  const std::vector<std::string> &sections = sectionNames();
  bool isSection = std::count(sections.begin(), sections.end(), name) != 0;
  if (section == "train" && isSection) {
    message.help("`" + name + "` is a section: `" + name + " { }`");
    return;
  }
  std::string written(item.value ? evaluator.sources.text(item.value->span) : "");
  bool isRun = section == "train" || section == "update";
  if (isRun) evaluator.program.hints.misplaced.insert(name);
  if (const ForeignSetting *row = isRun ? findForeignSetting(name) : nullptr) {
    meant.insert(row->meant);
    std::string advice = foreignSettingAdvice(*row, written);
    const SettingRow *known = findSetting(section, row->meant);
    bool isTwice = known && given.count(known->path()) > 0;
    if (advice.empty())
      message.help("it is called `" + std::string(row->meant) + "` here", item.name.span,
                   row->meant, isTwice ? Applicability::Guess : Applicability::Exact);
    else
      message.help(advice);
    return;
  }
  for (const SettingRow &row : settingRows()) {
    std::string home = row.section;
    if (name != row.name || section == "search" || section == "export") continue;
    bool isBelow = std::count(sections.begin(), sections.end(), home) != 0;
    if (isBelow)
      message.help("`" + name + "` is a setting of `" + home + "`: `" + home + " { " + name +
                   " = ... }`");
    else if (home == "train")
      message.help("`" + name + "` stands in the train block itself");
    else
      continue;
    return;
  }
  meant.insert(nearestWord(name, settingNames(section)));
  message.nearestOrAll("a setting", name, item.name.span, settingNames(section));
}

std::optional<SettingValue> SettingReader::read(const ast::Item &item, const SettingRow &row) {
  std::string what = "`" + item.name.text + "`";
  if (std::string(row.form) == "SPLIT") return readSplit(*item.value);
  return readForm(*item.value, parseForm(row.form), what);
}

void SettingReader::readSection(const ast::Item &section, Settings &settings) {
  const std::string &name = section.name.text;
  for (const ast::Item &item : section.items) {
    const SettingRow *row = claim(item, name);
    if (!row) continue;
    if (std::string(row->form) == "FOLDER") {
      if (std::optional<std::string> path = readPath(item)) settings.checkpointTo = *path;
    } else if (std::optional<SettingValue> value = read(item, *row)) {
      store(*row, *value, item.name.span, settings);
    }
  }
}

void SettingReader::store(const SettingRow &row, SettingValue value, Span span,
                          Settings &settings) {
  if (row.store)
    row.store(settings, value);
  else
    settings.others.push_back({row.path(), std::move(value), span});
}

std::optional<std::string> SettingReader::readPath(const ast::Item &item) {
  namespace fs = std::filesystem;
  Operand operand = evaluator.evalOperand(*item.value, scope);
  std::optional<std::string> path = evaluator.needString(operand, "`" + item.name.text + "`");
  if (!path) return std::nullopt;
  if (path->empty()) {
    report(Kind::SettingRange, operand.span,
           "`" + item.name.text + "` is the name of a folder, and this is empty");
    return std::nullopt;
  }
  fs::path file(std::string(evaluator.sources.path(item.span.file)));
  std::error_code error; // of a folder that is gone
  return fs::absolute(file.parent_path() / *path, error).lexically_normal().string();
}

std::optional<SettingValue> SettingReader::readForm(const ast::Expr &expr, const SettingForm &form,
                                                    const std::string &what) {
  if (expr.kind == ast::ExprKind::If) {
    std::optional<bool> condition = evaluator.needBool(
        evaluator.evalOperand(*expr.operands[0], scope), "the condition of `if`");
    if (!condition) return std::nullopt;
    const ast::Block *block = *condition ? expr.body.get() : expr.elseBody.get();
    if (block && block->statements.size() == 1 && block->statements[0].value)
      return readForm(*block->statements[0].value, form, what);
    if (!block && expr.operands.size() > 1) return readForm(*expr.operands[1], form, what);
  }
  if (form.isList && expr.kind == ast::ExprKind::List) return readList(expr, form, what);
  if (form.takes("METRIC")) return readMetric(expr, form, what);
  if (expr.kind == ast::ExprKind::None && form.findWord("none")) return SettingValue::word("none");
  if (reportBareMetric(expr, form, what)) return std::nullopt;
  const ast::Expr *name = nameOf(expr);
  bool isNone = expr.kind == ast::ExprKind::None ||
                (expr.kind == ast::ExprKind::Name && nameHere(expr.text) == "none" &&
                 !scope->find(expr.text));
  if (isNone && !form.findWord("none")) {
    report(Kind::SettingType, expr.span, what + " is " + form.describe() + ", and this is `none`")
        .help("leave " + what + " out");
    return std::nullopt;
  }
  bool isForeign = name && form.findWord(settingWordHere(name->text));
  bool isWord = name && (isForeign || form.findWord(name->text) || !scope->find(name->text));
  if (isWord && !form.words().empty()) return readWord(expr, *name, form, what);
  return readKind(evaluator.evalOperand(expr, scope), form, what);
}

std::optional<SettingValue> SettingReader::readWord(const ast::Expr &expr, const ast::Expr &name,
                                                    const SettingForm &form,
                                                    const std::string &what) {
  const FormCase *word = form.findWord(name.text);
  if (!word) {
    Report message(report, Kind::UnknownChoice, name.span,
                   what + " has no choice `" + name.text + "`");
    word = form.findWord(settingWordHere(name.text));
    if (!word) {
      message.nearestOrAll("a choice", name.text, name.span, form.words());
      return std::nullopt;
    }
    message.help("it is written `" + word->name + "` here", name.span, word->name,
                 Applicability::Exact);
  }
  SettingValue value = SettingValue::word(word->name);
  bool isCall = expr.kind == ast::ExprKind::Call;
  if (std::string example = word->example(); !isCall && example != word->name) {
    report(Kind::MissingArgument, name.span,
           "`" + word->name + "` takes " + word->arguments[0].form.describe() + " in brackets")
        .help("write `" + example + "`", name.span, example);
    return std::nullopt;
  }
  if (isCall && word->arguments.empty()) {
    report(Kind::ExtraArgument, expr.span, "`" + name.text + "` is a word without arguments")
        .help("write `" + name.text + "`", expr.span, name.text);
    return std::nullopt;
  }
  return readArguments(expr, *word, std::move(value));
}

/// A word without brackets is called without arguments.
std::optional<SettingValue> SettingReader::readArguments(const ast::Expr &expr,
                                                         const FormCase &word, SettingValue value) {
  Signature signature = {word.name, {}, {}, {}};
  for (const FormArgument &argument : word.arguments) {
    signature.names.push_back(argument.name);
    signature.isOptional.push_back(!argument.byDefault.empty());
  }
  std::vector<CallArgument> arguments;
  if (expr.kind == ast::ExprKind::Call)
    for (const ast::Argument &each : expr.arguments)
      arguments.push_back(
          {each.name.text, each.name.span, {Value(), each.value.get(), each.value->span}, false});
  std::optional<std::vector<int>> matched = evaluator.match(signature, arguments, expr.span);
  if (!matched) return std::nullopt;
  for (size_t i = 0; i < word.arguments.size(); ++i) {
    const FormArgument &argument = word.arguments[i];
    int index = (*matched)[i];
    std::optional<SettingValue> part;
    std::string what = argument.form.takes("METRIC") ? "what `" + word.name + "` takes"
                                                     : "`" + argument.name + "`";
    if (index >= 0)
      part = readForm(*arguments[size_t(index)].operand.expr, argument.form, what);
    else
      part = SettingValue::plain(parseNumber(argument.byDefault)->toReal());
    if (!part) return std::nullopt;
    if (word.name == "maximum" && index >= 0) metrics.back().isMaximized = true;
    value.parts.emplace_back(argument.name, std::move(*part));
  }
  return value;
}

std::optional<SettingValue> SettingReader::readList(const ast::Expr &expr, const SettingForm &form,
                                                    const std::string &what) {
  SettingForm single = form;
  single.isList = false;
  SettingValue result;
  result.kind = SettingValue::List;
  for (const ast::Entry &entry : expr.entries) {
    if (entry.key) {
      report(Kind::SettingType, entry.key->span, what + " is a list, and this is a map");
      return std::nullopt;
    }
    std::optional<SettingValue> part = readForm(*entry.value, single, what);
    if (!part) return std::nullopt;
    result.parts.emplace_back("", std::move(*part));
  }
  if (result.parts.empty()) {
    report(Kind::SettingRange, expr.span, what + " is a list of at least one, and this is empty");
    return std::nullopt;
  }
  return result;
}

/// `keep_best = validation.loss`: a metric where a word that takes one is needed.
bool SettingReader::reportBareMetric(const ast::Expr &expr, const SettingForm &form,
                                     const std::string &what) {
  const ast::Expr *root = &expr;
  while (root->kind == ast::ExprKind::Member)
    root = root->operands[0].get();
  bool isMetric = root != &expr && root->kind == ast::ExprKind::Name && root->text == "validation";
  std::vector<std::string> words;
  for (const FormCase &each : form.cases)
    if (each.arguments.size() == 1 && each.arguments[0].form.takes("METRIC"))
      words.push_back(each.name);
  if (!isMetric || words.empty()) return false;
  std::string written(evaluator.sources.text(expr.span));
  std::string meant = words[0] + "(" + written + ")";
  Report message(report, Kind::SettingType, expr.span,
                 what + " says whether less or more of a metric is better");
  message.help("write `" + meant + "`" +
                   (words.size() > 1 ? ", or `" + words[1] + "` if more is better" : ""),
               expr.span, meant);
  return true;
}

std::optional<SettingValue>
SettingReader::readMetric(const ast::Expr &expr, const SettingForm &form, const std::string &what) {
  std::vector<std::string> path;
  const ast::Expr *at = &expr;
  for (; at->kind == ast::ExprKind::Member; at = at->operands[0].get())
    path.insert(path.begin(), at->text);
  if (at->kind != ast::ExprKind::Name) {
    report(Kind::SettingType, expr.span, what + " is " + form.describe() + ", and this is not");
    return std::nullopt;
  }
  if (at->text != "validation") {
    std::string meant = "validation." + (path.empty() ? at->text : path.back());
    report(Kind::SettingType, expr.span,
           what + " is " + form.describe() + ", and this is `" +
               std::string(evaluator.sources.text(expr.span)) + "`")
        .help("metrics are those of the validation data: `" + meant + "`", expr.span, meant);
    return std::nullopt;
  }
  std::string name;
  for (const std::string &part : path)
    name += (name.empty() ? "" : ".") + part;
  metrics.push_back({name, path.empty() ? expr.span : expr.nameSpan, what == "`maximize`"});
  return SettingValue::word("validation." + name);
}

std::optional<SettingValue> SettingReader::readSplit(const ast::Expr &expr) {
  SettingForm workers = parseForm("data | tensor");
  SettingValue result;
  result.kind = SettingValue::List;
  bool isMap = expr.kind == ast::ExprKind::List;
  for (const ast::Entry &entry : expr.entries)
    isMap &= entry.key && entry.key->kind == ast::ExprKind::Name;
  if (!isMap) {
    report(Kind::SettingType, expr.span, "`split` says which dimension goes over which workers")
        .help("write `split = [heads => tensor]`, with the names of dimensions of the program");
    return std::nullopt;
  }
  for (const ast::Entry &entry : expr.entries) {
    std::optional<SettingValue> part = readForm(*entry.value, workers, "`split`");
    if (!part) return std::nullopt;
    for (const auto &[name, other] : result.parts)
      if (name == entry.key->text)
        report(Kind::DuplicateSetting, entry.key->span, "`" + name + "` is split twice");
    splitDimensions.push_back({entry.key->text, entry.key->span});
    result.parts.emplace_back(entry.key->text, std::move(*part));
  }
  return result;
}

} // namespace dlm::sema
