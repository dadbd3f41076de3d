#include "runtime/data/formats/SimilarNames.h"

#include "runtime/data/formats/ShownText.h"

#include <algorithm>
#include <vector>

namespace dlm {

std::string foldedName(std::string_view name) {
  std::string folded;
  for (char c : name) {
    bool isSpace = c == ' ' || (c >= '\t' && c <= '\r');
    if (isSpace && (folded.empty() || folded.back() == ' ')) continue;
    folded += isSpace ? ' ' : c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
  }
  if (!folded.empty() && folded.back() == ' ') folded.pop_back();
  return folded;
}

std::string firstSimilar(const std::map<std::string, SeenValue, std::less<>> &values) {
  using Place = std::pair<int64_t, const std::string *>; // the line of a value
  std::map<std::string, std::vector<Place>> alike;
  for (const auto &[value, seen] : values)
    alike[foldedName(value)].push_back({seen.line, &value});
  std::vector<Place> first;
  for (auto &[folded, places] : alike) {
    if (places.size() < 2 || folded.empty()) continue;
    std::sort(places.begin(), places.end());
    if (first.empty() || places[1].first < first[1].first) first = places;
  }
  if (first.empty()) return "";
  auto shown = [](const Place &place) {
    return "\"" + shownText(*place.second) + "\" in line " + std::to_string(place.first);
  };
  return shown(first[0]) + " and " + shown(first[1]);
}

} // namespace dlm
