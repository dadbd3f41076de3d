// A line is parsed event by event, so nothing is built that its size does not bound. Strings are
// valid UTF-8, which the parser checks.
#include "runtime/data/formats/JsonLines.h"

#include "runtime/data/formats/ShownText.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>

namespace dlm {

namespace {

using nlohmann::json;

constexpr size_t LineBytesMax = size_t(16) << 20;
constexpr size_t TextBytes = size_t(256) << 10;
constexpr size_t KeysMax = 1000, AxesMax = 7;

/// Fills a record; whatever is wrong becomes `fault`.
class RecordReader : public nlohmann::json_sax<json> {
public:
  RecordReader(JsonRecord &record, const std::optional<std::vector<std::string>> &wanted,
               const std::vector<std::string> &dropped)
      : record(record), wanted(wanted), dropped(dropped) {}

  std::string fault;
  bool hasKeys = false;

  bool null() override {
    if (isUnread) return true;
    return isBegun() && fail(keyText() + " is null: a value that is missing cannot be read");
  }
  bool boolean(bool value) override { return add(JsonKind::Bool, float(value), value); }
  bool number_integer(number_integer_t value) override {
    return add(JsonKind::Whole, float(value), value);
  }
  bool number_unsigned(number_unsigned_t value) override {
    bool isWhole = value <= uint64_t(INT64_MAX);
    return add(isWhole ? JsonKind::Whole : JsonKind::Real, float(value),
               isWhole ? int64_t(value) : 0);
  }
  bool number_float(number_float_t, const string_t &text) override {
    float value = 0;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    // What is nearer to 0 than any f32 is 0; a number too large for f32 has a large exponent.
    if (error == std::errc::result_out_of_range) {
      double wide = std::strtod(text.c_str(), nullptr);
      value = float(wide);
    }
    if (!std::isfinite(value))
      return isUnread || (isBegun() && fail(keyText() + " holds " + shownText(text) +
                                            ", beyond the range of f32"));
    return add(JsonKind::Real, value, 0);
  }
  bool string(string_t &value) override {
    if (isUnread) return true;
    if (!isBegun()) return false;
    if (depth > 0) return fail(keyText() + " is an array of strings: give each a number");
    record.values.back().kind = JsonKind::String;
    record.values.back().text = std::move(value);
    return true;
  }
  bool binary(binary_t &) override { return fail("it holds binary data"); }

  bool start_object(size_t) override {
    if (isUnread) return ++unreadDepth > 0;
    if (isInObject)
      return fail(keyText() + " is an object; values are numbers, strings and arrays of numbers");
    isInObject = true;
    return true;
  }
  bool end_object() override {
    unreadDepth -= unreadDepth > 0;
    return true;
  }

  bool key(string_t &name) override {
    if (unreadDepth > 0) return true;
    hasKeys = true;
    isUnread = (wanted && std::count(wanted->begin(), wanted->end(), name) == 0) ||
               std::count(dropped.begin(), dropped.end(), name) > 0;
    if (isUnread) return true;
    if (record.values.size() == KeysMax)
      return fail("it holds more than " + std::to_string(KeysMax) + " keys");
    if (record.find(name)) return fail("the key " + quotedKey(name) + " stands twice");
    record.values.emplace_back();
    record.values.back().key = name;
    isFirst = true;
    lengths.clear();
    depth = 0;
    return true;
  }

  bool start_array(size_t) override {
    if (isUnread) return ++unreadDepth > 0;
    if (!isBegun()) return false;
    if (depth == AxesMax)
      return fail(keyText() + " is an array of more than " + std::to_string(AxesMax) + " axes");
    if (depth > 0) ++lengths[depth - 1];
    if (!isFirst && depth >= record.values.back().shape.size()) return ragged();
    ++depth;
    lengths.resize(std::max(lengths.size(), depth));
    lengths[depth - 1] = 0;
    if (isFirst && record.values.back().shape.size() < depth)
      record.values.back().shape.push_back(-1);
    return true;
  }

  bool end_array() override {
    if (isUnread) return unreadDepth-- > 0;
    int64_t &size = record.values.back().shape[depth - 1];
    int64_t length = lengths[depth - 1];
    if (length == 0) return fail(keyText() + " holds an empty array");
    if (size >= 0 && size != length) return ragged();
    size = length;
    --depth;
    return true;
  }

  bool parse_error(size_t position, const std::string &, const json::exception &error) override {
    std::string what = error.what();
    bool isText = what.find("UTF-8") != std::string::npos;
    bool isRange = error.id == 406;
    fault = isRange  ? "it holds a number beyond the range of f32"
            : isText ? "it is not UTF-8 at byte " + std::to_string(position) + " of the line"
                     : "it is not JSON at byte " + std::to_string(position) +
                           " of the line, or ends too early";
    return false;
  }

private:
  bool fail(std::string text) {
    fault = std::move(text);
    return false;
  }
  std::string keyText() const { return quotedKey(record.values.back().key); }
  bool ragged() { return fail(keyText() + " holds arrays of different sizes"); }

  /// Whether the value belongs to a key.
  bool isBegun() { return isInObject || fail("it is not an object `{ ... }`"); }

  bool add(JsonKind kind, float number, int64_t whole) {
    if (isUnread) return true;
    if (!isBegun()) return false;
    JsonValue &value = record.values.back();
    if (depth != value.shape.size()) return ragged();
    bool isBool = kind == JsonKind::Bool;
    if (isFirst)
      value.kind = kind;
    else if (isBool != (value.kind == JsonKind::Bool))
      return fail(keyText() + " holds numbers beside true or false");
    else if (kind == JsonKind::Real)
      value.kind = kind;
    isFirst = false;
    if (depth > 0) ++lengths[depth - 1];
    value.numbers.push_back(number);
    value.wholes.push_back(whole);
    return true;
  }

  JsonRecord &record;
  const std::optional<std::vector<std::string>> &wanted;
  const std::vector<std::string> &dropped;
  bool isInObject = false;
  bool isUnread = false;        // the member that stands here
  size_t unreadDepth = 0;       // of arrays and objects in it
  bool isFirst = true;          // no number of the value has been seen
  size_t depth = 0;             // of arrays
  std::vector<int64_t> lengths; // of the arrays around, so far
};

} // namespace

std::string quotedKey(const std::string &key) { return "`" + shownText(key) + "`"; }

const JsonValue *JsonRecord::find(std::string_view key, size_t hint) const {
  if (hint < values.size() && values[hint].key == key) return &values[hint];
  for (const JsonValue &value : values)
    if (value.key == key) return &value;
  return nullptr;
}

Expected<JsonLines> JsonLines::open(const std::string &path) {
  Expected<InflatedFile> file = InflatedFile::open(path);
  if (!file) return file.status();
  return JsonLines(file.take());
}

Status JsonLines::fault(const JsonRecord &record, const std::string &what) const {
  return corrupt("data file `" + path() + "`, line " + std::to_string(record.line) + ": " + what);
}

Expected<bool> JsonLines::nextLine(std::string_view &line, const std::atomic<bool> *cancel) {
  for (size_t searched = begin;;) {
    const void *found = filled > searched
                            ? std::memchr(buffer.data() + searched, '\n', filled - searched)
                            : nullptr;
    size_t end = found ? size_t(static_cast<const char *>(found) - buffer.data()) : filled;
    if (found || (isAtEnd && begin < filled)) {
      line = std::string_view(buffer.data() + begin, end - begin);
      begin = found ? end + 1 : end;
      ++lineNumber;
      return true;
    }
    if (isAtEnd) return false;
    if (filled - begin > LineBytesMax)
      return corrupt("data file `" + path() + "`, line " + std::to_string(lineNumber + 1) +
                     ": it is longer than " + std::to_string(LineBytesMax >> 20) + " MiB");
    std::copy(buffer.data() + begin, buffer.data() + filled, buffer.data());
    filled -= begin;
    begin = 0;
    searched = filled;
    if (buffer.size() < filled + TextBytes) buffer.resize(std::max(2 * filled, 2 * TextBytes));
    Expected<size_t> got = file.readSome(buffer.data() + filled, TextBytes, cancel);
    if (!got) return got.status();
    isAtEnd = *got == 0;
    filled += *got;
  }
}

Expected<bool> JsonLines::next(JsonRecord &record, const std::atomic<bool> *cancel) {
  std::string_view line;
  do {
    Expected<bool> got = nextLine(line, cancel);
    if (!got || !*got) return got;
    if (lineNumber == 1 && line.substr(0, 3) == "\xEF\xBB\xBF") line.remove_prefix(3);
  } while (line.find_first_not_of(" \t\r") == std::string_view::npos);
  record.values.clear();
  record.line = lineNumber;
  RecordReader reader(record, wanted, dropped);
  bool isFine = json::sax_parse(line.begin(), line.end(), &reader);
  if (!isFine || !reader.hasKeys) return fault(record, isFine ? "it holds no keys" : reader.fault);
  return true;
}

} // namespace dlm
