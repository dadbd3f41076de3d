// One IDX file of bytes, as the checker reads it: its header, and whether as many bytes follow as
// the header says. Files may be gzipped.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

struct gzFile_s;

namespace dlm::sema {

class IdxFile {
public:
  /// Opens `name`, or `name.gz`, of the directory and reads its header. False with a reason if it
  /// is not there (then `isMissing`), or is not a whole file of so many dimensions.
  bool open(const std::filesystem::path &directory, const std::string &name, int rank,
            std::string &reason);

  /// Reads the content and gives its largest byte; -1 with a reason if the file is damaged.
  int largest(std::string &reason);

  bool isMissing = false;
  std::vector<int64_t> sizes;

private:
  bool readHeader(int rank, std::string &reason);
  bool checkLength(std::string &reason);
  std::string nameText() const { return "`" + path.filename().string() + "`"; }
  std::string contentText() const;
  bool isDamaged() const;
  std::string damagedText() const;
  /// What is wrong with the compressed data after so many bytes of content; empty if nothing is.
  std::string brokenText(int64_t inflated) const;
  int64_t headerBytes() const { return 4 + 4 * int64_t(sizes.size()); }

  struct Closer {
    void operator()(gzFile_s *file) const;
  };
  std::filesystem::path path;
  std::unique_ptr<gzFile_s, Closer> file;
  int64_t contentBytes = 1; // behind the header, as it says
};

} // namespace dlm::sema
