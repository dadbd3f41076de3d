// The training samples, as the functions of `data.fit` see them: a field of all samples in one
// piece, or a column of a table's numbers.
#pragma once

#include "compiler/fit/FitProgram.h"
#include "runtime/data/Dataset.h"

#include <memory>
#include <optional>

namespace dlm::fit {

class FitData {
public:
  /// Reads the files; `source` is what the program says of them.
  static Expected<FitData> open(const sema::DataSource &source);

  /// Copies each field that a fit reads as a whole to its place.
  Status placeFields(const FitProgram &program);

  /// Gathers the table's numbers column by column, so that `placeColumn` only copies.
  Status gatherColumns();
  /// Of what was gathered: a column without a value; nothing if there is none.
  std::optional<size_t> firstEmptyColumn() const;
  void placeColumn(const FitProgram &program, int64_t column) const;

  /// The hash of what the fits have looked at; empty if it is not kept in memory by a run either.
  Expected<std::string> hash(const std::vector<std::string> &fields) const;

private:
  /// Reads all samples; `put` is given the number of each and its fields.
  template <class Put> Status readAll(const Put &put);

  std::unique_ptr<DataSource> source;
  const Dataset *samples = nullptr;
  std::vector<std::vector<uint8_t>> sample; // the fields of one
  std::vector<float> numbers;
  std::vector<uint8_t> present;
};

/// How a source of the typed program is read.
DataSpec dataSpecOf(const sema::DataSource &source);

} // namespace dlm::fit
