// The files that a path stands for, which may be a pattern: `corpus/*.tokens`.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// The file of this name if there is one, else those that the pattern fits, in the order of the
/// bytes of their names. None if nothing fits.
std::vector<std::string> filesOf(const std::string &pattern);

} // namespace dlm
