// Changes to the bytes of a file: it ends early, some of it is other, doubled, gone, or extreme.
#pragma once

#include "test/fuzz/Random.h"
#include "test/fuzz/data/Formats.h"

namespace dlm::fuzz {

Bytes changeBytes(const Bytes &seed, const Bytes &other, Random &random);

} // namespace dlm::fuzz
