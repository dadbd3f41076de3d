// A file of which a run reads parts again and again, at any place and from several threads. It is
// read by `pread` and not mapped: when somebody cuts off a mapped file, a signal ends the process,
// and here it is a failure like any other.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <memory>
#include <string>

namespace dlm {

class SeekableFile {
public:
  static Expected<SeekableFile> open(const std::string &path);

  SeekableFile(SeekableFile &&) noexcept;
  SeekableFile &operator=(SeekableFile &&) noexcept;
  ~SeekableFile();

  uint64_t sizeBytes() const;
  const std::string &path() const;

  /// Reads the bytes [place, place + sizeBytes). Where the file has become shorter, or another one
  /// is there, the failure says so.
  Status read(uint64_t place, void *out, size_t sizeBytes) const;

private:
  struct State;
  explicit SeekableFile(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace dlm
