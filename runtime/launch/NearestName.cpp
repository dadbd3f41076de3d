// A flag is also near when the word begins it: `--thr` for `--threads`.
#include "runtime/launch/NearestName.h"

#include "runtime/base/EditDistance.h"

#include <algorithm>

namespace dlm {

std::vector<std::string> nearestNames(const std::string &word,
                                      const std::vector<std::string> &names) {
  constexpr unsigned DistanceMax = 2;
  constexpr size_t ProposalsMax = 3, PrefixMin = 2;
  std::vector<std::pair<unsigned, std::string>> found;
  for (const std::string &name : names) {
    unsigned distance = editDistance(word, name, DistanceMax);
    if (distance <= DistanceMax && distance < name.size())
      found.push_back({distance, name});
    else if (word.size() >= PrefixMin && name.rfind(word, 0) == 0)
      found.push_back({DistanceMax + 1, name});
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> nearest;
  for (size_t i = 0; i < found.size() && i < ProposalsMax && found[i].first == found[0].first; ++i)
    nearest.push_back(found[i].second);
  return nearest;
}

} // namespace dlm
