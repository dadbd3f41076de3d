// An IDX file is a magic number 0x0000TTRR (type of element, rank), the sizes as 32-bit big-endian
// numbers, and the elements. zlib reads plain files and gzipped ones alike. A file of images is
// not inflated as long as the length that stands at its end agrees with its header.
#include "compiler/sema/data/IdxFile.h"

#include <zlib.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace dlm::sema {

namespace {

namespace fs = std::filesystem;

constexpr size_t pieceBytes = 1 << 16;

uint32_t bigEndian(const unsigned char *bytes) {
  return uint32_t(bytes[0]) << 24 | uint32_t(bytes[1]) << 16 | uint32_t(bytes[2]) << 8 | bytes[3];
}

std::string dimensions(int count) {
  return std::to_string(count) + " dimension" + (count == 1 ? "" : "s");
}

/// What the last four bytes of a gzip file give as the length of its content, modulo 2 ** 32.
uint32_t lengthAtEnd(const fs::path &path) {
  std::ifstream stream(path, std::ios::binary);
  unsigned char bytes[4] = {};
  stream.seekg(-4, std::ios::end);
  stream.read(reinterpret_cast<char *>(bytes), 4);
  std::reverse(bytes, bytes + 4);
  return bigEndian(bytes);
}

} // namespace

void IdxFile::Closer::operator()(gzFile_s *file) const { gzclose(file); }

bool IdxFile::open(const fs::path &directory, const std::string &name, int rank,
                   std::string &reason) {
  reason.clear();
  path = directory / name;
  std::error_code error;
  if (!fs::exists(path, error)) path += ".gz";
  isMissing = !fs::exists(path, error);
  if (isMissing) {
    reason = "there is no file `" + name + "` (or `" + name + ".gz`)";
    return false;
  }
  if (fs::is_regular_file(path, error)) file.reset(gzopen(path.c_str(), "rb"));
  if (!file) {
    reason = nameText() + " cannot be opened";
    return false;
  }
  return readHeader(rank, reason) && checkLength(reason);
}

bool IdxFile::readHeader(int rank, std::string &reason) {
  std::vector<unsigned char> bytes(4 + 4 * size_t(rank));
  int got = std::max(0, gzread(file.get(), bytes.data(), unsigned(bytes.size())));
  char seen[16];
  std::snprintf(seen, sizeof seen, "%02x %02x %02x %02x", bytes[0], bytes[1], bytes[2], bytes[3]);
  if (got >= 4 && (bytes[0] != 0 || bytes[1] != 0))
    reason = nameText() + " is no IDX file: it begins with the bytes " + seen +
             ", and such a file begins with 00 00";
  else if (got >= 4 && bytes[2] != 8)
    reason = nameText() + " holds elements of the type " + std::string(seen + 6, 2) +
             ", and only bytes, 08, can be read";
  else if (got >= 4 && bytes[3] != rank)
    reason = nameText() + " has " + dimensions(bytes[3]) + ", and a file of " +
             (rank == 1 ? "labels" : "images") + " has " + std::to_string(rank);
  else if (size_t(got) < bytes.size())
    reason = isDamaged()
                 ? damagedText()
                 : nameText() + " is cut short: its header has " + std::to_string(bytes.size()) +
                       " bytes, and it ends after " + std::to_string(got);
  for (int i = 0; reason.empty() && i < rank; ++i) {
    sizes.push_back(bigEndian(&bytes[4 + 4 * size_t(i)]));
    if (__builtin_mul_overflow(contentBytes, sizes.back(), &contentBytes))
      reason = nameText() + " cannot be as large as the sizes in its header say";
  }
  if (reason.empty() && contentBytes == 0)
    reason = nameText() + " holds nothing: one of its sizes is 0";
  return reason.empty();
}

std::string IdxFile::contentText() const {
  if (sizes.size() == 1) return std::to_string(sizes[0]) + " labels";
  return std::to_string(sizes[0]) + " images of " + std::to_string(sizes[1]) + " x " +
         std::to_string(sizes[2]) + ", " + std::to_string(contentBytes) + " bytes";
}

/// Whether zlib has found something wrong that is more than an early end.
bool IdxFile::isDamaged() const {
  int code = Z_OK;
  gzerror(file.get(), &code);
  return code != Z_OK && code != Z_BUF_ERROR;
}

std::string IdxFile::damagedText() const {
  return nameText() + " is damaged: its compressed data or the checksum behind it is wrong";
}

std::string IdxFile::brokenText(int64_t inflated) const {
  if (isDamaged()) return damagedText();
  int code = Z_OK;
  gzerror(file.get(), &code);
  if (code == Z_OK) return "";
  return nameText() + " is cut short: " +
         (inflated == contentBytes
              ? "the checksum behind its compressed data is missing"
              : "its header says " + contentText() + ", and its compressed data ends after " +
                    std::to_string(inflated));
}

/// Of a gzip file whose last bytes do not agree with its header, all is read: it may have several
/// parts, and if it is broken the reason is better known.
bool IdxFile::checkLength(std::string &reason) {
  int64_t found = 0;
  if (gzdirect(file.get())) {
    std::error_code error;
    found = int64_t(fs::file_size(path, error)) - headerBytes();
  } else if (lengthAtEnd(path) == uint32_t(headerBytes() + contentBytes)) {
    return true;
  } else {
    std::vector<unsigned char> bytes(pieceBytes);
    for (int got = 1; got > 0 && found <= contentBytes; found += std::max(0, got))
      got = gzread(file.get(), bytes.data(), unsigned(bytes.size()));
    if (found <= contentBytes) reason = brokenText(found);
    gzseek(file.get(), long(headerBytes()), SEEK_SET);
  }
  if (!reason.empty() || found == contentBytes) return reason.empty();
  reason = nameText() + (found < contentBytes ? " is cut short" : " is too long") +
           ": its header says " + contentText() + ", and " +
           (gzdirect(file.get()) || found < contentBytes ? std::to_string(found) : "more") +
           " follow it";
  return false;
}

int IdxFile::largest(std::string &reason) {
  std::vector<unsigned char> bytes(pieceBytes);
  int result = 0;
  int64_t done = 0;
  // The last call, behind the content, has zlib compare the checksum.
  for (int got = 1; got > 0; done += std::max(0, got)) {
    got = gzread(file.get(), bytes.data(), unsigned(bytes.size()));
    if (got > 0) result = std::max(result, int(*std::max_element(&bytes[0], &bytes[0] + got)));
  }
  reason = brokenText(done);
  if (reason.empty() && done != contentBytes) reason = nameText() + " changes while it is read";
  return reason.empty() ? result : -1;
}

} // namespace dlm::sema
