// `dlmc fmt`.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// Runs `dlmc fmt` with the words behind it; returns the exit status.
int runFormat(const std::vector<std::string> &words);

} // namespace dlm
