// Where checkpoints lie: named blobs that are written whole or not at all. Who writes a checkpoint
// knows nothing of files; a store on another machine is another backend.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

class Store {
public:
  virtual ~Store() = default;

  /// Makes sure that the store exists and can be written, and that nobody else writes to it as long
  /// as this object lives. Called once, before the run.
  virtual Status prepare() = 0;

  /// Keys of all blobs, sorted. A store that does not exist yet has none.
  virtual Expected<std::vector<std::string>> list() = 0;

  virtual Expected<std::vector<uint8_t>> read(const std::string &key) = 0;

  /// Atomic and durable: after Ok the blob survives a crash; after a failure the key holds what it
  /// held before.
  virtual Status write(const std::string &key, const std::vector<uint8_t> &bytes) = 0;

  virtual Status remove(const std::string &key) = 0;

  /// Bytes that can still be written; for a warning, not a promise.
  virtual Expected<uint64_t> freeBytes() = 0;

  /// How messages and the user's next command name the blob, e.g. its path. The empty key names
  /// the store itself.
  virtual std::string location(const std::string &key) const = 0;
};

} // namespace dlm
