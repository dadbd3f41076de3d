// A closed schema itself: a key that means nothing is an error, as everywhere in the language.
#include "compiler/sema/data/DataSchema.h"

#include "compiler/diagnostics/NearWords.h"
#include "compiler/sema/data/JsonFile.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/source/TextFile.h"
#include "compiler/syntax/TokenTraits.h"

#include <nlohmann/json.hpp>

#include <cctype>
#include <sstream>

namespace dlm::sema {

namespace {

using nlohmann::json;

constexpr int64_t countMax = int64_t(1) << 48;

class SchemaReader {
public:
  explicit SchemaReader(std::string &reason) : reason(reason) {}

  std::optional<DataSchema> read(const json &object, const std::string &prefix) {
    if (!object.is_object()) return fail("it is not an object `{ ... }`");
    for (const auto &[key, value] : object.items())
      if (!readKey(key, value, prefix)) return std::nullopt;
    if (!hasTrain) return fail("it lacks `train`, the number of training samples");
    return std::move(schema);
  }

private:
  std::nullopt_t fail(const std::string &text) {
    reason = text;
    return std::nullopt;
  }

  bool readKey(const std::string &key, const json &value, const std::string &prefix) {
    int64_t *count = key == "train"        ? &schema.train
                     : key == "validation" ? &schema.validation
                     : key == "test"       ? &schema.test
                                           : nullptr;
    hasTrain |= key == "train";
    if (count) return readCount(key, value, key == "train" ? 1 : 0, *count);
    if (key == "vocab" || key == "classes") return readCount(key, value, 1, schema.facts[key]);
    if (key == "fields") return readFields(value, prefix);
    if (key == "columns") return readColumns(value);
    std::string near =
        nearestWord(key, {"train", "validation", "test", "vocab", "classes", "fields", "columns"});
    fail("`" + key + "` means nothing in it" +
         (near.empty() ? std::string() : "; there is `" + near + "`"));
    return false;
  }

  bool readCount(const std::string &key, const json &value, int64_t least, int64_t &result) {
    bool isFine = value.is_number_integer() && value.get<int64_t>() >= least &&
                  value.get<int64_t>() <= countMax;
    if (isFine) result = value.get<int64_t>();
    if (!isFine)
      fail("`" + key + "` is a whole number from " + std::to_string(least) +
           " on, and here it is `" + value.dump() + "`");
    return isFine;
  }

  bool readFields(const json &value, const std::string &prefix) {
    bool isFine = value.is_object();
    for (auto entry = value.begin(); isFine && entry != value.end(); ++entry) {
      isFine = entry->is_string();
      if (isFine && !readField(entry.key(), entry->get<std::string>(), prefix)) return false;
    }
    if (!isFine) fail("`fields` is an object of types: `{ \"label\": \"i32\" }`");
    return isFine;
  }

  bool readField(const std::string &name, const std::string &text, const std::string &prefix) {
    if (!isName(name)) {
      fail("the field `" + name + "` has a name that no program can write: " +
           "a name consists of letters, digits and `_`, and is no word such as `in`");
      return false;
    }
    if (name == "size") {
      fail("a field cannot be called `size`: `batch.size` is the number of samples");
      return false;
    }
    std::map<std::string, int64_t> bounds;
    std::optional<TensorType> type = parseFieldType(text, prefix, bounds);
    if (!type) {
      std::string word = text.substr(0, text.find_first_of(" ["));
      std::string here = typeHere(word);
      fail("the type of the field `" + name + "`, `" + text + "`, is " +
           (here.empty() ? "not of the form `u8[height <= 512, 28, 3]`"
                         : "written `" + here + text.substr(word.size()) + "`"));
      return false;
    }
    for (const auto &[symbol, most] : bounds) {
      if (schema.bounds.emplace(symbol, most).first->second == most) continue;
      fail("the size `" + symbol.substr(prefix.size() + 1) + "` has two bounds, " +
           std::to_string(schema.bounds[symbol]) + " and " + std::to_string(most));
      return false;
    }
    schema.fields.push_back({name, *type});
    return true;
  }

  bool readColumns(const json &value) {
    bool isFine = value.is_array();
    for (size_t i = 0; isFine && i < value.size(); ++i) {
      const json &entry = value[i];
      isFine = entry.is_object() && entry.contains("name") && entry["name"].is_string() &&
               entry.contains("kind") && (entry["kind"] == "number" || entry["kind"] == "category");
      if (!isFine) break;
      if (!checkColumnKeys(entry)) return false;
      Column column{entry["name"].get<std::string>(), entry["kind"] == "category", 0};
      if (column.isCategory && !entry.contains("size")) isFine = false;
      if (isFine && entry.contains("size") && !readCount("size", entry["size"], 1, column.size))
        return false;
      for (const Column &other : schema.columns)
        if (other.name == column.name) {
          fail("`columns` names the column \"" + column.name + "\" twice");
          return false;
        }
      schema.columns.push_back(std::move(column));
    }
    return isFine || failColumns();
  }

  bool failColumns() {
    fail("`columns` is a list of `{ \"name\": ..., \"kind\": \"number\" }` and `{ \"name\": ..., "
         "\"kind\": \"category\", \"size\": n }`");
    return false;
  }

  bool checkColumnKeys(const json &column) {
    for (const auto &entry : column.items()) {
      const std::string &key = entry.key();
      if (key == "name" || key == "kind" || key == "size") continue;
      fail("`" + key + "` means nothing in a column; there are `name`, `kind` and `size`");
      return false;
    }
    if (column["name"] == "") fail("the name of a column is empty");
    return column["name"] != "";
  }

  std::string &reason;
  DataSchema schema;
  bool hasTrain = false;
};

/// The words and signs of a type, without white space.
std::vector<std::string> splitType(const std::string &text) {
  std::vector<std::string> result;
  for (size_t i = 0; i < text.size();) {
    auto isWordAt = [&](size_t at) {
      return at < text.size() &&
             (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
    };
    size_t begin = i;
    while (isWordAt(i))
      ++i;
    if (i == begin) i += text.compare(i, 2, "<=") == 0 ? 2 : 1;
    if (!std::isspace(static_cast<unsigned char>(text[begin])))
      result.push_back(text.substr(begin, i - begin));
  }
  return result;
}

std::optional<int64_t> parseSize(const std::string &word) {
  bool isPlain = !word.empty() && word.find_first_not_of("0123456789_") == std::string::npos;
  std::optional<Number> number = isPlain ? parseNumber(word) : std::nullopt;
  bool isSize = number && number->isWhole() && number->numerator >= 1 &&
                number->numerator <= (int64_t(1) << 40);
  return isSize ? std::optional(number->numerator) : std::nullopt;
}

} // namespace

std::optional<TensorType> parseFieldType(const std::string &text, const std::string &prefix,
                                         std::map<std::string, int64_t> &bounds) {
  std::vector<std::string> words = splitType(text);
  std::optional<DType> dtype = words.empty() ? std::nullopt : findDType(words[0]);
  if (!dtype) return std::nullopt;
  TensorType result{*dtype, {}};
  if (words.size() == 1) return result;
  if (words.size() == 3 && words[1] == "[" && words[2] == "]") return result; // `f32[]`
  if (words.size() < 4 || words[1] != "[" || words.back() != "]") return std::nullopt;
  size_t at = 2;
  while (true) {
    bool isBounded = at + 3 < words.size() && words[at + 1] == "<=";
    std::optional<int64_t> size = parseSize(words[isBounded ? at + 2 : at]);
    if (!size || (isBounded && !std::isalpha(static_cast<unsigned char>(words[at][0]))))
      return std::nullopt;
    if (isBounded && bounds.emplace(prefix + "." + words[at], *size).first->second != *size)
      return std::nullopt;
    result.dims.push_back(isBounded
                              ? Dim{Extent::symbol(prefix + "." + words[at]), words[at], false}
                              : Dim::whole(*size));
    at += isBounded ? 3 : 1;
    if (at + 1 == words.size()) return result;
    if (words[at++] != ",") return std::nullopt;
    if (at + 1 >= words.size()) return std::nullopt;
  }
}

std::optional<DataSchema> readSchema(const std::string &path, std::string &reason) {
  std::optional<std::string> text = readTextFile(path, reason);
  if (!text) return std::nullopt;
  std::optional<json> object = parseJson(*text, reason);
  if (!object) return std::nullopt;
  size_t begin = path.find_last_of('/') + 1;
  std::string prefix = path.substr(begin, path.find('.', begin) - begin);
  return SchemaReader(reason).read(*object, prefix);
}

} // namespace dlm::sema
