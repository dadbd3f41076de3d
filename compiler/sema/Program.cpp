// See Program.h.
#include "compiler/sema/Program.h"

#include <algorithm>

namespace dlm::sema {

uint32_t Program::layerIndex(const std::string &path) {
  auto found = std::find(layers.begin(), layers.end(), path);
  if (found == layers.end()) found = layers.insert(layers.end(), path);
  return uint32_t(found - layers.begin());
}

std::string Program::uniquePath(const std::string &path) {
  std::string result = path;
  for (int number = 1; !paths.insert(result).second; ++number)
    result = path + "." + std::to_string(number);
  return result;
}

} // namespace dlm::sema
