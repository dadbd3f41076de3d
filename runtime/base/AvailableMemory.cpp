// Linux tells all of it in text files. What only caches files counts as available: it goes when
// memory is asked for.
#include "runtime/base/AvailableMemory.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace dlm {

namespace {

/// The number in a file; nothing if there is none, or a word like `max`.
std::optional<uint64_t> numberIn(const std::string &path) {
  std::ifstream file(path);
  uint64_t value = 0;
  if (!(file >> value)) return std::nullopt;
  return value;
}

/// The number behind a name at the beginning of a line; 0 if there is none.
uint64_t numberBehind(const std::string &path, const std::string &name) {
  std::ifstream file(path);
  for (std::string word; file >> word;) {
    uint64_t value = 0;
    if (word == name && file >> value) return value;
    std::getline(file, word);
  }
  return 0;
}

void lower(std::optional<AvailableMemory> &least, uint64_t bytes, const char *of) {
  if (!least || bytes < least->bytes) least = AvailableMemory{bytes, of};
}

/// The files of one version of control groups.
struct GroupFiles {
  const char *limit, *usage, *cacheName;
};

/// A group is in all groups above it, and each may have a limit.
void lowerByGroups(const std::string &top, std::string path, const GroupFiles &files,
                   std::optional<AvailableMemory> &least) {
  for (;;) {
    std::string folder = top + path + "/";
    std::optional<uint64_t> limit = numberIn(folder + files.limit);
    std::optional<uint64_t> usage = numberIn(folder + files.usage);
    if (limit && usage) {
      uint64_t cache = numberBehind(folder + "memory.stat", files.cacheName);
      uint64_t used = *usage - std::min(*usage, cache);
      lower(least, *limit - std::min(*limit, used), "this container (cgroup)");
    }
    if (path.empty()) return;
    path = path.substr(0, path.rfind('/'));
  }
}

/// Lines of /proc/self/cgroup: `0::/path` of version 2, `4:memory:/path` of version 1. In a
/// container the path may be one that is not mounted there; then the top counts.
void lowerByCgroups(const std::string &root, std::optional<AvailableMemory> &least) {
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    std::istringstream parts(line);
    std::string number, controllers, path;
    std::getline(parts, number, ':');
    std::getline(parts, controllers, ':');
    std::getline(parts, path);
    if (path == "/") path.clear();
    std::string top = root + "/sys/fs/cgroup";
    if (controllers.empty())
      lowerByGroups(top, path, {"memory.max", "memory.current", "inactive_file"}, least);
    if (("," + controllers + ",").find(",memory,") != std::string::npos)
      lowerByGroups(top + "/memory", path,
                    {"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"},
                    least);
  }
}

/// The limit of the addresses that a process may use.
void lowerByLimit(std::optional<AvailableMemory> &least) {
  struct rlimit limit = {};
  std::optional<uint64_t> pages = numberIn("/proc/self/statm");
  if (!pages || getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return;
  uint64_t used = *pages * uint64_t(sysconf(_SC_PAGESIZE));
  lower(least, limit.rlim_cur - std::min<uint64_t>(limit.rlim_cur, used), "`ulimit -v`");
}

} // namespace

std::optional<AvailableMemory> availableMemory(const std::string &root) {
  std::optional<AvailableMemory> least;
  std::string meminfo = root + "/proc/meminfo";
  uint64_t kilobytes = numberBehind(meminfo, "MemAvailable:");
  if (kilobytes)
    lower(least, (kilobytes + numberBehind(meminfo, "SwapFree:")) * 1024, "this machine");
  lowerByCgroups(root, least);
  if (root.empty()) lowerByLimit(least);
  return least;
}

} // namespace dlm
