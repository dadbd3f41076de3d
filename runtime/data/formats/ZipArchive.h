// The table of contents of a zip archive and its entries, stored or deflated, with the extensions
// for archives beyond 4 GiB. Only the table at the end is believed; the sizes in front of an entry
// may be missing.
#pragma once

#include "runtime/data/formats/ByteReader.h"

#include <memory>
#include <vector>

namespace dlm {

struct ZipEntry {
  std::string name;
  uint64_t headerOffset = 0; // of what stands in front of its bytes
  uint64_t packedBytes = 0;
  uint64_t bytes = 0;
  uint32_t checksum = 0;
  bool isDeflated = false;
};

class ZipArchive {
public:
  /// Reads the table of contents. Entries that cannot be read (encrypted, packed in another way,
  /// larger than their bytes can be) are failures here.
  static Expected<ZipArchive> open(const std::string &path);

  const std::string &path() const { return archivePath; }
  const std::vector<ZipEntry> &entries() const { return list; }

  /// A reader of one entry, with a place in the file of its own.
  Expected<std::unique_ptr<ByteReader>> read(const ZipEntry &entry) const;

private:
  std::string archivePath;
  std::vector<ZipEntry> list;
};

} // namespace dlm
