// The state of a run at one step, copied out of the run's own memory so that training goes on while
// it is written. One buffer of a fixed size, made before the first step.
#pragma once

#include "runtime/base/Safetensors.h"
#include "runtime/checkpoint/Manifest.h"
#include "runtime/store/Store.h"

namespace dlm {

/// One entry of the plan's list of state, and where it lies in memory.
struct StateBinding {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  void *data = nullptr;
  uint64_t sizeBytes = 0;
  bool isOfModel = false; // a parameter or a buffer: all that a light checkpoint holds
};

/// Bytes of all entries: what a snapshot holds.
uint64_t stateBytes(const std::vector<StateBinding> &state);

/// The entries that a light checkpoint has.
std::vector<StateBinding> modelOf(const std::vector<StateBinding> &state);

class Snapshot {
public:
  explicit Snapshot(uint64_t capacityBytes) : data(capacityBytes) {}

  /// Copies the entries as a safetensors file and sums it. They must fit.
  Status take(const std::vector<StateBinding> &state, const SafetensorsMetadata &metadata);

  /// The file, as long as nothing else is taken.
  Blob blob(const std::string &key) const;
  /// Its size and sum when it was taken.
  ManifestFile file(const std::string &key) const;

private:
  std::string head;
  std::vector<uint8_t> data;
  uint64_t dataBytes = 0;
  std::string sum;
};

} // namespace dlm
