// Samples of a file that the program was not compiled for: as many as it holds, with the fields
// that are asked for. What else the source of the program has need not be in the file.
#pragma once

#include "runtime/data/Dataset.h"

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace dlm {

struct RowFile {
  std::unique_ptr<Dataset> samples;
  std::vector<std::string> names; // of the samples, where each is a file of its own
};

/// How a file is read. `stop`, if given and set (to a signal's number), ends it with `Interrupted`.
/// `expected` samples, if they are known: their memory is taken once.
struct RowReading {
  const std::atomic<int> *stop = nullptr;
  int64_t expected = 0;
};

/// Reads a file of the kind of `spec`, by what the program knows of its source. A record that does
/// not fit is a failure that names its place. A file of no records has no samples.
Expected<RowFile> readRows(const DataSpec &spec, const std::string &path,
                           const std::vector<FieldSpec> &fields, const RowReading &how = {});

/// How many samples a file of such a kind holds, without keeping any. Nothing if the kind is not
/// one whose rows are records or arrays: a table, JSON lines or NumPy's.
Expected<std::optional<int64_t>> countRows(const DataSpec &spec, const std::atomic<int> &stop);

/// The names of the ids that a field of whole numbers holds, by id, as far as they are known: of a
/// category that is a target or a label, or of a label that is the name of a folder.
std::vector<std::string> namesOfIds(const DataSpec &spec, const std::string &field);

/// What stands in messages and tables for a category: its column and the names of its ids.
struct NamedIds {
  std::string column;
  std::vector<std::string> names;
};

/// All categories of a source, with the field that the program reads them by if that is not
/// `category`.
std::vector<NamedIds> categoriesOf(const DataSpec &spec);

} // namespace dlm
