// Finding the files of a source.
#include "runtime/data/DataFiles.h"

#include <algorithm>
#include <filesystem>

namespace dlm {

namespace {

namespace fs = std::filesystem;

/// IDX folders hold other files, too; these are read.
void addIdxFiles(const std::string &folder, std::vector<std::string> &files) {
  for (const char *prefix : {"train", "t10k"}) {
    for (const char *rest : {"-images-idx3-ubyte", "-labels-idx1-ubyte"}) {
      std::string plain = folder + "/" + prefix + rest;
      std::error_code error;
      for (const std::string &path : {plain, plain + ".gz"}) {
        if (!fs::exists(path, error)) continue;
        files.push_back(path);
        break;
      }
    }
  }
}

void addFolder(const std::string &folder, std::vector<std::string> &files) {
  std::error_code error;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied,
                                         error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    std::error_code odd;
    if (entry->is_regular_file(odd)) files.push_back(entry->path().string());
  }
}

} // namespace

std::vector<std::string> dataFiles(const DataSpec &spec) {
  std::vector<std::string> files;
  for (Split split : {Split::Train, Split::Validation, Split::Test}) {
    const std::string &path = spec.pathOf(split);
    std::error_code error;
    if (fs::is_regular_file(path, error))
      files.push_back(path);
    else if (fs::is_directory(path, error))
      spec.kind == "idx" ? addIdxFiles(path, files) : addFolder(path, files);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

} // namespace dlm
