// A folder with a data set of six training and four test images of 2 x 3 bytes and three classes;
// it is the current folder as long as this object lives.
#pragma once

#include "runtime/base/Safetensors.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace dlm::sema {

class TinyData {
public:
  TinyData() : before(std::filesystem::current_path()) {
    std::string pattern = (std::filesystem::temp_directory_path() / "dlm-sema-XXXXXX").string();
    root = mkdtemp(pattern.data());
    std::filesystem::create_directory(root / "tiny");
    write("train-images-idx3-ubyte", {6, 2, 3});
    write("train-labels-idx1-ubyte", {6});
    write("t10k-images-idx3-ubyte", {4, 2, 3});
    write("t10k-labels-idx1-ubyte", {4});
    writeWeights("old.safetensors");
    std::filesystem::current_path(root);
  }
  TinyData(const TinyData &) = delete;
  TinyData &operator=(const TinyData &) = delete;
  ~TinyData() {
    std::filesystem::current_path(before);
    std::filesystem::remove_all(root);
  }

  std::string folder() const { return root.string(); }

  /// Writes a file with `w`, of 6 x 6 zeros, and `b`, of 6.
  void writeWeights(const std::string &name) {
    std::vector<uint8_t> zeros(36 * sizeof(float));
    (void)writeSafetensorsFile((root / name).string(),
                               {{"w", dlm::DType::F32, {6, 6}, zeros.data(), 36 * sizeof(float)},
                                {"b", dlm::DType::F32, {6}, zeros.data(), 6 * sizeof(float)}});
  }

  /// Writes a file of the folder beside the data.
  void writeText(const std::string &name, const std::string &text) {
    std::ofstream(root / name) << text;
  }

  /// Writes an IDX file of bytes 0, 1, 2, 0, 1, 2, ...
  void write(const std::string &name, const std::vector<int> &sizes) {
    std::ofstream out(root / "tiny" / name, std::ios::binary);
    out << std::string("\0\0\x08", 3) << char(sizes.size());
    int count = 1;
    for (int size : sizes) {
      out << std::string("\0\0\0", 3) << char(size);
      count *= size;
    }
    for (int i = 0; i < count; ++i)
      out << char(i % 3);
  }

private:
  std::filesystem::path before, root;
};

} // namespace dlm::sema
