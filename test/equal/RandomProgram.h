// Tensor programs made by chance, to find what nobody thought of. A seed gives always the same
// text.
#pragma once

#include <cstdint>
#include <string>

namespace dlm::test {

/// A module with one pinned function @f of about `opCount` ops over named buffers, some of which
/// are read and written. Values stay moderate: no op gives NaN or infinity.
std::string randomProgram(uint32_t seed, unsigned opCount);

} // namespace dlm::test
