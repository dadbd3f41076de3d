// A text file with one JSON object to a line, plain or gzip: `{"x": [1.5, 2], "label": 3}`. Empty
// lines are skipped. Values are numbers, true and false, strings, and arrays of numbers or of bool,
// which may hold arrays of one size.
#pragma once

#include "runtime/data/formats/InflatedFile.h"

#include <optional>
#include <string_view>
#include <vector>

namespace dlm {

enum class JsonKind { Whole, Real, Bool, String };

/// One member of an object. Its numbers stand one after the other, in the order of the line.
struct JsonValue {
  std::string key;
  JsonKind kind = JsonKind::Real; // Real if any number has a point or an exponent, or is too large
  std::vector<int64_t> shape;     // empty: no array
  std::vector<float> numbers;     // of all numbers: each rounded once
  std::vector<int64_t> wholes;    // of Whole, and of Bool
  std::string text;               // of String
};

struct JsonRecord {
  std::vector<JsonValue> values; // in the order of the line; no key stands twice
  int64_t line = 0;              // the first line is 1

  /// The value of a key; null if there is none. It is sought at place `hint` first: most lines have
  /// their keys in the same order.
  const JsonValue *find(std::string_view key, size_t hint = 0) const;
};

/// A key for a message: short, and without what a terminal would act on.
std::string quotedKey(const std::string &key);

class JsonLines {
public:
  static Expected<JsonLines> open(const std::string &path);

  const std::string &path() const { return file.path(); }

  /// Of the records that follow only the members with these keys are read. The others may hold any
  /// JSON, and are left out of a record.
  void readOnly(std::vector<std::string> keys) { wanted = std::move(keys); }

  /// The same, but that all members are read except those with these keys.
  void leaveOut(std::vector<std::string> keys) { dropped = std::move(keys); }

  /// Reads the next record; false at the end of the file.
  Expected<bool> next(JsonRecord &record, const std::atomic<bool> *cancel = nullptr);

  /// A failure of the line of a record.
  Status fault(const JsonRecord &record, const std::string &what) const;

private:
  explicit JsonLines(InflatedFile file) : file(std::move(file)) {}
  Expected<bool> nextLine(std::string_view &line, const std::atomic<bool> *cancel);

  InflatedFile file;
  std::optional<std::vector<std::string>> wanted; // none: all keys
  std::vector<std::string> dropped;
  std::vector<char> buffer;
  size_t begin = 0, filled = 0; // of the part of the buffer that is not yet used
  int64_t lineNumber = 0;
  bool isAtEnd = false;
};

} // namespace dlm
