// Reads files that people write: sources, and descriptions of data.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace dlm {

struct TextFile {
  /// Larger files are refused: no program is that long (this is some 100,000 lines), and a syntax
  /// tree takes several hundred times the memory of its text.
  static constexpr size_t sizeBytesMax = size_t(4) << 20;
  /// The reason for a file that does not exist.
  static constexpr const char *absent = "no such file";
};

/// The whole file; or nothing, and why. Pipes are refused, as to open one could wait for ever.
std::optional<std::string> readTextFile(const std::string &path, std::string &reason);

} // namespace dlm
