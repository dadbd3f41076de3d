// Small .npy files and zip archives for tests, byte by byte as NumPy writes them.
#pragma once

#include "test/runtime/IdxFolder.h"

#include <cstring>

namespace dlm::test {

using Bytes = std::vector<uint8_t>;

inline void append(Bytes &bytes, uint64_t value, int count) {
  for (; count > 0; --count, value >>= 8)
    bytes.push_back(uint8_t(value));
}

inline void append(Bytes &bytes, const std::string &text) {
  bytes.insert(bytes.end(), text.begin(), text.end());
}

/// A .npy file with this dictionary, of version 1 or 2.
inline Bytes npyFile(const std::string &dictionary, const Bytes &content, int version = 1) {
  Bytes bytes;
  append(bytes, "\x93NUMPY");
  append(bytes, uint64_t(version), 2);
  append(bytes, dictionary.size() + 1, version == 1 ? 2 : 4);
  append(bytes, dictionary + "\n");
  bytes.insert(bytes.end(), content.begin(), content.end());
  return bytes;
}

/// An array of these elements: `npyArray<float>("<f4", "(2, 3)", {...})`.
template <class T>
Bytes npyArray(const std::string &type, const std::string &shape, const std::vector<T> &values) {
  Bytes content(values.size() * sizeof(T));
  std::memcpy(content.data(), values.data(), content.size());
  return npyFile("{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }",
                 content);
}

struct ZipPart {
  std::string name;
  Bytes content;
  bool isDeflated = false;
  bool isWide = false; // sizes stand in the extension for large archives
};

inline Bytes zipArchive(const std::vector<ZipPart> &parts) {
  Bytes bytes, table;
  for (const ZipPart &part : parts) {
    Bytes packed = part.isDeflated ? deflatedBytes(part.content, -MAX_WBITS) : part.content;
    uint64_t sum = crc32(0, part.content.data(), unsigned(part.content.size()));
    uint64_t offset = bytes.size(), size = part.content.size();
    Bytes common; // of the header in front and of the entry in the table
    append(common, 45, 2);
    append(common, 0, 2);
    append(common, part.isDeflated ? 8 : 0, 2);
    append(common, 0, 4); // time
    append(common, sum, 4);
    append(common, part.isWide ? UINT32_MAX : packed.size(), 4);
    append(common, part.isWide ? UINT32_MAX : size, 4);
    append(common, part.name.size(), 2);
    append(common, part.isWide ? 20 : 0, 2);
    Bytes extra;
    if (part.isWide) {
      append(extra, 1, 2);
      append(extra, 16, 2);
      append(extra, size, 8);
      append(extra, packed.size(), 8);
    }
    append(bytes, 0x04034b50, 4);
    bytes.insert(bytes.end(), common.begin(), common.end());
    append(bytes, part.name);
    bytes.insert(bytes.end(), extra.begin(), extra.end());
    bytes.insert(bytes.end(), packed.begin(), packed.end());
    append(table, 0x02014b50, 4);
    append(table, 45, 2);
    table.insert(table.end(), common.begin(), common.end());
    append(table, 0, 2 + 2 + 2 + 4);
    append(table, offset, 4);
    append(table, part.name);
    table.insert(table.end(), extra.begin(), extra.end());
  }
  uint64_t offset = bytes.size();
  bytes.insert(bytes.end(), table.begin(), table.end());
  append(bytes, 0x06054b50, 4);
  append(bytes, 0, 4);
  append(bytes, parts.size(), 2);
  append(bytes, parts.size(), 2);
  append(bytes, table.size(), 4);
  append(bytes, offset, 4);
  append(bytes, 0, 2);
  return bytes;
}

} // namespace dlm::test
