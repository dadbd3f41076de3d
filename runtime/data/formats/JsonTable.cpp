// See JsonTable.h. Types follow from the whole file of the training samples, the values of
// categories from the training samples only, as in a table.
#include "runtime/data/formats/JsonTable.h"

#include "runtime/data/formats/ShownText.h"
#include "runtime/data/formats/SimilarNames.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <climits>
#include <cstring>

namespace dlm {

namespace {

using Json = nlohmann::json;

constexpr size_t ValuesMax = 65536;    // of a category
constexpr size_t StringBytesMax = 256; // of one that is a category

const char *kindName(JsonKind kind) {
  switch (kind) {
  case JsonKind::Whole:
  case JsonKind::Real:
    return "numbers";
  case JsonKind::Bool:
    return "true and false";
  case JsonKind::String:
    return "strings";
  }
  return "values";
}

std::string shapeText(const std::vector<int64_t> &shape) {
  if (shape.empty()) return "a single value";
  std::string text = "an array [";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

bool isNumber(JsonKind kind) { return kind == JsonKind::Whole || kind == JsonKind::Real; }

/// What is learnt of a key, record by record.
struct KeySurvey {
  std::string name;
  JsonKind kind;
  std::vector<int64_t> shape;
  int64_t wideLine = 0; // of a whole number beyond i32; 0: there is none
  std::string wide;     // that number
};

bool isI32(int64_t value) { return value >= INT32_MIN && value <= INT32_MAX; }

/// A key that is missing, or that the table does not have; empty if they agree.
template <class Keys> std::string keyFault(const JsonRecord &record, const Keys &keys) {
  for (size_t i = 0; i < keys.size(); ++i)
    if (!record.find(keys[i].name, i))
      return "it lacks the key " + quotedKey(keys[i].name) +
             ", which the first line for training has";
  if (record.values.size() == keys.size()) return "";
  for (const JsonValue &value : record.values)
    if (std::none_of(keys.begin(), keys.end(),
                     [&](const auto &key) { return key.name == value.key; }))
      return "it has the key " + quotedKey(value.key) + ", which the first line for training lacks";
  return "";
}

/// Compares the value with what is known of its key, and widens that; empty if it fits.
std::string surveyValue(const JsonValue &value, int64_t line, KeySurvey &key) {
  if (isNumber(value.kind) ? !isNumber(key.kind) : value.kind != key.kind)
    return quotedKey(key.name) + " holds " + kindName(value.kind) + ", and before it held " +
           kindName(key.kind);
  if (value.shape != key.shape)
    return quotedKey(key.name) + " is " + shapeText(value.shape) + ", and before it was " +
           shapeText(key.shape) + ": samples are of one size";
  if (value.kind == JsonKind::Real) key.kind = JsonKind::Real;
  if (value.kind != JsonKind::Whole || key.wideLine > 0) return "";
  auto wide = std::find_if(value.wholes.begin(), value.wholes.end(),
                           [](int64_t whole) { return !isI32(whole); });
  if (wide == value.wholes.end()) return "";
  key.wideLine = line;
  key.wide = std::to_string(*wide);
  return "";
}

} // namespace

int64_t JsonField::elementCount() const {
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  return count;
}

std::string JsonTable::toJson() const {
  Json list = Json::array();
  for (const JsonField &field : fields)
    list.push_back({{"name", field.name},
                    {"type", dtypeName(field.dtype)},
                    {"shape", field.shape},
                    {"category", field.isCategory},
                    {"values", field.values}});
  Json table = {{"fields", list}, {"classes", classes}};
  if (!dropped.empty()) table["dropped"] = dropped;
  return table.dump();
}

Expected<JsonTable> JsonTable::fromJson(const std::string &text) {
  Json json = Json::parse(text, nullptr, false);
  Status wrong = corrupt("the program's description of its data is damaged");
  if (!json.is_object() || !json.contains("fields") || !json["fields"].is_array()) return wrong;
  JsonTable table;
  table.classes = json.value("classes", int64_t(0));
  table.dropped = json.value("dropped", std::vector<std::string>());
  for (const Json &entry : json["fields"]) {
    if (!entry.is_object()) return wrong;
    JsonField field;
    field.name = entry.value("name", "");
    field.shape = entry.value("shape", std::vector<int64_t>());
    field.isCategory = entry.value("category", false);
    field.values = entry.value("values", std::vector<std::string>());
    if (!dtypeFromName(entry.value("type", ""), field.dtype)) return wrong;
    table.fields.push_back(std::move(field));
  }
  return table;
}

const char *const UnseenString = "which no training sample has";

Expected<JsonTable> surveyJson(const std::string &path, int64_t &count,
                               std::vector<std::string> dropped) {
  Expected<JsonLines> file = JsonLines::open(path);
  if (!file) return file.status();
  file->leaveOut(dropped);
  std::vector<KeySurvey> keys;
  JsonRecord record;
  for (count = 0;; ++count) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) break;
    if (count == 0)
      for (const JsonValue &value : record.values)
        keys.push_back({value.key, value.kind, value.shape, 0, ""});
    std::string fault = keyFault(record, keys);
    for (size_t i = 0; i < keys.size() && fault.empty(); ++i)
      fault = surveyValue(*record.find(keys[i].name, i), record.line, keys[i]);
    if (!fault.empty()) return file->fault(record, fault);
  }
  if (count == 0) return corrupt("data file `" + path + "` is empty");
  JsonTable table;
  table.dropped = std::move(dropped);
  for (const KeySurvey &key : keys) {
    record.line = key.wideLine;
    if (key.kind == JsonKind::Whole && key.wideLine > 0)
      return file->fault(record, quotedKey(key.name) + " holds " + key.wide +
                                     ", beyond the range of i32; with a point, as in " + key.wide +
                                     ".0, its numbers are read as f32");
    JsonField field{key.name, DType::F32, key.shape};
    field.isCategory = key.kind == JsonKind::String;
    if (key.kind == JsonKind::Bool) field.dtype = DType::Bool;
    if (key.kind == JsonKind::Whole || field.isCategory) field.dtype = DType::I32;
    table.fields.push_back(std::move(field));
  }
  return table;
}

Status fitJson(JsonTable &table, const std::string &path, int64_t count,
               const std::function<bool(int64_t)> &isTraining) {
  Expected<JsonLines> file = JsonLines::open(path);
  if (!file) return file.status();
  file->leaveOut(table.dropped);
  std::vector<std::map<std::string, SeenValue, std::less<>>> values(table.fields.size());
  int64_t largest = -1;
  JsonRecord record;
  for (int64_t i = 0; i < count; ++i) {
    Expected<bool> got = file->next(record);
    if (!got) return got.status();
    if (!*got) return corrupt("data file `" + path + "` changes while it is read");
    if (isTraining && !isTraining(i)) continue;
    for (size_t f = 0; f < table.fields.size(); ++f) {
      const JsonField &field = table.fields[f];
      const JsonValue *value = record.find(field.name, f);
      if (!value) continue; // the decoder reports it
      if (field.isCategory && value->kind == JsonKind::String)
        values[f].emplace(value->text, SeenValue{0, record.line}); // where it stands first
      if (field.isCategory && (values[f].size() > ValuesMax || value->text.size() > StringBytesMax))
        return file->fault(
            record,
            quotedKey(field.name) + " holds " +
                (values[f].size() > ValuesMax
                     ? "more than " + std::to_string(ValuesMax) + " different strings"
                     : "a string of more than " + std::to_string(StringBytesMax) + " bytes") +
                ", too many for a category: `drop = [...]` leaves the key out");
      if (field.isLabel() && !field.isCategory)
        for (int64_t whole : value->wholes)
          largest = std::max(largest, whole);
    }
  }
  for (size_t f = 0; f < table.fields.size(); ++f) {
    JsonField &field = table.fields[f];
    for (const auto &each : values[f])
      field.values.push_back(each.first);
    field.similar = firstSimilar(values[f]);
    if (field.isLabel()) table.classes = field.isCategory ? int64_t(values[f].size()) : largest + 1;
  }
  return Status::ok();
}

JsonDecoder::JsonDecoder(JsonTable table) : known(std::move(table)), ids(known.fields.size()) {
  for (size_t f = 0; f < known.fields.size(); ++f)
    for (size_t i = 0; i < known.fields[f].values.size(); ++i)
      ids[f].emplace(known.fields[f].values[i], int32_t(i));
}

Status JsonDecoder::decode(const JsonLines &file, const JsonRecord &record,
                           void *const *places) const {
  std::string fault = keyFault(record, known.fields);
  if (!fault.empty()) return file.fault(record, fault);
  for (size_t i = 0; i < known.fields.size(); ++i)
    DLM_TRY(decodeField(file, record, i, places[i]));
  return Status::ok();
}

Status JsonDecoder::decodeSome(const JsonLines &file, const JsonRecord &record,
                               void *const *places) const {
  for (size_t i = 0; i < known.fields.size(); ++i) {
    if (!places[i]) continue;
    const std::string &name = known.fields[i].name;
    if (!record.find(name, i)) return file.fault(record, "it lacks the key " + quotedKey(name));
    DLM_TRY(decodeField(file, record, i, places[i]));
  }
  return Status::ok();
}

Status JsonDecoder::decodeField(const JsonLines &file, const JsonRecord &record, size_t index,
                                void *place) const {
  const JsonField &field = known.fields[index];
  const JsonValue &value = *record.find(field.name, index);
  auto misfit = [&](const std::string &what) {
    return file.fault(record, quotedKey(field.name) + " " + what);
  };
  if (value.shape != field.shape)
    return misfit("is " + shapeText(value.shape) + ", and for training it is " +
                  shapeText(field.shape));
  JsonKind wanted = field.isCategory             ? JsonKind::String
                    : field.dtype == DType::Bool ? JsonKind::Bool
                    : field.dtype == DType::I32  ? JsonKind::Whole
                                                 : JsonKind::Real;
  bool isWider = wanted == JsonKind::Whole && value.kind == JsonKind::Real;
  if (isWider) return misfit("holds a number with a point, and for training all are whole");
  if (value.kind != wanted && !(wanted == JsonKind::Real && value.kind == JsonKind::Whole))
    return misfit(std::string("holds ") + kindName(value.kind) + ", and for training it holds " +
                  kindName(wanted));
  if (field.isCategory) {
    auto id = ids[index].find(value.text);
    if (id == ids[index].end())
      return misfit("is \"" + shownText(value.text) + "\", " + UnseenString);
    if (place) std::memcpy(place, &id->second, sizeof id->second);
    return Status::ok();
  }
  for (size_t i = 0; i < value.numbers.size(); ++i) {
    int64_t whole = value.wholes[i];
    if (wanted == JsonKind::Whole && !isI32(whole))
      return misfit("holds " + std::to_string(whole) + ", beyond the range of i32");
    if (field.isLabel() && (whole < 0 || whole >= known.classes))
      return misfit("is " + std::to_string(whole) + ", and classes are numbered from 0 to " +
                    std::to_string(known.classes - 1) + " for training");
    if (!place) continue;
    int32_t narrow = int32_t(whole);
    auto *to = static_cast<uint8_t *>(place);
    if (wanted == JsonKind::Bool)
      to[i] = whole != 0;
    else if (wanted == JsonKind::Whole)
      std::memcpy(to + i * sizeof narrow, &narrow, sizeof narrow);
    else
      std::memcpy(to + i * sizeof(float), &value.numbers[i], sizeof(float));
  }
  return Status::ok();
}

} // namespace dlm
