// Whole files to and from memory.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace dlm {

/// The bytes of the file at `path`, at most the first `limit`.
Expected<std::vector<uint8_t>> readFileBytes(const std::string &path, uint64_t limit = UINT64_MAX);

/// Opens a file to write, as `fopen` does, but does not wait for the reader of a pipe: without one
/// it fails, as "cannot VERB `path`".
Expected<std::FILE *> openToWrite(const std::string &path, const std::string &verb);

/// Creates or replaces the file at `path`. Not atomic: checkpoints go through a Store.
Status writeFileBytes(const std::string &path, const std::vector<uint8_t> &bytes);

} // namespace dlm
