// A file for `eval --data` that is not as large as the program's own data: its rows are measured as
// they are, all of them as one part.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// A source whose only part is `validation`, all rows of the path of `spec`. Null if the file holds
/// as many samples as the program was compiled for, so that its parts are cut as the program says,
/// or is of a kind of which no rows are read.
Expected<std::unique_ptr<DataSource>> measuredFile(const DataSpec &spec);

} // namespace dlm
