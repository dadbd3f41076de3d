// Where in the list of a callable's parameters a name is.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace dlm::sema {

/// Finds names of a list: by looking along it, and in a long list by a table.
class NamePlaces {
public:
  explicit NamePlaces(const std::vector<std::string> &names) : names(names) {
    constexpr size_t shortList = 16;
    if (names.size() <= shortList) return;
    for (size_t i = 0; i < names.size(); ++i)
      table.emplace(names[i], i); // of names that are equal the first counts
  }

  /// The place of a name, or the number of names.
  size_t find(const std::string &name) const {
    if (table.empty()) return size_t(std::find(names.begin(), names.end(), name) - names.begin());
    auto found = table.find(name);
    return found == table.end() ? names.size() : found->second;
  }

private:
  const std::vector<std::string> &names;
  std::unordered_map<std::string_view, size_t> table;
};

} // namespace dlm::sema
