// A file's times go by the ticks of the kernel, a few milliseconds on most disks and up to two
// seconds on some. Two changes within a tick look like one, so a file that was changed just before
// it is read is not remembered: the next reading will be later.
#include "compiler/sema/data/FileMemory.h"

#include <algorithm>
#include <optional>
#include <sys/stat.h>

namespace dlm::sema {

namespace {

constexpr size_t EntriesMax = 64;
constexpr int64_t SecondNs = 1000000000, SettledNs = 3 * SecondNs;

int64_t nanoseconds(const struct timespec &time) {
  return int64_t(time.tv_sec) * SecondNs + time.tv_nsec;
}

/// Nothing if one of the files is not there.
std::optional<std::vector<FileStamp>> stampsOf(const std::vector<std::string> &files) {
  std::vector<FileStamp> stamps;
  for (const std::string &path : files) {
    struct stat info;
    if (stat(path.c_str(), &info) != 0) return std::nullopt;
    stamps.push_back({uint64_t(info.st_dev), uint64_t(info.st_ino), uint64_t(info.st_size),
                      nanoseconds(info.st_mtim), nanoseconds(info.st_ctim)});
  }
  return stamps;
}

bool areSettled(const std::vector<FileStamp> &stamps, int64_t now) {
  return std::all_of(stamps.begin(), stamps.end(), [&](const FileStamp &stamp) {
    return std::max(stamp.modifiedNs, stamp.changedNs) < now - SettledNs;
  });
}

} // namespace

bool operator==(const FileStamp &a, const FileStamp &b) {
  return a.device == b.device && a.inode == b.inode && a.sizeBytes == b.sizeBytes &&
         a.modifiedNs == b.modifiedNs && a.changedNs == b.changedNs;
}

std::any FileMemory::recallAny(const std::string &question, const std::vector<std::string> &files,
                               const std::function<std::any()> &read) {
  int64_t now = clock.wallNs();
  std::optional<std::vector<FileStamp>> before = stampsOf(files);
  {
    std::lock_guard<std::mutex> lock(mutex);
    auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry &entry) {
      return entry.question == question && entry.files == files;
    });
    if (found != entries.end() && before && found->stamps == *before) {
      entries.splice(entries.begin(), entries, found);
      return found->answer;
    }
    if (found != entries.end()) entries.erase(found);
    ++reads;
  }
  std::any answer = read();
  std::optional<std::vector<FileStamp>> after = stampsOf(files);
  bool isKnown = before && after && !before->empty(); // of no file nothing can be told
  if (!isKnown || !(*before == *after) || !areSettled(*before, now)) return answer;
  std::lock_guard<std::mutex> lock(mutex);
  entries.push_front({question, files, *before, answer});
  if (entries.size() > EntriesMax) entries.pop_back();
  return answer;
}

int64_t FileMemory::readCount() const {
  std::lock_guard<std::mutex> lock(mutex);
  return reads;
}

FileMemory &fileMemory() {
  static FileMemory memory;
  return memory;
}

} // namespace dlm::sema
