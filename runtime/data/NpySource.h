// Samples from arrays as NumPy saves them. They are read once and kept in memory.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// Fields: the arrays by their names, or some of them, of the types that formats/NpyHeader.h gives.
Expected<std::unique_ptr<DataSource>> makeNpySource(const DataSpec &spec);

} // namespace dlm
