// A table as text (RFC 4180): records of cells, one to a line. The separator is `,`, `;` or a tab,
// whichever the first line holds most of; a cell in quotes may hold separators, line ends and
// doubled quotes. Plain or gzip. The first record names the columns, unless all its cells are
// numbers: then the columns are called "0", "1", ...
#pragma once

#include "runtime/data/formats/InflatedFile.h"

#include <optional>
#include <string_view>
#include <vector>

namespace dlm {

/// One record. The cells point into the file's buffer and live until the next one is read.
struct CsvRecord {
  std::vector<std::string_view> cells;
  int64_t line = 0; // of its first cell; the first line is 1
};

class CsvFile {
public:
  /// Opens the file and reads the names of its columns.
  static Expected<CsvFile> open(const std::string &path);

  const std::string &path() const { return file.path(); }
  const std::vector<std::string> &columns() const { return names; }

  /// Reads the next record; false at the end of the file. Every record has as many cells as there
  /// are columns; empty lines are skipped.
  Expected<bool> next(CsvRecord &record, const std::atomic<bool> *cancel = nullptr);

private:
  explicit CsvFile(InflatedFile file) : file(std::move(file)) {}
  Status readNames();
  Expected<bool> readRecord(CsvRecord &record, const std::atomic<bool> *cancel);
  Expected<bool> grow(const std::atomic<bool> *cancel);
  Expected<size_t> findEnd(const std::atomic<bool> *cancel);
  void split(size_t end, CsvRecord &record);
  std::string_view unquote(size_t begin, size_t end);

  InflatedFile file;
  std::vector<std::string> names;
  std::vector<char> buffer;
  size_t begin = 0, filled = 0; // of the part of the buffer that is not yet used
  int64_t line = 1;
  char separator = ',';
  bool isPending = false; // the first record is not the names, and has to be given yet
  CsvRecord first;
};

/// Whether a cell says that there is no value: it is empty, `NA`, `N/A`, `NaN`, `null`, `None` or
/// `?`.
bool isMissingCell(std::string_view cell);

/// The number a cell holds, rounded to the nearest f32; nothing if it holds none, or one beyond
/// the range of f32. Spaces around it are left out.
std::optional<float> numberOfCell(std::string_view cell);

/// The cell without spaces around it.
std::string_view trimmedCell(std::string_view cell);

} // namespace dlm
