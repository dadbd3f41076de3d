// What `data.fit` computed of the training samples, as `info` shows it.
#pragma once

#include "runtime/data/Dataset.h"
#include "runtime/launch/TextTable.h"

#include "runtime/abi/Plan_generated.h"

#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

/// One value: of a buffer or a parameter that starts with it.
struct FittedFact {
  std::string path; // `standard.centre`
  std::vector<double> values;
  bool isOfColumns = false; // of `data.fit(source.columns, ...)`, one for each column
};

/// All of a plan, in its order. `columns`: the names of the columns of numbers.
std::vector<FittedFact> fittedFacts(const plan::Plan &plan,
                                    const std::vector<std::string> &columns);

/// A row for each column of the table, and one for each other value; of many the first.
TextTable fittedTable(const std::vector<FittedFact> &facts,
                      const std::vector<std::string> &columns);

/// `[{"path": "standard.centre", "columns": ["area", "rooms"], "values": [1.5, 3]}]`; of many the
/// first.
std::string fittedJson(const std::vector<FittedFact> &facts,
                       const std::vector<std::string> &columns);

} // namespace dlm
