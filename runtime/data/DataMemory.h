// How much memory the samples of a run take, known before they are read.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

/// Bytes that the samples are kept in, in the whole run. Counts are those the program was compiled
/// for. Whether a file is packed, so that its content has to be kept, is looked up; one that is not
/// there counts as packed.
uint64_t dataBytes(const DataSpec &spec);

/// What to do so that such data takes less.
std::string adviceOnDataMemory(const std::string &kind);

} // namespace dlm
