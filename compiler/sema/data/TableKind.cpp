// `data.csv`: which columns a table has, and how the program reads them.
#include "compiler/sema/data/DataKinds.h"
#include "compiler/sema/data/FileMemory.h"
#include "compiler/sema/data/LabelParts.h"
#include "compiler/sema/data/SourceCall.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "runtime/data/formats/Table.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// The place of an entry of `columns = [...]`, its name or what it is told, if it is written there.
Span placeOfEntry(const Operand &columns, size_t index, bool isName) {
  const ast::Expr *list = columns.expr;
  bool isWritten = list && list->kind == ast::ExprKind::List && index < list->entries.size() &&
                   list->entries[index].key;
  if (!isWritten) return columns.span;
  return (isName ? list->entries[index].key : list->entries[index].value)->span;
}

/// The place of an item of a list of names, if it is written there.
Span placeOfItem(const Operand &names, size_t index) {
  const ast::Expr *list = names.expr;
  bool isWritten = list && list->kind == ast::ExprKind::List && index < list->entries.size() &&
                   list->entries[index].value;
  return isWritten ? list->entries[index].value->span : names.span;
}

/// A few cells make names of a column of numbers: they are what is wrong.
void reportMisfit(SourceCall &call, const Column &column, Span place, const std::string &help) {
  call.evaluator.report(Kind::DataSource, place, column.misfit)
      .note("the column holds numbers for the most part")
      .help(help);
}

/// The column as the program reads it. Whole numbers may stand for categories, names not for
/// numbers. Nothing if reported.
std::optional<Column> readAs(SourceCall &call, Column column, bool isCategory, Span place) {
  std::string quoted = '"' + column.name + '"';
  if (column.isCategory && !isCategory && !column.misfit.empty()) {
    reportMisfit(call, column, place,
                 "mend the cell, or leave it empty and write `data.number(missing = allowed)`");
    return std::nullopt;
  }
  if (column.isCategory && !isCategory) {
    call.evaluator
        .report(Kind::DataSource, place,
                "the column " + quoted + " holds names, and `data.number` reads numbers")
        .help("`data.category()` gives each name a number");
    return std::nullopt;
  }
  if (isCategory && column.size == 0 && !call.describedBy.empty()) {
    call.evaluator
        .report(Kind::DataSource, place,
                "the column " + quoted +
                    " is read as a category, and how many different values it holds is not known")
        .note("the description is " + call.describedBy)
        .help("add `\"size\": n` to the column there, n being the number of different values");
    return std::nullopt;
  }
  column.isCategory = isCategory;
  column.misfit.clear();
  if (!isCategory) column.size = 0;
  return column;
}

/// What `data.number(...)` or `data.category(...)` say.
void applyPart(const DataPartObject &part, Column &column) {
  for (const auto &[name, value] : part.settings.fields) {
    if (name == "missing") column.mayBeMissing = value.asString() == "allowed";
    if (name == "min_count") column.minCount = value.asNumber().numerator;
    if (name == "unknown") column.hasUnknown = value.asBool();
  }
}

/// A map of the columns that a list names, as far as there are any, to what each of them holds.
std::string mapOfNames(const Value &list, const std::vector<Column> &columns) {
  constexpr size_t shownMax = 8;
  std::string entries;
  size_t count = 0;
  for (const Value &item : list.is(ValueKind::List) ? list.asList() : std::vector<Value>()) {
    if (!item.is(ValueKind::String)) continue;
    if (++count > shownMax) return "[" + entries + ", ...]";
    const std::string &name = item.asString();
    bool isCategory = std::any_of(columns.begin(), columns.end(), [&](const Column &column) {
      return column.name == name && column.isCategory && column.misfit.empty();
    });
    entries += (entries.empty() ? "\"" : ", \"") + name + "\" => " +
               (isCategory ? "data.category()" : "data.number()");
  }
  if (entries.empty()) return "[\"age\" => data.number(), \"city\" => data.category()]";
  return "[" + entries + "]";
}

/// Checks the columns that the program names against those that there are.
bool selectColumns(SourceCall &call, DataSource &source) {
  const Operand *given = call.argument("columns");
  if (!given) return true;
  if (!given->value.is(ValueKind::Map)) {
    call.evaluator
        .report(Kind::TypeMismatch, given->span,
                "`columns` is a map from names to columns, and this is " + given->value.describe())
        .help("write `" + mapOfNames(given->value, source.columns) + "`");
    return false;
  }
  std::vector<std::string> known;
  for (const Column &column : source.columns)
    known.push_back(column.name);
  std::vector<Column> selected;
  const auto &entries = given->value.asMap().entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto &[key, part] = entries[i];
    std::string name = key.is(ValueKind::String) ? key.asString() : "";
    auto found = std::find(known.begin(), known.end(), name);
    if (part.isPoison()) return false;
    bool isColumn = part.is(ValueKind::DataPart) &&
                    (part.asDataPart().kind == "category" || part.asDataPart().kind == "number");
    if (!isColumn) {
      call.evaluator.report(Kind::TypeMismatch, placeOfEntry(*given, i, false),
                            "a column is `data.number()` or `data.category()`, and this is " +
                                part.describe());
      return false;
    }
    if (found == known.end()) {
      call.evaluator
          .report(Kind::DataSource, placeOfEntry(*given, i, true),
                  "the table has no column " + key.text())
          .nearestOrAll("a column", name, {}, known);
      return false;
    }
    std::optional<Column> column =
        readAs(call, source.columns[size_t(found - known.begin())],
               part.asDataPart().kind == "category", placeOfEntry(*given, i, false));
    if (!column) return false;
    applyPart(part.asDataPart(), *column);
    selected.push_back(std::move(*column));
  }
  // The target is a column whether it stands in the list or not.
  for (const char *name : {"target", "label"}) {
    const Operand *operand = call.argument(name);
    if (!operand || !operand->value.is(ValueKind::String)) continue;
    auto isIt = [&](const Column &column) { return column.name == operand->value.asString(); };
    auto found = std::find_if(source.columns.begin(), source.columns.end(), isIt);
    if (found != source.columns.end() && std::none_of(selected.begin(), selected.end(), isIt))
      selected.push_back(*found);
  }
  source.columns = std::move(selected);
  return true;
}

bool isTargetOf(const SourceCall &call, const std::string &column) {
  for (const char *name : {"target", "label"})
    if (const Operand *operand = call.argument(name))
      if (operand->value.is(ValueKind::String) && operand->value.asString() == column) return true;
  return false;
}

/// Whether `drop` leaves something to read; false if reported.
bool leavesColumns(SourceCall &call, const DataSource &source, const Operand &drop) {
  for (const Column &column : source.columns)
    if (!isTargetOf(call, column.name)) return true;
  call.evaluator
      .report(Kind::DataSource, drop.span, "`drop` leaves no column that a model could read")
      .help("name fewer columns");
  return false;
}

/// Leaves out the columns of `drop = [...]`.
bool dropColumns(SourceCall &call, DataSource &source, const std::vector<std::string> &known) {
  const Operand *given = call.argument("drop");
  if (!given) return true;
  if (!given->value.is(ValueKind::List)) {
    Report message(call.evaluator.report, Kind::TypeMismatch, given->span,
                   "`drop` is a list of the names of columns, and this is " +
                       given->value.describe());
    if (given->value.is(ValueKind::String))
      message.help("write a list", given->span,
                   "[" + std::string(call.evaluator.sources.text(given->span)) + "]");
    return false;
  }
  if (call.argument("columns")) {
    call.evaluator
        .report(Kind::TypeMismatch, given->span,
                "`columns` says which columns are read, so there is nothing to leave out")
        .help("write `columns` or `drop`, not both");
    return false;
  }
  const std::vector<Value> &items = given->value.asList();
  for (size_t i = 0; i < items.size(); ++i) {
    const Value &item = items[i];
    if (item.isPoison()) return false;
    std::string name = item.is(ValueKind::String) ? item.asString() : item.text();
    auto isIt = [&](const Column &column) { return column.name == name; };
    auto found = std::find_if(source.columns.begin(), source.columns.end(), isIt);
    bool isKnown = std::find(known.begin(), known.end(), name) != known.end();
    if (item.is(ValueKind::String) && found == source.columns.end() && isKnown) {
      call.evaluator
          .report(Kind::DataSource, placeOfItem(*given, i),
                  "the column \"" + name + "\" stands twice in `drop`")
          .help("name it once");
      return false;
    }
    if (!item.is(ValueKind::String) || found == source.columns.end()) {
      call.evaluator
          .report(Kind::DataSource, given->span, "the table has no column \"" + name + "\"")
          .nearestOrAll("a column", name, {}, known);
      return false;
    }
    if (isTargetOf(call, name)) {
      call.evaluator.report(Kind::DataSource, given->span,
                            "the column \"" + name + "\" is the target, and `drop` leaves it out");
      return false;
    }
    source.columns.erase(found);
  }
  return items.empty() || leavesColumns(call, source, *given);
}

/// `missing = allowed` for the whole table: for each column of numbers that does not say otherwise.
void allowMissing(SourceCall &call, DataSource &source) {
  const Operand *given = call.argument("missing");
  if (!given || given->value.asString() != "allowed") return;
  for (Column &column : source.columns)
    column.mayBeMissing = true;
}

/// A few cells make names of a column of numbers, and the program does not say that they should.
void warnOfMixtures(SourceCall &call, const DataSource &source) {
  if (call.argument("columns")) return;
  for (const Column &column : source.columns) {
    if (column.mixture.empty() || isTargetOf(call, column.name)) continue;
    call.evaluator
        .report(Kind::MixedColumn, call.call.span,
                "the column \"" + column.name + "\" is read as names: " + column.mixture)
        .help("mend the cell, or leave it empty, which `missing = allowed` reads; or say what the "
              "column holds: `columns = [\"" +
              column.name + "\" => data.category(), ...]`; `drop = [\"" + column.name +
              "\"]` leaves it out");
  }
}

/// The columns are what a model reads; the target is not among them.
void takeOutTarget(DataSource &source) {
  source.columns.erase(
      std::remove_if(source.columns.begin(), source.columns.end(),
                     [&](const Column &column) { return column.name == source.target; }),
      source.columns.end());
}

/// The column that `target` or `label` names; nothing if reported. `known`: those of the table, of
/// which the program may read a few only.
std::optional<Column> targetColumn(SourceCall &call, const Operand &operand,
                                   const DataSource &source,
                                   const std::vector<std::string> &known) {
  std::optional<std::string> name = call.evaluator.needString(operand, "the name of a column");
  if (!name) return std::nullopt;
  for (const Column &column : source.columns)
    if (column.name == *name) return column;
  call.evaluator.report(Kind::DataSource, operand.span, "the table has no column \"" + *name + "\"")
      .nearestOrAll("a column", *name, {}, known);
  return std::nullopt;
}

/// Makes a category of the column that `label` names, takes the target out of the columns and makes
/// a field of it.
bool addTarget(SourceCall &call, DataSource &source, const std::vector<std::string> &known) {
  const Operand *target = call.argument("target"), *label = call.argument("label");
  if (target && label) {
    call.evaluator
        .report(Kind::TypeMismatch, label->span, "a table has a `target` or a `label`, not both")
        .help("`label` is a target that is a category, whatever its values look like");
    return false;
  }
  if (!target && !label) return true;
  std::optional<Column> wanted = targetColumn(call, label ? *label : *target, source, known);
  if (wanted && label) wanted = readAs(call, *wanted, true, label->span);
  if (!wanted) return false;
  if (!wanted->misfit.empty()) {
    reportMisfit(call, *wanted, target->span,
                 "mend the cell; `label` in place of `target` reads the column as a category");
    return false;
  }
  source.fields.push_back(
      {label ? "label" : "target", {wanted->isCategory ? DType::I32 : DType::F32, {}}});
  source.target = wanted->name;
  if (wanted->isCategory) source.classes = wanted->size;
  for (Column &column : source.columns)
    if (column.name == wanted->name) column = *wanted;
  return true;
}

bool addTable(SourceCall &call, DataSource &source) {
  if (source.columns.empty()) return call.lacks("columns");
  std::vector<std::string> known;
  for (const Column &column : source.columns)
    known.push_back(column.name);
  allowMissing(call, source);
  if (!dropColumns(call, source, known) || !selectColumns(call, source) ||
      !addTarget(call, source, known))
    return false;
  warnOfMixtures(call, source);
  std::vector<Field> target = std::move(source.fields);
  int64_t numbers = 0, categories = 0;
  for (const Column &column : source.columns)
    if (column.name != source.target) ++(column.isCategory ? categories : numbers);
  source.fields.clear();
  if (numbers == 0) call.evaluator.program.hints.isNumberless = true;
  if (numbers > 0)
    source.fields = {{"number", {DType::F32, {Dim::whole(numbers)}}},
                     {"present", {DType::Bool, {Dim::whole(numbers)}}}};
  if (categories > 0) source.fields.push_back({"category", {DType::I32, {Dim::whole(categories)}}});
  source.fields.insert(source.fields.end(), target.begin(), target.end());
  if (call.describedBy.empty()) return true; // the target leaves when the values are known
  takeOutTarget(source);
  return true;
}

Expected<TableSurvey> recallColumns(const std::string &path) {
  return fileMemory().recall<Expected<TableSurvey>>("columns of a table", {path},
                                                    [&] { return surveyTable(path); });
}

/// The table with the values of its categories, and how its classes are spread over the parts.
struct FittedTable {
  Table table;
  LabelCounts labels;
};

/// The column of the classes; null if there is none.
const TableColumn *labelColumn(const Table &table) {
  for (const TableColumn &column : table.columns)
    if (column.name == table.target && column.isCategory) return &column;
  return nullptr;
}

/// The same, if every record of the files fits.
Expected<FittedTable> recallValues(const Table &asked, const DataSource &source) {
  std::vector<std::string> files = {source.path};
  for (const std::string &path : {source.validationPath, source.testPath})
    if (!path.empty()) files.push_back(path);
  SampleParts parts = partsOf(source);
  std::string question = "values of " + textOfParts(source) + " records: " + asked.toJson();
  return fileMemory().recall<Expected<FittedTable>>(
      question, files, [&]() -> Expected<FittedTable> {
        FittedTable fitted{asked, {}};
        DLM_TRY(fitTable(fitted.table, source.path, parts.size(),
                         [&](int64_t record) { return parts.isTraining(record); }));
        std::function<void(int64_t, int32_t)> see; // the labels, if there are any
        if (labelColumn(asked))
          see = [&](int64_t record, int32_t label) {
            if (record < parts.size()) fitted.labels.add(parts.partOf(record), label);
          };
        for (const std::string &path : files)
          DLM_TRY(checkRecords(fitted.table, path, path == source.path ? see : nullptr));
        return fitted;
      });
}

/// Names, kinds and counts; how many values a category has is known when the parts are cut.
bool surveyFiles(SourceCall &call, DataSource &source) {
  Expected<TableSurvey> survey = recallColumns(source.path);
  if (!survey) return call.fails(survey.status());
  source.trainCount = survey->count;
  for (size_t i = 0; i < survey->columns.size(); ++i) {
    source.columns.push_back({survey->columns[i], !survey->isNumber[i], 0});
    source.columns.back().misfit = survey->misfits[i];
    source.columns.back().mixture = survey->mixtures[i];
  }
  for (auto [path, count] : {std::pair(&source.validationPath, &source.validationCount),
                             std::pair(&source.testPath, &source.testCount)}) {
    if (path->empty()) continue;
    Expected<TableSurvey> part = recallColumns(*path);
    if (!part) return call.fails(part.status());
    *count = part->count;
  }
  return true;
}

/// A class that is nowhere in the training samples may be at the end of a sorted file.
bool failsToFit(SourceCall &call, const DataSource &source, const Status &status) {
  Report report(call.evaluator.report, Kind::DataSource, call.call.span, status.message());
  bool isCut = source.isValidationCut || source.isTestCut;
  bool isUnseen = status.message().find(UnseenValue) != std::string::npos;
  if (isUnseen && isCut && !source.arePartsMixed)
    report.help("if the file is sorted, `split = shuffled` cuts the parts from all over it");
  return false;
}

/// A model learns nothing from a column that is empty.
void warnOfEmpty(SourceCall &call, const TableColumn &column) {
  if (!column.isEmpty) return;
  call.evaluator
      .report(Kind::EmptyColumn, call.call.span,
              "the column \"" + column.name + "\" holds no value in any training sample")
      .help(call.argument("columns") ? "leave it out of `columns`"
                                     : "`drop = [\"" + column.name + "\"]` leaves it out");
}

/// Finds the values of the categories in the training samples, and looks at every record.
bool fitColumns(SourceCall &call, DataSource &source) {
  Table table;
  table.target = source.target;
  for (const Column &column : source.columns)
    table.columns.push_back(
        {column.name, column.isCategory, column.mayBeMissing, column.minCount, column.hasUnknown});
  Expected<FittedTable> fitted = recallValues(table, source);
  if (!fitted) return failsToFit(call, source, fitted.status());
  table = fitted->table;
  for (const TableColumn &column : table.columns) {
    warnOfSimilar(call, "column", column.name, column.similar);
    warnOfEmpty(call, column);
  }
  if (const TableColumn *label = labelColumn(table))
    warnOfLackedClasses(call, source, fitted->labels,
                        [&](int64_t id) { return nameOf(label->values, id); });
  for (size_t i = 0; i < source.columns.size(); ++i) {
    Column &column = source.columns[i];
    if (column.isCategory) column.size = table.columns[i].size();
    if (column.isCategory && column.name == source.target) source.classes = column.size;
  }
  source.facts = table.toJson();
  takeOutTarget(source);
  return true;
}

} // namespace

SourceKindSteps tableSteps() {
  static const char *const example =
      R"({ "train": 1000, "columns": [{ "name": "area", "kind": "number" }, )"
      R"({ "name": "zip", "kind": "category", "size": 917 }] })";
  return {"csv", example, addTable, surveyFiles, fitColumns};
}

} // namespace dlm::sema
