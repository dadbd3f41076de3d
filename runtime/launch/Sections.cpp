// A reader of ELF section headers, for 64-bit little-endian files: those this runtime is built as.
#include "runtime/launch/Sections.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <map>
#include <sstream>
#include <unistd.h>
#include <zlib.h>

namespace dlm {

namespace {

class ElfFile {
public:
  explicit ElfFile(const std::string &path) : path(path) {}
  ~ElfFile() {
    if (descriptor >= 0) ::close(descriptor);
  }

  Status open() {
    descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) return systemError("cannot open `" + path + "`", errno);
    off_t end = lseek(descriptor, 0, SEEK_END);
    if (end < 0) return systemError("cannot read `" + path + "`", errno);
    fileBytes = uint64_t(end);
    return Status::ok();
  }

  /// The bytes [offset, offset + size); a range outside the file is `Corrupt`.
  Status read(uint64_t offset, uint64_t size, void *out) const {
    if (offset > fileBytes || size > fileBytes - offset)
      return corrupt("`" + path + "` is cut off or damaged: bytes " + std::to_string(offset) +
                     " to " + std::to_string(offset + size) + " of " + std::to_string(fileBytes));
    char *to = static_cast<char *>(out);
    while (size > 0) {
      ssize_t got = pread(descriptor, to, size, off_t(offset));
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) return systemError("cannot read `" + path + "`", got < 0 ? errno : EIO);
      to += got;
      offset += uint64_t(got);
      size -= uint64_t(got);
    }
    return Status::ok();
  }

  Status readAll(const Elf64_Shdr &section, std::vector<uint8_t> &bytes) const {
    if (section.sh_type == SHT_NOBITS || section.sh_size > fileBytes)
      return corrupt("`" + path + "`: a section has no bytes in the file");
    bytes.resize(section.sh_size);
    return read(section.sh_offset, section.sh_size, bytes.data());
  }

private:
  const std::string &path;
  int descriptor = -1;
  uint64_t fileBytes = 0;
};

/// Where the bytes of a section go; null if it is none of ours.
std::vector<uint8_t> *placeOf(const std::string &name, ProgramSections &found,
                              std::vector<uint8_t> &sums) {
  if (name == PlanSection) return &found.plan;
  if (name == KernelsSection) return &found.kernels;
  if (name == SumsSection) return &sums;
  const std::string prefix = DeviceSectionPrefix;
  if (name.compare(0, prefix.size(), prefix) != 0) return nullptr;
  found.images.push_back({name.substr(prefix.size()), {}});
  return &found.images.back().bytes;
}

/// `lines` names every section of `actual` with its sum, and no other.
Status compareSums(const std::string &path, const std::string &lines,
                   std::map<std::string, uint32_t> actual) {
  auto damaged = [&](const std::string &name, const char *what) {
    return corrupt("`" + path + "` is damaged: its section `" + name + "` " + what +
                   "; compile the program again");
  };
  std::istringstream stream(lines);
  std::string name, sum;
  while (stream >> name >> sum) {
    auto found = actual.find(name);
    if (found == actual.end()) return damaged(name, "is missing");
    char text[16];
    std::snprintf(text, sizeof text, "%08x", found->second);
    if (sum != text) return damaged(name, "has changed since it was made");
    actual.erase(found);
  }
  return actual.empty() ? Status::ok() : damaged(actual.begin()->first, "has no sum");
}

} // namespace

Expected<ProgramSections> readProgramSections(const std::string &path) {
  ElfFile file(path);
  DLM_TRY(file.open());
  Elf64_Ehdr header;
  DLM_TRY(file.read(0, sizeof header, &header));
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_shentsize != sizeof(Elf64_Shdr))
    return corrupt("`" + path + "` is not a 64-bit ELF file with section headers");
  std::vector<Elf64_Shdr> sections(header.e_shnum);
  DLM_TRY(file.read(header.e_shoff, sections.size() * sizeof(Elf64_Shdr), sections.data()));
  ProgramSections found;
  if (header.e_shstrndx >= sections.size()) return found;
  std::vector<uint8_t> names, sums;
  DLM_TRY(file.readAll(sections[header.e_shstrndx], names));
  names.push_back(0);
  std::map<std::string, uint32_t> actual;
  for (const Elf64_Shdr &section : sections) {
    if (section.sh_name >= names.size()) continue;
    const char *name = reinterpret_cast<const char *>(names.data()) + section.sh_name;
    std::vector<uint8_t> *bytes = placeOf(name, found, sums);
    if (!bytes) continue;
    DLM_TRY(file.readAll(section, *bytes));
    if (bytes != &sums) actual[name] = uint32_t(crc32_z(0, bytes->data(), bytes->size()));
  }
  DLM_TRY(compareSums(path, {sums.begin(), sums.end()}, actual));
  return found;
}

} // namespace dlm
