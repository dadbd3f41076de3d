#include "runtime/data/PackedDataset.h"

#include <cstring>

namespace dlm {

PackedDataset::PackedDataset(std::vector<FieldSpec> fields) : specs(std::move(fields)) {
  packed.resize(specs.size());
}

Status PackedDataset::read(int64_t index, void *const *out) const {
  DLM_ASSERT(index >= 0 && index < count, "a sample outside its split");
  for (size_t i = 0; i < specs.size(); ++i) {
    size_t size = size_t(specs[i].sizeBytes());
    std::memcpy(out[i], packed[i].data() + size_t(index) * size, size);
  }
  return Status::ok();
}

void PackedDataset::reserve(int64_t samples) {
  for (size_t i = 0; i < specs.size(); ++i)
    packed[i].reserve(size_t(samples) * size_t(specs[i].sizeBytes()));
}

void PackedDataset::grow(int64_t samples) {
  count += samples;
  for (size_t i = 0; i < specs.size(); ++i)
    packed[i].resize(size_t(count) * size_t(specs[i].sizeBytes()));
}

uint8_t *PackedDataset::place(size_t field, int64_t index) {
  return packed[field].data() + size_t(index) * size_t(specs[field].sizeBytes());
}

} // namespace dlm
