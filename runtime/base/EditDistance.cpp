// Optimal string alignment (Damerau-Levenshtein restricted to one edit of each place), row by row.
#include "runtime/base/EditDistance.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace dlm {

unsigned editDistance(const std::string &from, const std::string &to, unsigned limit) {
  size_t longer = std::max(from.size(), to.size());
  if (longer - std::min(from.size(), to.size()) > limit) return limit + 1;
  std::vector<unsigned> older(to.size() + 1), previous(to.size() + 1), current(to.size() + 1);
  for (size_t j = 0; j <= to.size(); ++j)
    previous[j] = static_cast<unsigned>(j);
  for (size_t i = 1; i <= from.size(); ++i) {
    current[0] = static_cast<unsigned>(i);
    for (size_t j = 1; j <= to.size(); ++j) {
      unsigned replaced = previous[j - 1] + (from[i - 1] != to[j - 1]);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        current[j] = std::min(current[j], older[j - 2] + 1);
    }
    std::swap(older, previous);
    std::swap(previous, current);
  }
  return std::min(previous[to.size()], limit + 1);
}

} // namespace dlm
