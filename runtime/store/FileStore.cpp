// Files that are written whole or not at all: write `key.tmp`, fsync it, rename it to `key`, fsync
// the folder. After a failed fsync the kernel may have dropped the pages, so nothing is tried again
// on the same descriptor: the file is removed, and the caller writes it anew.
#include "runtime/store/FileStore.h"

#include "runtime/base/FileBytes.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#include <utility>

namespace dlm {

namespace {

constexpr const char *PartialSuffix = ".tmp";

/// A file descriptor that is closed at the end of the scope.
struct OpenFile {
  int descriptor;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

/// Writes all bytes, whatever the system writes at a time; 0 or the errno of the failure.
int writeFully(int descriptor, const uint8_t *bytes, size_t count) {
  while (count > 0) {
    ssize_t written = ::write(descriptor, bytes, count);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    bytes += written;
    count -= size_t(written);
  }
  return 0;
}

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

class FileStore : public Store {
public:
  explicit FileStore(const std::string &folder) : folder(folder) {
    while (this->folder.size() > 1 && this->folder.back() == '/')
      this->folder.pop_back();
  }

  Status prepare() override {
    for (size_t end = 1; end <= folder.size(); ++end) {
      if (end < folder.size() && folder[end] != '/') continue;
      std::string part = folder.substr(0, end);
      if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
        return systemError("cannot make folder `" + part + "`", errno);
    }
    struct stat info;
    if (stat(folder.c_str(), &info) != 0)
      return systemError("cannot use folder `" + folder + "`", errno);
    if (!S_ISDIR(info.st_mode)) return systemError("cannot use folder `" + folder + "`", ENOTDIR);
    if (access(folder.c_str(), W_OK | X_OK) != 0)
      return systemError("cannot write to folder `" + folder + "`", errno);
    return lock(info);
  }

  Expected<std::vector<std::string>> list() override {
    std::vector<std::string> keys;
    DIR *entries = opendir(folder.c_str());
    if (!entries && errno == ENOENT) return keys;
    if (!entries) return systemError("cannot list folder `" + folder + "`", errno);
    while (const dirent *entry = readdir(entries)) {
      std::string name = entry->d_name;
      if (name != "." && name != ".." && !endsWith(name, PartialSuffix)) keys.push_back(name);
    }
    closedir(entries);
    std::sort(keys.begin(), keys.end());
    return keys;
  }

  Expected<std::vector<uint8_t>> read(const std::string &key) override {
    return readFileBytes(location(key));
  }

  Status write(const std::string &key, const std::vector<uint8_t> &bytes) override {
    DLM_TRY(prepare());
    std::string partial = location(key) + PartialSuffix;
    Status status = writePartial(partial, bytes);
    if (status.isOk() && std::rename(partial.c_str(), location(key).c_str()) != 0)
      status = systemError("cannot rename `" + partial + "`", errno);
    if (!status.isOk()) {
      ::unlink(partial.c_str());
      return status;
    }
    return syncFolder();
  }

  Status remove(const std::string &key) override {
    if (::unlink(location(key).c_str()) != 0)
      return systemError("cannot remove `" + location(key) + "`", errno);
    return Status::ok();
  }

  Expected<uint64_t> freeBytes() override {
    struct statvfs info;
    if (statvfs(folder.c_str(), &info) != 0)
      return systemError("cannot ask for the free space of `" + folder + "`", errno);
    return uint64_t(info.f_bavail) * info.f_frsize;
  }

  std::string location(const std::string &key) const override {
    return key.empty() ? folder : folder + "/" + key;
  }

private:
  /// Takes the folder for this store until it ends, so that two runs cannot mix their files. The
  /// lock is on the folder itself and goes with the process, however that ends; where the file
  /// system has no locks there is none.
  Status lock(const struct stat &info) {
    struct stat held;
    bool isHeld = locked.descriptor >= 0 && fstat(locked.descriptor, &held) == 0 &&
                  held.st_dev == info.st_dev && held.st_ino == info.st_ino;
    if (isHeld) return Status::ok();
    OpenFile entry{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (entry.descriptor < 0) return Status::ok();
    if (flock(entry.descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK)
      return Status::error(Code::InvalidArgument,
                           "another run is writing to folder `" + folder + "`");
    std::swap(locked.descriptor, entry.descriptor);
    return Status::ok();
  }

  Status writePartial(const std::string &path, const std::vector<uint8_t> &bytes) {
    OpenFile file{::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    if (file.descriptor < 0) return systemError("cannot create `" + path + "`", errno);
    if (int error = writeFully(file.descriptor, bytes.data(), bytes.size()))
      return systemError("cannot write `" + path + "`", error);
    if (fsync(file.descriptor) != 0)
      return systemError("cannot write `" + path + "` to the disk", errno);
    int descriptor = file.descriptor;
    file.descriptor = -1;
    if (::close(descriptor) != 0) return systemError("cannot close `" + path + "`", errno);
    return Status::ok();
  }

  Status syncFolder() {
    OpenFile entry{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (entry.descriptor < 0 || (fsync(entry.descriptor) != 0 && errno != EINVAL))
      return systemError("cannot write folder `" + folder + "` to the disk", errno);
    return Status::ok();
  }

  std::string folder;
  OpenFile locked{-1};
};

} // namespace

std::unique_ptr<Store> makeFileStore(const std::string &folder) {
  return std::make_unique<FileStore>(folder.empty() ? "." : folder);
}

} // namespace dlm
