// Samples from a file of JSON lines. The program's description of the keys (`JsonTable`) decodes
// the records; decoded samples are kept in memory.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// Fields: the keys of the description, or some of them.
Expected<std::unique_ptr<DataSource>> makeJsonSource(const DataSpec &spec);

} // namespace dlm
