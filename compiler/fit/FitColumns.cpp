#include "compiler/fit/FitColumns.h"

#include "compiler/sema/tensor/GraphWalk.h"

#include <algorithm>

namespace dlm::fit {

std::string numberColumn(const sema::DataSource &data, size_t index) {
  for (const sema::Column &column : data.columns)
    if (!column.isCategory && index-- == 0) return column.name;
  return "";
}

bool readsNumbers(const Fit &fit, const sema::DataSource &data) {
  if (fit.columns == 0 && data.columns.empty()) return false;
  return sema::findNode(*fit.graph, [](const sema::Node &node) {
    return node.op == "input" && node.text == "number";
  });
}

std::string columnOf(const Fit &fit, const sema::DataSource &data, size_t element, size_t count) {
  if (fit.columns > 0) return numberColumn(data, element / (count / size_t(fit.columns)));
  // `mean(all.number, over = 0)` has an element for each of them.
  auto numbers = std::count_if(data.columns.begin(), data.columns.end(),
                               [](const sema::Column &column) { return !column.isCategory; });
  bool isForEach = readsNumbers(fit, data) && fit.type.dims.size() == 1 && count == size_t(numbers);
  return isForEach ? numberColumn(data, element) : "";
}

} // namespace dlm::fit
