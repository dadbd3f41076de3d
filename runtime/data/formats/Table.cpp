// Missing cells of a category are a value like any other, the empty one. Ids: the values, then one
// for all rare values if `minCount` is given, then one for unknown ones if they are allowed; if
// they are not, what training never saw is as rare as can be.
#include "runtime/data/formats/Table.h"

#include "runtime/data/formats/ShownText.h"

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

/// The cells of one column that are not missing.
struct SeenCells {
  int64_t numbers = 0, others = 0;
  std::string firstOther;
};

} // namespace

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
        seen[i].firstOther =
            placeOfCell(path, record, survey.columns[i]) + noNumber(record.cells[i]);
      }
    }
  }
  if (survey.count == 0)
    return corrupt("data file `" + path + "` holds the names of its columns and no records");
  for (SeenCells &cells : seen) {
    survey.isNumber.push_back(cells.others == 0);
    bool areMostlyNumbers = cells.numbers > cells.others;
    survey.misfits.push_back(areMostlyNumbers ? std::move(cells.firstOther) : "");
  }
  return survey;
}

Status fitTable(Table &table, const std::string &path, int64_t count) {
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  std::vector<std::map<std::string, int64_t, std::less<>>> seen(table.columns.size());
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
    for (size_t k = 0; k < places.size(); ++k) {
      if (!table.columns[k].isCategory) continue;
      std::string_view value = categoryOf(record.cells[places[k]]);
      if (!isUtf8(value))
        return corrupt(placeOfCell(path, record, table.columns[k].name) + "`" + shownText(value) +
                       "` is not UTF-8: save the table as UTF-8");
      auto known = seen[k].find(value);
      if (known == seen[k].end()) known = seen[k].emplace(std::string(value), 0).first;
      ++known->second;
    }
  }
  for (size_t k = 0; k < places.size(); ++k) {
    TableColumn &column = table.columns[k];
    for (const auto &[value, times] : seen[k]) {
      if (times >= column.minCount)
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
  if (place.isTarget) return misfit(record, place, "there is no value, and it is the target");
  if (place.column->mayBeMissing) return Status::ok();
  return misfit(record, place,
                "there is no value; `data.number(missing = allowed)` reads it as 0, with a mark in "
                "`present`");
}

Status TableDecoder::decodeCategory(const CsvRecord &record, const Place &place,
                                    int32_t &id) const {
  const TableColumn &column = *place.column;
  std::string_view value = categoryOf(record.cells[place.cell]);
  if (place.isTarget && value.empty())
    return misfit(record, place, "there is no value, and it is the target");
  auto found = place.ids.find(value);
  if (found != place.ids.end()) {
    id = found->second;
    return Status::ok();
  }
  if (!column.hasUnknown && column.minCount <= 1)
    return misfit(record, place,
                  "`" + shownText(value) +
                      "` is in no training sample; `data.category(unknown = true)` gives such "
                      "values a number");
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

Status checkRecords(const Table &table, const std::string &path) {
  Expected<CsvFile> file = CsvFile::open(path);
  if (!file) return file.status();
  Expected<TableDecoder> decoder = TableDecoder::make(table, *file);
  if (!decoder) return decoder.status();
  CsvRecord record;
  for (;;) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) return Status::ok();
    DLM_TRY(decoder->decode(record, {}));
  }
}

} // namespace dlm
