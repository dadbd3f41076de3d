#include "runtime/data/formats/FilePattern.h"

#include <algorithm>
#include <glob.h>
#include <sys/stat.h>

namespace dlm {

std::vector<std::string> filesOf(const std::string &pattern) {
  struct stat info;
  if (stat(pattern.c_str(), &info) == 0) return {pattern};
  glob_t found = {};
  std::vector<std::string> paths;
  // Without a sort of glob's own, which depends on the locale.
  if (glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found) == 0)
    paths.assign(found.gl_pathv, found.gl_pathv + found.gl_pathc);
  globfree(&found);
  std::sort(paths.begin(), paths.end());
  return paths;
}

} // namespace dlm
