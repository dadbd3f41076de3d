// A file for `eval --data` that is not as large as the program's own data: its rows are measured as
// they are, all of them as one part.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/data/Dataset.h"

namespace dlm {

struct MeasuredFile {
  /// Its only part is `validation`. Null if the file holds as many samples as the program was
  /// compiled for, so that its parts are cut as the program says, or is of a kind of which no rows
  /// are read.
  std::unique_ptr<DataSource> data;
  DataSpec spec; // as of a program that was compiled for it; else that of the program
};

/// The file at the path of `spec`. Its rows are counted first: what they would take must fit into
/// memory beside the plan. `Interrupted` if `stop` is set.
Expected<MeasuredFile> measuredFile(const DataSpec &spec, const plan::Plan &plan,
                                    const std::atomic<int> &stop);

} // namespace dlm
