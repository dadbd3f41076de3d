// Opening a shared object from memory. The dynamic linker wants a path; /proc/self/fd/N of a memory
// file is one. Some systems forbid running code from memory files: then a private file serves,
// unlinked as soon as it is open.
#include "runtime/executor/KernelLibrary.h"

#include <cerrno>
#include <cstdlib>
#include <dlfcn.h>
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

/// Keeps the file open as long as the library: the dynamic linker knows libraries by their path,
/// and the path of a memory file is its descriptor's number, which must not be used again.
class OpenedLibrary final : public KernelLibrary {
public:
  OpenedLibrary(void *handle, Descriptor file) : handle(handle), file(std::move(file)) {}
  ~OpenedLibrary() override { dlclose(handle); }
  DlmKernel find(const std::string &symbol) const override {
    return reinterpret_cast<DlmKernel>(dlsym(handle, symbol.c_str()));
  }

private:
  void *handle;
  Descriptor file;
};

Status writeAll(int file, const uint8_t *bytes, size_t sizeBytes) {
  while (sizeBytes > 0) {
    ssize_t written = write(file, bytes, sizeBytes);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return systemError("writing the kernels", errno);
    bytes += written;
    sizeBytes -= size_t(written);
  }
  return Status::ok();
}

/// Null if the path cannot be loaded; dlerror() then tells why.
std::unique_ptr<KernelLibrary> openPath(const std::string &path, Descriptor file) {
  void *handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  return handle ? std::make_unique<OpenedLibrary>(handle, std::move(file)) : nullptr;
}

std::unique_ptr<KernelLibrary> openFromMemory(const uint8_t *bytes, size_t sizeBytes) {
  Descriptor file(memfd_create("dlm-kernels", MFD_CLOEXEC));
  if (file.get() < 0 || !writeAll(file.get(), bytes, sizeBytes).isOk()) return nullptr;
  std::string path = "/proc/self/fd/" + std::to_string(file.get());
  return openPath(path, std::move(file));
}

Expected<std::unique_ptr<KernelLibrary>> openFromFile(const uint8_t *bytes, size_t sizeBytes) {
  char path[] = P_tmpdir "/dlm-kernels-XXXXXX";
  Descriptor file(mkstemp(path));
  if (file.get() < 0) return systemError("creating a private file for the kernels", errno);
  Status status = writeAll(file.get(), bytes, sizeBytes);
  std::unique_ptr<KernelLibrary> library = status.isOk() ? openPath(path, Descriptor(-1)) : nullptr;
  const char *reason = status.isOk() && !library ? dlerror() : nullptr;
  unlink(path);
  if (library) return library;
  return reason ? corrupt(std::string("opening the kernels: ") + reason) : status;
}

} // namespace

Expected<std::unique_ptr<KernelLibrary>> openKernelLibrary(const uint8_t *bytes, size_t sizeBytes) {
  if (std::unique_ptr<KernelLibrary> library = openFromMemory(bytes, sizeBytes)) return library;
  return openFromFile(bytes, sizeBytes);
}

} // namespace dlm
