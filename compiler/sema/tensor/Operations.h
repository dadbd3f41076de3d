// The names of all operations of a graph.
#pragma once

#include <set>
#include <string>

namespace dlm::sema {

/// What a node's `op` may be; see TypedGraph.h for what each is. Lowering knows each name, or
/// reports it (test/lower goes through the list).
const std::set<std::string> &operationNames();

} // namespace dlm::sema
