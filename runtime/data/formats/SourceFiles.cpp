// Finding the files of a source, and comparing them with what they were.
#include "runtime/data/formats/SourceFiles.h"

#include "runtime/base/Xxh3.h"
#include "runtime/data/formats/FilePattern.h"

#include <algorithm>
#include <filesystem>

namespace dlm {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t SummedMax = uint64_t(1) << 30; // bytes, of all files together
constexpr uint64_t TokenFileMax = 64 << 10;       // its header holds a checksum of all of it
constexpr size_t FilesMax = 256;                  // more are summed together

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

/// A file's name within the folder of its source, or alone.
std::string shortName(const std::string &path, const SourcePaths &source) {
  for (const std::string &each : source.paths) {
    std::string folder = each + "/";
    bool isWithin = !each.empty() && path.compare(0, folder.size(), folder) == 0;
    if (isWithin) return path.substr(folder.size());
  }
  return path.substr(path.rfind('/') + 1);
}

/// How much of each of `count` files is summed.
uint64_t summedMaxOf(const std::string &kind, size_t count) {
  if (kind == "csv" || kind == "jsonl" || kind == "text") return UINT64_MAX;
  return kind == "tokens" ? TokenFileMax : SummedMax / std::max<size_t>(count, 1);
}

const DataFile *findFile(const std::vector<DataFile> &list, const std::string &name) {
  for (const DataFile &file : list)
    if (file.name == name) return &file;
  return nullptr;
}

/// What became of a file; empty if nothing.
std::string difference(const DataFile &before, const DataFile &after) {
  std::string name = "data file `" + after.name + "`";
  if (before.sizeBytes != after.sizeBytes)
    return name + " had " + std::to_string(before.sizeBytes) + " bytes and now has " +
           std::to_string(after.sizeBytes);
  return before.xxh3 != after.xxh3 ? name + " has other content" : "";
}

} // namespace

std::vector<std::string> sourceFiles(const SourcePaths &source) {
  std::vector<std::string> files;
  for (const std::string &path : source.paths) {
    std::error_code error;
    if (path.empty()) continue;
    if (fs::is_directory(path, error)) {
      source.kind == "idx" ? addIdxFiles(path, files) : addFolder(path, files);
      continue;
    }
    for (const std::string &file : filesOf(path))
      if (fs::is_regular_file(file, error)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

Expected<std::vector<DataFile>> identifyFiles(const SourcePaths &source,
                                              const std::atomic<bool> *cancel) {
  std::vector<std::string> paths = sourceFiles(source);
  std::vector<DataFile> files;
  uint64_t summedMax = summedMaxOf(source.kind, paths.size());
  Xxh3 names;
  DataFile all;
  for (const std::string &path : paths) {
    Expected<FileSum> sum = sumFile(path, summedMax, cancel);
    if (!sum && sum.status().code() == Code::Interrupted) return sum.status();
    if (!sum) continue; // whoever reads the samples tells
    std::string name = shortName(path, source);
    if (paths.size() <= FilesMax) {
      files.push_back({name, sum->sizeBytes, sum->xxh3});
      continue;
    }
    std::string line = name + " " + std::to_string(sum->sizeBytes) + " " + sum->xxh3 + "\n";
    names.add(line.data(), line.size());
    all.sizeBytes += sum->sizeBytes;
  }
  if (paths.size() > FilesMax)
    files.push_back({std::to_string(paths.size()) + " files", all.sizeBytes, names.text()});
  return files;
}

std::vector<std::string> changedFiles(const std::vector<DataFile> &then,
                                      const std::vector<DataFile> &now) {
  std::vector<std::string> changes;
  for (const DataFile &after : now) {
    const DataFile *before = findFile(then, after.name);
    std::string change =
        before ? difference(*before, after) : "data file `" + after.name + "` is new";
    if (!change.empty()) changes.push_back(std::move(change));
  }
  for (const DataFile &before : then)
    if (!findFile(now, before.name)) changes.push_back("data file `" + before.name + "` is gone");
  return changes;
}

std::vector<std::string> otherContent(const std::vector<DataFile> &then,
                                      const std::vector<DataFile> &now, bool isMoved) {
  std::vector<std::string> changes;
  for (const DataFile &after : now) {
    bool isSame = std::any_of(then.begin(), then.end(), [&](const DataFile &before) {
      return before.sizeBytes == after.sizeBytes && before.xxh3 == after.xxh3;
    });
    const DataFile *before = findFile(then, after.name);
    std::string change = before ? difference(*before, after) : "";
    if (!before && isMoved && !isSame)
      change = "data file `" + after.name + "` is none of those that it was compiled for";
    if (!change.empty()) changes.push_back(std::move(change));
  }
  return changes;
}

} // namespace dlm
