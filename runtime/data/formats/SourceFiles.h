// Which files samples come from and what is in them: what a program remembers of its data when it
// is compiled, and a checkpoint when it is written.
#pragma once

#include "runtime/base/Status.h"

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

/// A file that samples come from.
struct DataFile {
  std::string name; // without its folder: data may move
  uint64_t sizeBytes = 0;
  std::string xxh3;
};

/// Where a source of some kind looks for its samples: files, folders, patterns. Those that are
/// empty name nothing.
struct SourcePaths {
  std::string kind;
  std::vector<std::string> paths;
};

/// The files that hold the samples, each once. Of a folder whose kind has no fixed names these are
/// the files in it and below, sorted. What cannot be read is left out: whoever reads the samples
/// says so.
std::vector<std::string> sourceFiles(const SourcePaths &source);

/// Sizes and sums of these files. Those of kinds whose texts are read whole in any case are summed
/// whole; a token file's beginning vouches for all of it; of others at most a gigabyte is read, in
/// pieces. `cancel`, if set by another thread, ends it with `Interrupted`.
Expected<std::vector<DataFile>> identifyFiles(const SourcePaths &source,
                                              const std::atomic<bool> *cancel = nullptr);

/// What is different, a sentence each; nothing if nothing is.
std::vector<std::string> changedFiles(const std::vector<DataFile> &then,
                                      const std::vector<DataFile> &now);

/// Of `now` what is not as it was; what is only there or then has no part in it. `isMoved`: the
/// files may have other names, and those without a counterpart are told of.
std::vector<std::string> otherContent(const std::vector<DataFile> &then,
                                      const std::vector<DataFile> &now, bool isMoved);

} // namespace dlm
