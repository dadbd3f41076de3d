// What the columns of a table mean. A `Table` is made when a program is compiled, from what the
// program says of its columns and from the training samples (which values does a category have?),
// and goes into the plan as text; the run decodes records by it. The numbers of a sample stand in
// the order of the columns, as do its categories; the target stands by itself.
#pragma once

#include "runtime/data/formats/CsvFile.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dlm {

struct TableColumn {
  std::string name;
  bool isCategory = false;
  bool mayBeMissing = false; // a number; it is 0 then, and not present
  int64_t minCount = 0;      // of a category: rarer values share one id, behind the others
  bool hasUnknown = false;   // of a category: the last id is for values not seen in training
  std::vector<std::string> values = {}; // of a category, by id
  std::vector<std::string> rare = {};   // those too rare for an id, if others are unknown
  std::string similar = {};             // of its values, two that look alike (not in the plan)
  bool isEmpty = false;                 // in all training samples (not in the plan)

  /// Number of ids of a category.
  int64_t size() const { return int64_t(values.size()) + (minCount > 1) + hasUnknown; }
};

struct Table {
  std::vector<TableColumn> columns; // the target is one of them
  std::string target;               // empty: there is none

  std::string toJson() const;
  static Expected<Table> fromJson(const std::string &text);
};

/// What is seen of a file without knowing what its columns mean.
struct TableSurvey {
  int64_t count = 0; // of records
  std::vector<std::string> columns;
  std::vector<bool> isNumber;        // every cell that is not missing holds a number
  std::vector<std::string> misfits;  // of a column that is mostly numbers: the first cell that is
                                     // none, in words; empty: there is none
  std::vector<std::string> mixtures; // of the same: how many cells are numbers, and that cell
};

/// Reads the whole file.
Expected<TableSurvey> surveyTable(const std::string &path,
                                  const std::atomic<bool> *cancel = nullptr);

/// Says of a record, by its place in the file, whether it is a training sample.
using IsTraining = std::function<bool(int64_t record)>;

/// Fills in the values of the categories from the first `count` records of the file, or those of
/// them that are training samples: sorted, by size if all are whole numbers.
Status fitTable(Table &table, const std::string &path, int64_t count,
                const IsTraining &isTraining = {});

/// Where a decoded sample goes; a null pointer is skipped.
struct TableRow {
  float *number = nullptr;
  bool *present = nullptr;
  int32_t *category = nullptr;
  void *target = nullptr; // float, or int32_t if the target is a category
};

/// What a failure says of a value that no training sample has.
extern const char *const UnseenValue;

/// Which columns of a table are read; the others need not be in the file.
struct TableParts {
  bool numbers = true, categories = true, target = true;

  bool hold(const TableColumn &column, const std::string &targetName) const {
    return column.name == targetName ? target : column.isCategory ? categories : numbers;
  }
};

/// Makes samples of the records of one file.
class TableDecoder {
public:
  /// Finds the table's columns in a file with these columns, in any order.
  static Expected<TableDecoder> make(const Table &table, const CsvFile &file,
                                     TableParts parts = {});

  /// A cell that does not fit is a failure that names the line and the column.
  Status decode(const CsvRecord &record, const TableRow &row) const;

private:
  struct Place {
    const TableColumn *column;
    size_t cell;
    std::map<std::string, int32_t, std::less<>> ids;
    bool isTarget;
  };
  Status misfit(const CsvRecord &record, const Place &place, const std::string &what) const;
  Status unseen(const CsvRecord &record, const Place &place, std::string_view value) const;
  Status decodeNumber(const CsvRecord &record, const Place &place, float &value,
                      bool &isPresent) const;
  Status decodeCategory(const CsvRecord &record, const Place &place, int32_t &id) const;

  std::string path;
  std::vector<Place> places;
};

/// Decodes all records of a file, as a run does, and keeps none. `see` is given the number of each
/// and its target, if that is a category.
Status checkRecords(const Table &table, const std::string &path,
                    const std::function<void(int64_t record, int32_t target)> &see = {});

} // namespace dlm
