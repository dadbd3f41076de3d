// A folder with a folder of photos for each class. The samples stand in an order that depends on
// their names only, and mixes the classes: a part that is cut from the end has some of each, and a
// photo that is added does not change the places of the others among themselves.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

struct ImageFolder {
  std::string path;
  std::vector<std::string> classes; // sorted by their bytes
  struct Entry {
    std::string name; // in the folder: "class/photo.jpg"
    int32_t label = 0;
  };
  std::vector<Entry> entries;
  std::string digest; // of names and sizes: two folders with the same hold the same files

  std::string pathOf(size_t index) const { return path + "/" + entries[index].name; }
};

/// Lists the folder. With `classes`, those of the training samples, each folder in it is one of
/// them. Files that are no photos by their names are failures, but for hidden ones.
Expected<ImageFolder> listImages(const std::string &path, const std::vector<std::string> *classes);

/// Photos to look at, of no class: one file, or all of a folder and of the folders in it, by name.
Expected<std::vector<std::string>> photosOf(const std::string &path);

/// What the compiler has found out, and what the program says, for the run.
struct ImageFacts {
  std::string digests[3];                // of the folders, by split; empty: it has none of its own
  int64_t skipLimit = -1;                // how many broken photos a run may skip; -1: none, it ends
  std::vector<std::string> classes = {}; // of the training samples

  std::string toJson() const;
  static Expected<ImageFacts> fromJson(const std::string &text);
};

} // namespace dlm
