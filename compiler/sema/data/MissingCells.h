// Numbers of a table whose cells may be missing: each is 0 then, which is a number like any other
// for whoever does not ask `present`.
#pragma once

#include "compiler/sema/TypedProgram.h"

namespace dlm::sema {

class Evaluator;

/// Warns if a graph of a table's samples reads `number` and not `present`, and cells may be
/// missing. `place`: of the graph; invalid: where it reads them is shown.
void warnOfMissing(Evaluator &evaluator, const DataSource &table, const Graph &graph, Span place,
                   const std::string &help);

} // namespace dlm::sema
