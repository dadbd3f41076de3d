// Which fields of a source hold the ids that its `classes` and `vocab` count, and which of them a
// tensor is.
#pragma once

#include "compiler/sema/TypedProgram.h"

namespace dlm::sema {

/// Says at the fields of a source how many ids they have. `vocab` counts those of the fields `ids`
/// and `next`, `classes` those of `label`, `mask` and `target`; where a source has no field of
/// these names, all of its other fields of integers.
void countIds(DataSource &source);

/// The field of counted ids that a tensor is, perhaps a part of it, in another order, shape or
/// integer type; null if it is none.
const Field *idsBehind(const Graph &graph, NodeId id, const DataSource &source);

/// The columns of a table whose ids a node holds: all categories, or those that a slice of the
/// field takes; none where that is not known.
std::vector<const Column *> columnsBehind(const Graph &graph, NodeId id, const DataSource &table);

} // namespace dlm::sema
