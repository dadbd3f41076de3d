// Offsets within an arena.
#pragma once

#include "compiler/transforms/place/Storage.h"

namespace dlm::place {

/// Every buffer begins at a multiple of this.
constexpr int64_t BufferAlignment = 64;

/// Places the transient objects of one program: largest first, each at the lowest offset that is
/// free during its whole life. Returns the bytes needed.
int64_t layoutTransient(std::vector<Object> &objects);

/// Places buffers that live for ever one after the other. Large ones begin at different places
/// within a 4 KiB page, so that sweeps over several of them do not hit the same cache sets. `end`
/// is the first free byte and moves on.
int64_t placePermanent(int64_t sizeBytes, unsigned number, int64_t &end);

} // namespace dlm::place
