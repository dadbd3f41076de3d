// Edit distance (Damerau, in the restricted form: no letter is edited twice).
#include "runtime/launch/NearestName.h"

#include <algorithm>

namespace dlm {

int editDistance(const std::string &a, const std::string &b) {
  std::vector<std::vector<int>> best(a.size() + 1, std::vector<int>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i)
    best[i][0] = int(i);
  for (size_t j = 0; j <= b.size(); ++j)
    best[0][j] = int(j);
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      int replaced = best[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      best[i][j] = std::min({best[i - 1][j] + 1, best[i][j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best[i][j] = std::min(best[i][j], best[i - 2][j - 2] + 1);
    }
  }
  return best[a.size()][b.size()];
}

std::vector<std::string> nearestNames(const std::string &word,
                                      const std::vector<std::string> &names) {
  constexpr int DistanceMax = 2;
  constexpr size_t ProposalsMax = 3, PrefixMin = 2;
  std::vector<std::pair<int, std::string>> found;
  for (const std::string &name : names) {
    int distance = editDistance(word, name);
    if (distance <= DistanceMax && distance < int(name.size()))
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
