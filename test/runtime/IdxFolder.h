// Small IDX files for tests, written into a temporary folder that goes away at the end.
#pragma once

#include "runtime/base/FileBytes.h"

#include <cstdio>
#include <cstdlib>
#include <dirent.h>
#include <string>
#include <unistd.h>
#include <vector>
#include <zlib.h>

namespace dlm::test {

/// A folder of its own; removed with its files when it goes out of scope.
class TemporaryFolder {
public:
  TemporaryFolder() {
    char name[] = "/tmp/dlm-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~TemporaryFolder() { removeTree(path); }
  TemporaryFolder(const TemporaryFolder &) = delete;

  std::string operator/(const std::string &name) const { return path + "/" + name; }

  std::string path;

private:
  static void removeTree(const std::string &folder) {
    if (DIR *entries = opendir(folder.c_str())) {
      while (const dirent *entry = readdir(entries)) {
        std::string name = entry->d_name;
        if (name == "." || name == "..") continue;
        if (unlink((folder + "/" + name).c_str()) != 0) removeTree(folder + "/" + name);
      }
      closedir(entries);
    }
    rmdir(folder.c_str());
  }
};

/// The bytes of an IDX file of unsigned bytes.
inline std::vector<uint8_t> idxBytes(const std::vector<uint32_t> &shape,
                                     const std::vector<uint8_t> &data) {
  std::vector<uint8_t> bytes = {0, 0, 8, uint8_t(shape.size())};
  for (uint32_t size : shape) {
    for (int shift : {24, 16, 8, 0})
      bytes.push_back(uint8_t(size >> shift));
  }
  bytes.insert(bytes.end(), data.begin(), data.end());
  return bytes;
}

/// Deflated with the frame that zlib gives for `windowBits`.
inline std::vector<uint8_t> deflatedBytes(const std::vector<uint8_t> &plain, int windowBits) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, windowBits, 8, Z_DEFAULT_STRATEGY);
  std::vector<uint8_t> packed(deflateBound(&stream, plain.size()) + 64);
  stream.next_in = const_cast<uint8_t *>(plain.data());
  stream.avail_in = unsigned(plain.size());
  stream.next_out = packed.data();
  stream.avail_out = unsigned(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

inline std::vector<uint8_t> gzipBytes(const std::vector<uint8_t> &plain) {
  return deflatedBytes(plain, MAX_WBITS + 16);
}

inline void writeTestFile(const std::string &path, const std::vector<uint8_t> &bytes) {
  Status status = writeFileBytes(path, bytes);
  DLM_ASSERT(status.isOk(), "a test could not write its file");
}

/// `count` images of side x side and labels below 10: the class shows as a bright row, so a
/// network learns it at once.
inline void writeIdxPair(const TemporaryFolder &folder, const std::string &prefix, uint32_t count,
                         uint32_t side, bool isGzip) {
  std::vector<uint8_t> images(size_t(count) * side * side), labels(count);
  uint32_t state = 12345;
  for (uint32_t i = 0; i < count; ++i) {
    state = state * 1664525u + 1013904223u;
    labels[i] = uint8_t((state >> 16) % 10);
    for (uint32_t p = 0; p < side * side; ++p) {
      state = state * 1664525u + 1013904223u;
      bool isBright = p / side == labels[i] % side;
      images[size_t(i) * side * side + p] = uint8_t((state >> 24) / 4 + (isBright ? 120 : 0));
    }
  }
  auto write = [&](const std::string &name, const std::vector<uint8_t> &bytes) {
    writeTestFile(folder / (prefix + name + (isGzip ? ".gz" : "")),
                  isGzip ? gzipBytes(bytes) : bytes);
  };
  write("-images-idx3-ubyte", idxBytes({count, side, side}, images));
  write("-labels-idx1-ubyte", idxBytes({count}, labels));
}

} // namespace dlm::test
