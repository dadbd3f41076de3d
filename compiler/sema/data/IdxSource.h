// What a directory of IDX files (the format of MNIST) holds: read from the headers when a program
// is compiled, so that shapes and counts are known to the checker.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <optional>
#include <string>

namespace dlm::sema {

/// Reads the headers of `train-images-idx3-ubyte`, `train-labels-idx1-ubyte` and the `t10k-` twins
/// (each may be gzipped, with `.gz` behind its name) and all labels. On failure returns nothing and
/// says in `reason` which file has what; `isMissing` if it is that one is not there.
std::optional<DataSource> probeIdx(const std::string &directory, std::string &reason,
                                   bool &isMissing);

} // namespace dlm::sema
