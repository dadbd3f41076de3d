// What the fuzzer writes that no program would: extreme numbers, strange texts.
#pragma once

#include "test/fuzz/Random.h"

#include <string>

namespace dlm::fuzz {

/// A number, often at the edge of what can be represented or is sensible.
std::string extremeNumber(Random &random);

/// A string literal with strange contents, some of it not UTF-8.
std::string extremeString(Random &random);

/// Bytes that are no token.
std::string rawBytes(Random &random);

} // namespace dlm::fuzz
