// The name in between is short and of this process: a long name of the file leaves room for it, and
// two processes that write the same file do not mix their bytes.
#include "runtime/base/FreshFile.h"

#include "runtime/base/FileBytes.h"

#include <cerrno>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm {

namespace {

namespace fs = std::filesystem;

constexpr int LinksMax = 40, NamesMax = 1000;
constexpr mode_t ModeBits = 07777, FirstMode = 0666; // the latter less what the umask says

/// Opens a file in a folder that was not there; its name, or empty.
std::string openBeside(const fs::path &folder, int &descriptor) {
  std::string stem = ".being-written-" + std::to_string(getpid()) + "-";
  for (int i = 0; i < NamesMax; ++i) {
    std::string name = (folder / (stem + std::to_string(i))).string();
    descriptor = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, FirstMode);
    if (descriptor >= 0) return name;
    if (errno != EEXIST) return "";
  }
  return "";
}

} // namespace

std::string behindLinks(const std::string &path) {
  fs::path place = path;
  for (int i = 0; i < LinksMax; ++i) {
    std::error_code error;
    fs::path next = fs::read_symlink(place, error);
    if (error) break;
    place = next.is_absolute() ? next : place.parent_path() / next;
  }
  return place.string();
}

Expected<FreshFile> FreshFile::create(const std::string &path) {
  FreshFile fresh(path);
  struct stat info;
  bool isThere = stat(path.c_str(), &info) == 0;
  // A link that leads to itself: there is no place to write to.
  if (!isThere && errno == ELOOP) return systemError("cannot write `" + path + "`", errno);
  if (isThere && S_ISDIR(info.st_mode))
    return invalidArgument("cannot write `" + path + "`: it is a folder; name a file in it");
  if (isThere && access(path.c_str(), W_OK) != 0)
    return systemError("cannot write `" + path + "`", errno);
  if (isThere && !S_ISREG(info.st_mode)) {
    // Such as /dev/stdout, whose link names no file.
    Expected<std::FILE *> opened = openToWrite(path, "write");
    if (!opened) return opened.status();
    fresh.file = *opened;
  } else {
    int descriptor = -1;
    fresh.target = behindLinks(path);
    fresh.partial = openBeside(fs::path(fresh.target).parent_path(), descriptor);
    if (isThere && descriptor >= 0) {
      // The rights of the file that it replaces; whoever may not give them has those of a new one.
      int given = fchmod(descriptor, info.st_mode & ModeBits);
      (void)given;
    }
    if (descriptor >= 0) fresh.file = fdopen(descriptor, "wb");
  }
  if (!fresh.file) return systemError("cannot write `" + path + "`", errno);
  return fresh;
}

FreshFile::FreshFile(FreshFile &&other) noexcept
    : path(std::move(other.path)), target(std::move(other.target)),
      partial(std::move(other.partial)), file(other.file) {
  other.file = nullptr;
  other.partial.clear();
}

FreshFile::~FreshFile() {
  if (file) std::fclose(file);
  if (!partial.empty()) ::unlink(partial.c_str());
}

Status FreshFile::check() const {
  if (!std::ferror(file)) return Status::ok();
  return systemError("cannot write `" + path + "`", errno ? errno : EIO);
}

Status FreshFile::finish() {
  bool isWritten = !std::ferror(file) && std::fflush(file) == 0;
  int error = errno ? errno : EIO;
  std::FILE *stream = file;
  file = nullptr;
  if (std::fclose(stream) != 0 && isWritten) {
    isWritten = false;
    error = errno;
  }
  if (isWritten && !partial.empty() && std::rename(partial.c_str(), target.c_str()) != 0) {
    isWritten = false;
    error = errno;
  }
  if (!isWritten) return systemError("cannot write `" + path + "`", error);
  partial.clear();
  return Status::ok();
}

} // namespace dlm
