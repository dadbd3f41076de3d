// What the keys of a file of JSON lines mean. A `JsonTable` is made when a program is compiled,
// from the file of the training samples, and goes into the plan as text; the run decodes records by
// it. A key is a field. Its type: `bool`, `i32` if all its numbers are whole, else `f32`; a string
// is a category, an i32 that says which of the strings of the training samples it is.
#pragma once

#include "runtime/base/DType.h"
#include "runtime/data/formats/JsonLines.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dlm {

struct JsonField {
  std::string name;
  DType dtype = DType::F32; // Bool, I32 or F32
  std::vector<int64_t> shape = {};
  bool isCategory = false;
  std::vector<std::string> values = {}; // of a category, by id
  std::string similar = {};             // of these, two that look alike (not in the plan)

  int64_t elementCount() const;
  /// Whether it holds the classes of the samples: strings, or whole numbers from 0 on.
  bool isLabel() const { return name == "label" && dtype == DType::I32; }
};

struct JsonTable {
  std::vector<JsonField> fields;
  int64_t classes = 0;                   // of the field `label`; 0: there is none
  std::vector<std::string> dropped = {}; // keys that are no fields: their values may be anything

  std::string toJson() const;
  static Expected<JsonTable> fromJson(const std::string &text);
};

/// Reads the whole file: how many records it has, and of what types they are. Keys that are
/// `dropped` are left out, whatever they hold.
Expected<JsonTable> surveyJson(const std::string &path, int64_t &count,
                               std::vector<std::string> dropped = {});

/// What the failure says of a string that is none of its category's.
extern const char *const UnseenString;

/// Fills in the strings of categories, sorted, and the classes, from the first `count` records, or
/// those of them that are training samples.
Status fitJson(JsonTable &table, const std::string &path, int64_t count,
               const std::function<bool(int64_t record)> &isTraining = {});

/// Makes samples of records. A record has the keys of the table, in any order.
class JsonDecoder {
public:
  explicit JsonDecoder(JsonTable table);

  const JsonTable &table() const { return known; }

  /// Writes field i of the table to `places[i]`, unless that is null. What does not fit is a
  /// failure that names the line and the key.
  Status decode(const JsonLines &file, const JsonRecord &record, void *const *places) const;

  /// The same for records that may lack the fields without a place, and have other keys.
  Status decodeSome(const JsonLines &file, const JsonRecord &record, void *const *places) const;

private:
  Status decodeField(const JsonLines &file, const JsonRecord &record, size_t index,
                     void *place) const;

  JsonTable known;
  std::vector<std::map<std::string, int32_t, std::less<>>> ids; // of categories, by field
};

} // namespace dlm
