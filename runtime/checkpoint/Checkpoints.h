// The checkpoints of a run: a list of state to and from one safetensors file in a Store, named
// `step-00001234.safetensors`. The file says which run it belongs to and carries a checksum over
// all of it, so a damaged file is noticed and the one before it is used.
#pragma once

#include "runtime/base/DType.h"
#include "runtime/store/Store.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace dlm {

/// One entry of the plan's list of state, and where it lies in memory.
struct StateBinding {
  std::string name;
  DType dtype = DType::F32;
  std::vector<int64_t> shape;
  void *data = nullptr;
  uint64_t sizeBytes = 0;
};

/// What a checkpoint says about its run.
struct CheckpointInfo {
  std::string program;    // name of the train block
  std::string sourceHash; // of the program, hexadecimal
  int64_t step = 0;
  int64_t attempt = 0;
  int64_t steps = 0; // the duration of the run; 0 if it is given in time
  uint64_t seed = 0;
  int64_t batch = 0;
  int64_t micro = 0;
  std::map<std::string, double> options; // run-time options
};

class Checkpoints {
public:
  /// `keep` >= 1 checkpoints stay in the store.
  Checkpoints(Store &store, int64_t keep);

  /// Writes the state; on success removes the oldest beyond `keep` of those that this run wrote or
  /// adopted, and no others. What could not be removed is added to `notes`.
  Status save(const CheckpointInfo &info, const std::vector<StateBinding> &state,
              std::vector<std::string> &notes);

  /// Keys of all files named as checkpoints, newest first, valid or not.
  Expected<std::vector<std::string>> keys();

  struct Loaded {
    std::string key;
    CheckpointInfo info;
    std::vector<uint8_t> bytes; // the file; see `restore`
  };

  /// Reads the newest checkpoint that is whole. One that is damaged is passed over with a sentence
  /// in `notes`; `NotFound` if there is none.
  Expected<Loaded> latest(std::vector<std::string> &notes);

  /// Reads one checkpoint.
  Expected<Loaded> read(const std::string &key);

  /// Copies the state of a loaded checkpoint to where `state` points. Names, types and shapes must
  /// agree one to one; otherwise nothing is copied.
  static Status restore(const Loaded &loaded, const std::vector<StateBinding> &state);

  /// Lets `save` count `from`, from which the run goes on, and the older checkpoints of the same
  /// run as its own, so that they are removed when their time has come.
  Status adopt(const Loaded &from);

  Store &store() { return target; }

  /// The key of the last successful save, or empty.
  const std::string &lastSaved() const { return last; }

  static std::string keyOf(int64_t step);
  /// The step in a key, or -1 if it is not named as a checkpoint.
  static int64_t stepOf(const std::string &key);

private:
  Store &target;
  int64_t keep;
  std::vector<std::string> own; // oldest first
  std::string last;
};

} // namespace dlm
