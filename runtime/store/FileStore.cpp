// Files that are written whole or not at all: each is written under a name of its own and fsynced;
// then all are renamed to their keys, in order, and the folder is fsynced. After a failed fsync the
// kernel may have dropped the pages, so nothing is tried again on the same descriptor: the file is
// removed, and the caller writes it anew. The names for writing are always the same, so what
// killed runs leave behind does not pile up.
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

constexpr const char *PartialPrefix = "being-written-", *PartialSuffix = ".tmp";

/// A file descriptor that is closed at the end of the scope.
struct OpenFile {
  int descriptor;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

bool endsWith(const std::string &text, const std::string &end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

class FileStore : public Store {
public:
  FileStore(const std::string &folder, FileCalls &calls) : folder(folder), calls(calls) {
    while (this->folder.size() > 1 && this->folder.back() == '/')
      this->folder.pop_back();
  }

  Status prepare() override {
    for (size_t end = 1; end <= folder.size(); ++end) {
      if (end < folder.size() && folder[end] != '/') continue;
      std::string part = folder.substr(0, end);
      if (mkdir(part.c_str(), 0777) == 0)
        made.push_back(part);
      else if (errno != EEXIST)
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

  /// A folder that something is in, of this run or of another, stays: `rmdir` sees to that.
  void forsake() override {
    for (; !made.empty(); made.pop_back())
      rmdir(made.back().c_str());
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

  Expected<FileSum> sum(const std::string &key) override {
    return sumFile(location(key), UINT64_MAX);
  }

  Status write(const std::vector<Blob> &blobs) override {
    DLM_TRY(prepare());
    Status status;
    for (size_t i = 0; status.isOk() && i < blobs.size(); ++i)
      status = writePartial(partial(i), blobs[i]);
    for (size_t i = 0; status.isOk() && i < blobs.size(); ++i) {
      std::string from = partial(i), to = location(blobs[i].key);
      if (calls.rename(from.c_str(), to.c_str()) != 0)
        status = systemError("cannot rename `" + from + "` to `" + to + "`", errno);
    }
    for (size_t i = 0; !status.isOk() && i < blobs.size(); ++i)
      calls.unlink(partial(i).c_str());
    return status.isOk() ? syncFolder() : status;
  }

  Status remove(const std::string &key) override {
    if (calls.unlink(location(key).c_str()) != 0)
      return systemError("cannot remove `" + location(key) + "`", errno);
    return Status::ok();
  }

  Expected<std::vector<uint8_t>> leftover(size_t index) override {
    return readFileBytes(partial(index));
  }

  Status finish(size_t index, const std::string &key) override {
    std::string from = partial(index), to = location(key);
    if (access(to.c_str(), F_OK) == 0) return invalidArgument("`" + to + "` is there");
    if (calls.rename(from.c_str(), to.c_str()) != 0)
      return systemError("cannot rename `" + from + "` to `" + to + "`", errno);
    return syncFolder();
  }

  Expected<uint64_t> freeBytes() override {
    struct statvfs info;
    if (statvfs(folder.c_str(), &info) != 0)
      return systemError("cannot ask for the free space of `" + folder + "`", errno);
    if (info.f_blocks == 0) return unsupported("`" + folder + "` does not say how large it is");
    return uint64_t(info.f_bavail) * info.f_frsize;
  }

  /// A quota shows when room is taken: files of these sizes are there for a moment.
  Status tryRoom(uint64_t sizeBytes, int64_t count) override {
    Status status;
    int64_t created = 0;
    for (; status.isOk() && created < count; ++created) {
      std::string path = partial(size_t(created));
      OpenFile file{calls.create(path.c_str())};
      status = file.descriptor < 0 ? systemError("cannot create `" + path + "`", errno)
                                   : reserve(file.descriptor, path, sizeBytes);
    }
    for (int64_t i = 0; i < created; ++i)
      calls.unlink(partial(size_t(i)).c_str());
    return status;
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

  std::string partial(size_t index) const {
    return location(PartialPrefix + std::to_string(index) + PartialSuffix);
  }

  /// Takes the room on the disk, where the file system can: a full one or a quota is known before
  /// anything is written.
  Status reserve(int descriptor, const std::string &path, uint64_t sizeBytes) {
    if (sizeBytes == 0 || calls.fallocate(descriptor, sizeBytes) == 0) return Status::ok();
    if (errno != ENOSPC && errno != EDQUOT && errno != EFBIG) return Status::ok();
    return systemError("no room for the " + std::to_string(sizeBytes) + " bytes of `" + path + "`",
                       errno);
  }

  /// Writes all bytes, whatever the system writes at a time; 0 or the errno of the failure.
  int writeFully(int descriptor, const BytePiece &piece) {
    const uint8_t *bytes = static_cast<const uint8_t *>(piece.data);
    for (uint64_t count = piece.sizeBytes; count > 0;) {
      ssize_t written = calls.write(descriptor, bytes, count);
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) return errno;
      if (written == 0) return EIO;
      bytes += written;
      count -= uint64_t(written);
    }
    return 0;
  }

  Status writePartial(const std::string &path, const Blob &blob) {
    OpenFile file{calls.create(path.c_str())};
    if (file.descriptor < 0) return systemError("cannot create `" + path + "`", errno);
    DLM_TRY(reserve(file.descriptor, path, blob.sizeBytes()));
    for (const BytePiece &piece : blob.pieces) {
      if (int error = writeFully(file.descriptor, piece))
        return systemError("cannot write `" + location(blob.key) + "`", error);
    }
    if (calls.fsync(file.descriptor) != 0)
      return systemError("cannot write `" + location(blob.key) + "` to the disk", errno);
    int descriptor = file.descriptor;
    file.descriptor = -1;
    if (calls.close(descriptor) != 0)
      return systemError("cannot close `" + location(blob.key) + "`", errno);
    return Status::ok();
  }

  Status syncFolder() {
    OpenFile entry{::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (entry.descriptor < 0 || (calls.fsync(entry.descriptor) != 0 && errno != EINVAL))
      return systemError("cannot write folder `" + folder + "` to the disk", errno);
    return Status::ok();
  }

  std::string folder;
  FileCalls &calls;
  std::vector<std::string> made; // folders, the outermost first
  OpenFile locked{-1};
};

} // namespace

Expected<std::vector<uint8_t>> Store::leftover(size_t) { return notFound("nothing is left"); }
Status Store::finish(size_t, const std::string &key) { return notFound(key); }

std::unique_ptr<Store> makeFileStore(const std::string &folder, FileCalls &calls) {
  return std::make_unique<FileStore>(folder.empty() ? "." : folder, calls);
}

} // namespace dlm
