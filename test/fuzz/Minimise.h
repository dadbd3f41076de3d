// A smaller input with the same failure.
#pragma once

#include "test/fuzz/Worker.h"

namespace dlm::fuzz {

/// What failures of one cause have in common: the text without numbers and quoted parts.
std::string signatureOf(const std::string &failure);

/// Removes lines, then tokens, as long as the failure stays, for at most `seconds`.
Input minimised(Worker &worker, Input input, const std::string &failure, double seconds);

} // namespace dlm::fuzz
