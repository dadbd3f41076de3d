// Where the workers must meet.
#pragma once

#include "compiler/transforms/place/Storage.h"

namespace dlm::place {

/// Marks a step `sync` if it conflicts with one that may still run: if it reads what was written,
/// or writes what was read or written, since the last sync. Two ranges of transient objects
/// conflict by the bytes of the arena, so reusing memory is seen as well. Trips of a loop wait for
/// each other anyway, and what follows waits for the last one. Needs offsets.
void markBarriers(ProgramStorage &storage);

} // namespace dlm::place
