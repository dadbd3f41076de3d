// Samples from CSV files. The program's description of the columns (`Table`) decodes the records;
// decoded samples are kept in memory.
#pragma once

#include "runtime/data/PackedDataset.h"
#include "runtime/data/formats/Table.h"

#include <string>
#include <vector>

namespace dlm {

/// Where the fields of sample `index` stand, for a decoder; until the next `grow`.
TableRow rowOf(PackedDataset &dataset, int64_t index);

/// Fields: `number: f32[n]`, `present: bool[n]`, `category: i32[m]` and the target, f32 or i32, or
/// some of them.
Expected<std::unique_ptr<DataSource>> makeTableSource(const DataSpec &spec);

/// The names of the columns of `number`, in their order, of a source with these facts; empty if it
/// is no table.
std::vector<std::string> numberColumns(const DataSpec &spec);

} // namespace dlm
