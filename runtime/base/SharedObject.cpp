// Opening a shared object from memory. The dynamic linker wants a path; /proc/self/fd/N of a memory
// file is one. Some systems forbid running code from memory files: then a private file serves,
// unlinked as soon as it is open.
#include "runtime/base/SharedObject.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

namespace dlm {

namespace {

/// A file descriptor that closes itself.
class Descriptor {
public:
  explicit Descriptor(int number) : number(number) {}
  Descriptor(Descriptor &&other) noexcept : number(std::exchange(other.number, -1)) {}
  ~Descriptor() {
    if (number >= 0) close(number);
  }
  int get() const { return number; }

private:
  int number;
};

/// Keeps the file open as long as the object: the dynamic linker knows objects by their path,
/// and the path of a memory file is its descriptor's number, which must not be used again.
class OpenedObject final : public SharedObject {
public:
  OpenedObject(void *handle, Descriptor file) : handle(handle), file(std::move(file)) {}
  ~OpenedObject() override { dlclose(handle); }
  void *find(const std::string &symbol) const override { return dlsym(handle, symbol.c_str()); }

private:
  void *handle;
  Descriptor file;
};

Status writeAll(int file, const uint8_t *bytes, size_t sizeBytes, const std::string &what) {
  while (sizeBytes > 0) {
    ssize_t written = write(file, bytes, sizeBytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return systemError("writing " + what, errno);
    bytes += written;
    sizeBytes -= size_t(written);
  }
  return Status::ok();
}

/// Null if the path cannot be loaded; dlerror() then tells why.
std::unique_ptr<SharedObject> openPath(const std::string &path, Descriptor file) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle ? std::make_unique<OpenedObject>(handle, std::move(file)) : nullptr;
}

std::unique_ptr<SharedObject> openFromMemory(const uint8_t *bytes, size_t sizeBytes,
                                             const std::string &what) {
  Descriptor file(memfd_create("dlm-code", MFD_CLOEXEC));
  if (file.get() < 0 || !writeAll(file.get(), bytes, sizeBytes, what).isOk()) return nullptr;
  std::string path = "/proc/self/fd/" + std::to_string(file.get());
  return openPath(path, std::move(file));
}

Expected<std::unique_ptr<SharedObject>> openFromFile(const uint8_t *bytes, size_t sizeBytes,
                                                     const std::string &what) {
  char path[] = P_tmpdir "/dlm-code-XXXXXX";
  Descriptor file(mkstemp(path));
  if (file.get() < 0) return systemError("creating a private file for " + what, errno);
  Status status = writeAll(file.get(), bytes, sizeBytes, what);
  std::unique_ptr<SharedObject> object = status.isOk() ? openPath(path, Descriptor(-1)) : nullptr;
  const char *reason = status.isOk() && !object ? dlerror() : nullptr;
  unlink(path);
  if (object) return object;
  return reason ? corrupt("opening " + what + ": " + reason) : status;
}

} // namespace

bool isCutOff(const uint8_t *bytes, size_t sizeBytes) {
  if (sizeBytes < SELFMAG || std::memcmp(bytes, ELFMAG, SELFMAG) != 0) return false;
  auto isOutside = [&](uint64_t offset, uint64_t size) {
    return offset > sizeBytes || size > sizeBytes - offset;
  };
  Elf64_Ehdr header;
  if (sizeBytes < sizeof header) return true;
  std::memcpy(&header, bytes, sizeof header);
  if (isOutside(header.e_shoff, uint64_t(header.e_shnum) * header.e_shentsize)) return true;
  if (header.e_phnum == 0) return false;
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      isOutside(header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr)))
    return true;
  for (size_t i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    std::memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    if (isOutside(segment.p_offset, segment.p_filesz)) return true;
  }
  return false;
}

Expected<std::unique_ptr<SharedObject>> openSharedObject(const uint8_t *bytes, size_t sizeBytes,
                                                         const std::string &what) {
  // The dynamic linker maps what the headers say, and dies where the file has ended.
  if (isCutOff(bytes, sizeBytes)) return corrupt("opening " + what + ": it is cut off");
  if (std::unique_ptr<SharedObject> object = openFromMemory(bytes, sizeBytes, what)) return object;
  return openFromFile(bytes, sizeBytes, what);
}

} // namespace dlm
