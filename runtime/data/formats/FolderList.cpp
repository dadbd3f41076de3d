#include "runtime/data/formats/FolderList.h"

#include <algorithm>
#include <cerrno>
#include <dirent.h>
#include <sys/stat.h>

namespace dlm {

bool isDirectory(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

Expected<std::vector<std::string>> namesInFolder(const std::string &path) {
  DIR *folder = opendir(path.c_str());
  if (!folder) return systemError("data folder `" + path + "` cannot be opened", errno);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent *entry = readdir(folder)) {
    if (entry->d_name[0] != '.') names.emplace_back(entry->d_name);
    errno = 0;
  }
  int failure = errno;
  closedir(folder);
  if (failure != 0) return systemError("data folder `" + path + "` cannot be read", failure);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace dlm
