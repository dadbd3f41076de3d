// Samples that are kept in memory, each field packed by itself.
#pragma once

#include "runtime/data/Dataset.h"

namespace dlm {

class PackedDataset : public Dataset {
public:
  explicit PackedDataset(std::vector<FieldSpec> fields);

  int64_t size() const override { return count; }
  const std::vector<FieldSpec> &fields() const override { return specs; }
  Status read(int64_t index, void *const *out) const override;

  /// Takes the memory of so many samples at once: growing alone would take it thrice.
  void reserve(int64_t samples);

  /// Makes place for `samples` more samples, of zeros.
  void grow(int64_t samples);

  /// Where field `field` of sample `index` stands; until the next `grow`.
  uint8_t *place(size_t field, int64_t index);

private:
  std::vector<FieldSpec> specs;
  std::vector<std::vector<uint8_t>> packed; // by field
  int64_t count = 0;
};

} // namespace dlm
