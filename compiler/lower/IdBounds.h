// Which ids of the data a program can take: those that pick rows of a table that it computes with,
// and those of the classes of a loss. A run compares each sample with them, since an id of nothing
// gives a number that is none, and says so far from where it came in.
#pragma once

#include "compiler/sema/TypedProgram.h"
#include "compiler/source/SourceManager.h"

#include <optional>

namespace dlm::lower {

/// `field` holds ids from 0 to below `below`, or `ignored`, in the part of a sample's field that
/// begins at `begin` and has the sizes `size` (empty: all of it).
struct IdBound {
  std::string field;
  std::vector<int64_t> begin, size;
  int64_t below = 0;
  std::optional<int64_t> ignored;
  std::string what; // "the table of 10 rows at prices.dlm:12"
};

/// The bounds of fields of the batch, from the program's loss, metrics and predictions. Ids that a
/// mask leaves out may be anything, so there is none of these; nor of ids that are computed, nor
/// of those that are compared when the files are read.
std::vector<IdBound> idBoundsOf(const sema::TypedProgram &program, const SourceManager &sources);

} // namespace dlm::lower
