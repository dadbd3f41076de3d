// Predictions as a file: a table (CSV), JSON lines, or an array as NumPy reads it. Rows come in
// batches; nothing is kept.
#pragma once

#include "runtime/launch/Session.h"

#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

enum class PredictionForm { Csv, Json, Npy };

/// A column of the result, or several, for a tensor with further axes.
struct PredictionColumn {
  CommandValue value;
  std::vector<std::string> names;        // of ids, where these are written in the place of numbers
  std::vector<std::string> classes = {}; // that the elements of its last axis are of; or empty
};

class PredictionText {
public:
  /// `files` are the names of the samples, where each is a file of its own; they are written, too.
  PredictionText(std::FILE *out, PredictionForm form, std::vector<PredictionColumn> columns,
                 std::vector<std::string> files)
      : out(out), form(form), columns(std::move(columns)), files(std::move(files)) {}

  /// What stands in front of `rows` rows.
  void begin(int64_t rows);
  /// The first `rows` of a batch.
  void add(int64_t rows);

  /// A sentence on the rows so far that hold infinite values or NaN; empty if there are none.
  std::string oddRows() const;

private:
  void lookAtRow(int64_t row);
  void addCsvRow(int64_t row);
  void addJsonRow(int64_t row);
  std::string elementOf(const PredictionColumn &column, int64_t index, bool isJson) const;
  std::string listOf(const PredictionColumn &column, size_t axis, int64_t &index) const;

  std::FILE *out;
  PredictionForm form;
  std::vector<PredictionColumn> columns;
  std::vector<std::string> files;
  int64_t done = 0;
  int64_t oddCount = 0;
  std::string firstOdd; // "row 5, where `price` is nan"
};

} // namespace dlm
