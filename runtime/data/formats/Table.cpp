// Missing cells of a category are a value like any other, the empty one. Ids: the values, then one
// for all rare values if `minCount` is given, then one for unknown ones if they are allowed; if
// they are not, what training never saw is as rare as can be.
#include "runtime/data/formats/Table.h"

#include "runtime/data/formats/ShownText.h"
#include "runtime/data/formats/SimilarNames.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace dlm {

namespace {

using Json = nlohmann::json;

std::string_view categoryOf(std::string_view cell) {
  return isMissingCell(cell) ? std::string_view() : trimmedCell(cell);
}

std::optional<int64_t> wholeNumber(const std::string &text) {
  int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool isWhole = error == std::errc() && end == text.data() + text.size();
  return isWhole ? std::optional<int64_t>(value) : std::nullopt;
}

void sortValues(std::vector<std::string> &values) {
  bool areNumbers = std::all_of(values.begin(), values.end(), [](const std::string &value) {
    return wholeNumber(value).has_value();
  });
  std::sort(values.begin(), values.end(), [&](const std::string &a, const std::string &b) {
    return areNumbers && *wholeNumber(a) != *wholeNumber(b) ? *wholeNumber(a) < *wholeNumber(b)
                                                            : a < b;
  });
}

/// Where a column of the table stands in the records of a file.
Expected<size_t> placeOf(const std::string &name, const CsvFile &file) {
  const std::vector<std::string> &names = file.columns();
  auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return size_t(found - names.begin());
  return invalidArgument("data file `" + file.path() + "` has no column \"" + shownText(name) +
                         "\"");
}

std::string placeOfCell(const std::string &path, const CsvRecord &record,
                        const std::string &column) {
  return "data file `" + path + "`, line " + std::to_string(record.line) + ", column \"" +
         shownText(column) + "\": ";
}

std::string noNumber(std::string_view cell) {
  return "`" + shownText(cell) + "` is no number that f32 can hold";
}

const char *const Mend = "fill the cell in, or take the record out of the file";

/// The cells of one column that are not missing.
struct SeenCells {
  int64_t numbers = 0, others = 0;
  std::string firstOther, mixture;

  bool areMostlyNumbers() const { return numbers > others; }
  /// Says what the first cell that holds no number is.
  void note(const CsvRecord &record, std::string_view cell, std::string misfit) {
    firstOther = std::move(misfit);
    mixture = "line " + std::to_string(record.line) + " holds `" + shownText(cell) + "`";
  }
  std::string mixtureText() const {
    return std::to_string(numbers) + " of " + std::to_string(numbers + others) +
           " cells are numbers, and " + mixture;
  }
};

} // namespace

const char *const UnseenValue = "is in no training sample";

std::string Table::toJson() const {
  Json list = Json::array();
  for (const TableColumn &column : columns)
    list.push_back({{"name", column.name},
                    {"category", column.isCategory},
                    {"missing", column.mayBeMissing},
                    {"min_count", column.minCount},
                    {"unknown", column.hasUnknown},
                    {"values", column.values},
                    {"rare", column.rare}});
  return Json{{"columns", list}, {"target", target}}.dump(-1, ' ', false,
                                                          Json::error_handler_t::replace);
}

Expected<Table> Table::fromJson(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  Status wrong = corrupt("the program's description of its table is damaged");
  if (!json.is_object() || !json.contains("columns") || !json["columns"].is_array()) return wrong;
  Table table;
  table.target = json.value("target", "");
  for (const Json &entry : json["columns"]) {
    if (!entry.is_object()) return wrong;
    table.columns.push_back({entry.value("name", ""), entry.value("category", false),
                             entry.value("missing", false), entry.value("min_count", int64_t(0)),
                             entry.value("unknown", false),
                             entry.value("values", std::vector<std::string>()),
                             entry.value("rare", std::vector<std::string>())});
  }
  return table;
}

Expected<TableSurvey> surveyTable(const std::string &path, const std::atomic<bool> *cancel) {
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  TableSurvey survey;
  survey.columns = file->columns();
  std::vector<SeenCells> seen(survey.columns.size());
  CsvRecord record;
  for (;; ++survey.count) {
    Expected<bool> got = file->next(record, cancel);
    if (!got) return got.status();
    if (!*got) break;
    for (size_t i = 0; i < record.cells.size(); ++i) {
      if (isMissingCell(record.cells[i])) continue;
      if (numberOfCell(record.cells[i])) {
        ++seen[i].numbers;
      } else if (seen[i].others++ == 0) {
        seen[i].note(record, record.cells[i],
                     placeOfCell(path, record, survey.columns[i]) + noNumber(record.cells[i]));
      }
    }
  }
  if (survey.count == 0)
    return corrupt("data file `" + path + "` holds the names of its columns and no records");
  for (SeenCells &cells : seen) {
    survey.isNumber.push_back(cells.others == 0);
    bool isMixed = cells.others > 0 && cells.areMostlyNumbers();
    survey.misfits.push_back(isMixed ? cells.firstOther : "");
    survey.mixtures.push_back(isMixed ? cells.mixtureText() : "");
  }
  return survey;
}

Status fitTable(Table &table, const std::string &path, int64_t count,
                const IsTraining &isTraining) {
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  std::vector<std::map<std::string, SeenValue, std::less<>>> seen(table.columns.size());
  std::vector<bool> holdsValue(table.columns.size());
  std::vector<size_t> places;
  for (const TableColumn &column : table.columns) {
    Expected<size_t> place = placeOf(column.name, *file);
    if (!place) return place.status();
    places.push_back(*place);
  }
  CsvRecord record;
  for (int64_t i = 0; i < count; ++i) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) break;
    if (isTraining && !isTraining(i)) continue;
    for (size_t k = 0; k < places.size(); ++k) {
      bool isCategory = table.columns[k].isCategory;
      if (!holdsValue[k])
        holdsValue[k] = isCategory ? !categoryOf(record.cells[places[k]]).empty()
                                   : !isMissingCell(record.cells[places[k]]);
      if (!isCategory) continue;
      std::string_view value = categoryOf(record.cells[places[k]]);
      if (!isUtf8(value))
        return corrupt(placeOfCell(path, record, table.columns[k].name) + "`" + shownText(value) +
                       "` is not UTF-8: save the table as UTF-8");
      auto known = seen[k].find(value);
      if (known == seen[k].end())
        known = seen[k].emplace(std::string(value), SeenValue{0, record.line}).first;
      ++known->second.count;
    }
  }
  for (size_t k = 0; k < places.size(); ++k) {
    TableColumn &column = table.columns[k];
    column.similar = firstSimilar(seen[k]);
    column.isEmpty = !holdsValue[k];
    for (const auto &[value, times] : seen[k]) {
      if (times.count >= column.minCount)
        column.values.push_back(value);
      else if (column.hasUnknown)
        column.rare.push_back(value);
    }
    sortValues(column.values);
  }
  return Status::ok();
}

Expected<TableDecoder> TableDecoder::make(const Table &table, const CsvFile &file,
                                          TableParts parts) {
  TableDecoder decoder;
  decoder.path = file.path();
  for (const TableColumn &column : table.columns) {
    if (!parts.hold(column, table.target)) continue;
    Expected<size_t> place = placeOf(column.name, file);
    if (!place) return place.status();
    decoder.places.push_back({&column, *place, {}, column.name == table.target});
    for (size_t id = 0; id < column.values.size(); ++id)
      decoder.places.back().ids.emplace(column.values[id], int32_t(id));
    for (const std::string &value : column.rare)
      decoder.places.back().ids.emplace(value, int32_t(column.size() - 2));
  }
  return decoder;
}

Status TableDecoder::misfit(const CsvRecord &record, const Place &place,
                            const std::string &what) const {
  return corrupt(placeOfCell(path, record, place.column->name) + what);
}

Status TableDecoder::decodeNumber(const CsvRecord &record, const Place &place, float &value,
                                  bool &isPresent) const {
  std::string_view cell = record.cells[place.cell];
  std::optional<float> number = numberOfCell(cell);
  isPresent = number.has_value();
  value = number.value_or(0.0f);
  if (isPresent) return Status::ok();
  if (!isMissingCell(cell)) return misfit(record, place, noNumber(cell));
  if (place.isTarget)
    return misfit(record, place, std::string("there is no value, and it is the target; ") + Mend);
  if (place.column->mayBeMissing) return Status::ok();
  return misfit(
      record, place,
      "there is no value; with `missing = allowed`, for the table or in `data.number`, it is "
      "read as 0, with a mark in `present`");
}

/// A value that no training sample has.
Status TableDecoder::unseen(const CsvRecord &record, const Place &place,
                            std::string_view value) const {
  std::string text = "`" + shownText(value) + "` " + UnseenValue;
  for (const auto &[known, id] : place.ids)
    if (foldedName(known) == foldedName(value))
      text += ", where there is `" + shownText(known) + "`";
  if (!place.isTarget) text += "; `data.category(unknown = true)` gives such values a number";
  return misfit(record, place, text);
}

Status TableDecoder::decodeCategory(const CsvRecord &record, const Place &place,
                                    int32_t &id) const {
  const TableColumn &column = *place.column;
  std::string_view value = categoryOf(record.cells[place.cell]);
  if (place.isTarget && value.empty())
    return misfit(record, place, std::string("there is no value, and it is the label; ") + Mend);
  auto found = place.ids.find(value);
  if (found != place.ids.end()) {
    id = found->second;
    return Status::ok();
  }
  if (!column.hasUnknown && column.minCount <= 1) return unseen(record, place, value);
  id = int32_t(column.size() - 1);
  return Status::ok();
}

Status TableDecoder::decode(const CsvRecord &record, const TableRow &row) const {
  size_t numbers = 0, categories = 0;
  for (const Place &place : places) {
    if (place.column->isCategory) {
      int32_t id = 0;
      DLM_TRY(decodeCategory(record, place, id));
      if (!place.isTarget && row.category) row.category[categories] = id;
      if (place.isTarget && row.target) *static_cast<int32_t *>(row.target) = id;
      categories += !place.isTarget;
      continue;
    }
    float value = 0;
    bool isPresent = false;
    DLM_TRY(decodeNumber(record, place, value, isPresent));
    if (place.isTarget && row.target) *static_cast<float *>(row.target) = value;
    if (!place.isTarget && row.number) row.number[numbers] = value;
    if (!place.isTarget && row.present) row.present[numbers] = isPresent;
    numbers += !place.isTarget;
  }
  return Status::ok();
}

Status checkRecords(const Table &table, const std::string &path,
                    const std::function<void(int64_t, int32_t)> &see) {
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  Expected<TableDecoder> decoder = TableDecoder::make(table, *file);
  if (!decoder) return decoder.status();
  CsvRecord record;
  TableRow row;
  int32_t target = 0;
  if (see) row.target = &target;
  for (int64_t i = 0;; ++i) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) return Status::ok();
    DLM_TRY(decoder->decode(record, row));
    if (see) see(i, target);
  }
}

} // namespace dlm
