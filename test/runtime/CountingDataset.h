// Samples whose content says which they are.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm::test {

/// Sample i holds i * `factor`; reading sample `broken` fails.
class CountingDataset : public Dataset {
public:
  explicit CountingDataset(int64_t count, int64_t broken = -1, int64_t factor = 1)
      : count(count), broken(broken), factor(factor) {}
  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }
  Status read(int64_t index, void *const *out) const override {
    if (index == broken) return corrupt("sample " + std::to_string(index) + " is broken");
    *static_cast<int64_t *>(out[0]) = index * factor;
    return Status::ok();
  }

private:
  int64_t count, broken, factor;
  std::vector<FieldSpec> specs = {{"number", DType::I64, {}}};
};

} // namespace dlm::test
