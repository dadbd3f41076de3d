// Where checkpoints lie: named blobs that are written whole or not at all. Who writes a checkpoint
// knows nothing of files; a store on another machine is another backend.
#pragma once

#include "runtime/base/Xxh3.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

/// Bytes that somebody else owns.
struct BytePiece {
  const void *data = nullptr;
  uint64_t sizeBytes = 0;
};

/// A blob to be written: the pieces one after the other.
struct Blob {
  std::string key;
  std::vector<BytePiece> pieces;

  uint64_t sizeBytes() const {
    uint64_t total = 0;
    for (const BytePiece &piece : pieces)
      total += piece.sizeBytes;
    return total;
  }
};

class Store {
public:
  virtual ~Store() = default;

  /// Makes sure that the store exists and can be written, and that nobody else writes to it as long
  /// as this object lives. Called once, before the run.
  virtual Status prepare() = 0;

  /// Takes back what `prepare` made of the store, if nothing is in it. The store is not used again.
  virtual void forsake() {}

  /// Keys of all blobs, sorted. A store that does not exist yet has none.
  virtual Expected<std::vector<std::string>> list() = 0;

  virtual Expected<std::vector<uint8_t>> read(const std::string &key) = 0;

  /// Size and sum of a blob, without holding it in memory.
  virtual Expected<FileSum> sum(const std::string &key) = 0;

  /// Durable, and in order: after Ok all blobs survive a crash of the machine; whatever happens, a
  /// key holds what it held before or all of its new bytes, and it holds the new ones only if the
  /// keys before it do. So the last one can vouch for the others. After a failure the last one
  /// holds what it held before.
  virtual Status write(const std::vector<Blob> &blobs) = 0;

  virtual Status remove(const std::string &key) = 0;

  /// What a `write` that was cut off has left of its blob `index`, if its bytes are all there and
  /// its key has not got them; `NotFound` if nothing is. To be asked before the next `write`.
  virtual Expected<std::vector<uint8_t>> leftover(size_t index);

  /// Gives what is left of blob `index` to a key that holds nothing.
  virtual Status finish(size_t index, const std::string &key);

  /// Bytes that can still be written; for a warning, not a promise.
  virtual Expected<uint64_t> freeBytes() = 0;

  /// Fails with `NoSpace` if `count` blobs of `sizeBytes` could not be written now, where the store
  /// can tell without writing them. Called after `prepare`.
  virtual Status tryRoom(uint64_t sizeBytes, int64_t count = 1) = 0;

  /// How messages and the user's next command name the blob, e.g. its path. The empty key names
  /// the store itself. May be called from any thread.
  virtual std::string location(const std::string &key) const = 0;
};

} // namespace dlm
