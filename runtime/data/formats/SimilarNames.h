// Names that differ in capitals and spaces only, and were hardly meant to be two.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace dlm {

/// What is the same for names that look alike: in small letters, with a single space wherever there
/// are some, and none around.
std::string foldedName(std::string_view name);

/// How often a value was seen, and where first.
struct SeenValue {
  int64_t count = 0;
  int64_t line = 0;
};

/// The first two of the values that look alike, with their lines: "\"Oak\" in line 3 and \"oak\" in
/// line 17". Empty if all look different.
std::string firstSimilar(const std::map<std::string, SeenValue, std::less<>> &values);

} // namespace dlm
