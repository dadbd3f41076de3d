// What the files of a data source hold, described by a file beside the program: the way to check a
// program whose data is not on this machine.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

/// `text.schema.json`:
///
///     { "train": 1003854, "validation": 55770, "test": 0, "vocab": 65, "classes": 10,
///       "fields": { "image": "u8[height <= 512, width <= 512, 3]", "label": "i32" },
///       "columns": [ { "name": "area", "kind": "number" },
///                    { "name": "zip", "kind": "category", "size": 917 } ] }
///
/// Only `train`, the number of training samples before any are cut, is always needed. A column of
/// numbers may have a `size` too, the number of different ones, for programs that read it as a
/// category.
struct DataSchema {
  int64_t train = 0;
  int64_t validation = 0;
  int64_t test = 0;
  std::map<std::string, int64_t> facts;  // "vocab", "classes"
  std::vector<Field> fields;             // bounded sizes are symbols
  std::map<std::string, int64_t> bounds; // of those symbols
  std::vector<Column> columns;
};

/// Reads the file. On failure returns nothing and says in `reason` what is wrong with it.
std::optional<DataSchema> readSchema(const std::string &path, std::string &reason);

/// The type that `u8[height <= 512, 28, 3]` stands for; the symbols of bounded sizes are named
/// `prefix.height`, and their bounds added. Nothing if it does not follow this form.
std::optional<TensorType> parseFieldType(const std::string &text, const std::string &prefix,
                                         std::map<std::string, int64_t> &bounds);

} // namespace dlm::sema
