// See Program.h.
#include "compiler/sema/Program.h"

#include <algorithm>
#include <numeric>

namespace dlm::sema {

uint32_t Program::layerIndex(const std::string &path) {
  auto [found, isNew] = layerIndexes.emplace(path, uint32_t(layers.size()));
  if (isNew) layers.push_back(path);
  return found->second;
}

void Program::forgetInstances() {
  parameters.clear();
  buffers.clear();
  markers.clear();
  paths.clear();
}

std::string Program::uniquePath(const std::string &path) {
  std::string result = path;
  int &number = pathCounts[path];
  while (!paths.insert(result).second)
    result = path + "." + std::to_string(++number);
  return result;
}

void Program::declareSymbol(const std::string &name, int64_t lower, int64_t upper, Span place,
                            const std::string &what) {
  Symbol &symbol = symbols[name];
  symbol.lower = lower;
  symbol.upper = upper;
  symbol.declared = place;
  if (!what.empty()) symbol.what = what;
}

void Program::requireBatchMultiple(int64_t divisor, Span place) {
  int64_t multiple = batchMultiple / std::gcd(batchMultiple, divisor);
  constexpr int64_t multipleMax = int64_t(1) << 31; // as for `batch`; no batch fits a larger one
  multiple = multiple > multipleMax / divisor ? multipleMax : multiple * divisor;
  if (multiple != batchMultiple) batchMultiplePlace = place;
  batchMultiple = multiple;
}

} // namespace dlm::sema
