// "There is a flag named ...": the names that somebody may have meant.
#pragma once

#include <string>
#include <vector>

namespace dlm {

/// The names nearest to `word`, at most three: within two edits, or those that begin with it.
std::vector<std::string> nearestNames(const std::string &word,
                                      const std::vector<std::string> &names);

} // namespace dlm
