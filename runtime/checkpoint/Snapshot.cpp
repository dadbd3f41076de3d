// Copying the state. The sum is taken here, at once: whatever happens to the bytes afterwards is
// noticed when the written file is compared with it.
#include "runtime/checkpoint/Snapshot.h"

#include <cstring>

namespace dlm {

uint64_t stateBytes(const std::vector<StateBinding> &state) {
  uint64_t total = 0;
  for (const StateBinding &entry : state)
    total += entry.sizeBytes;
  return total;
}

std::vector<StateBinding> modelOf(const std::vector<StateBinding> &state) {
  std::vector<StateBinding> parameters;
  for (const StateBinding &entry : state) {
    if (entry.isOfModel) parameters.push_back(entry);
  }
  return parameters;
}

Status Snapshot::take(const std::vector<StateBinding> &state, const SafetensorsMetadata &metadata) {
  std::vector<SafeTensor> tensors;
  for (const StateBinding &entry : state)
    tensors.push_back({entry.name, entry.dtype, entry.shape, nullptr, entry.sizeBytes});
  Expected<SafetensorsLayout> layout = layoutSafetensors(tensors, metadata);
  if (!layout) return layout.status();
  DLM_ASSERT(layout->dataBytes <= data.size(), "a state that is larger than its snapshot");
  head = layout->head;
  dataBytes = 0;
  for (size_t index : layout->order) {
    const StateBinding &entry = state[index];
    if (entry.sizeBytes) std::memcpy(data.data() + dataBytes, entry.data, entry.sizeBytes);
    dataBytes += entry.sizeBytes;
  }
  Xxh3 hash;
  hash.add(head.data(), head.size());
  hash.add(data.data(), dataBytes);
  sum = hash.text();
  return Status::ok();
}

Blob Snapshot::blob(const std::string &key) const {
  return {key, {{head.data(), head.size()}, {data.data(), dataBytes}}};
}

ManifestFile Snapshot::file(const std::string &key) const {
  return {key, head.size() + dataBytes, sum};
}

} // namespace dlm
