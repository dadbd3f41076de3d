// Samples from CSV files. The program's description of the columns (`Table`) decodes the records;
// decoded samples are kept in memory.
#pragma once

#include "runtime/data/PackedDataset.h"
#include "runtime/data/formats/Table.h"

namespace dlm {

/// Where the fields of sample `index` stand, for a decoder; until the next `grow`.
TableRow rowOf(PackedDataset &dataset, int64_t index);

/// Fields: `number: f32[n]`, `present: bool[n]`, `category: i32[m]` and the target, f32 or i32, or
/// some of them.
Expected<std::unique_ptr<DataSource>> makeTableSource(const DataSpec &spec);

} // namespace dlm
