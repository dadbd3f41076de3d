// The file formats that the data fuzzer knows: whole files to start from, and what reads them.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace dlm::fuzz {

using Bytes = std::vector<uint8_t>;

struct Format {
  const char *name;
  const char *fileName; // its ending matters to some readers
  std::vector<Bytes> seeds;
  /// Reads the file as the compiler and a run do; a failure has to name it.
  std::function<Status(const std::string &path)> read;
  /// Puts changed bytes into the form that gets past checksums and compression; may be empty.
  std::function<Bytes(const Bytes &changed)> wrap;
};

const std::vector<Format> &formats();

} // namespace dlm::fuzz
