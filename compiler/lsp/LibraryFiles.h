// The library is part of the compiler, not a folder. To show a declaration of it, an editor needs a
// file: it is written, read-only, to a folder of the user's cache when it is first asked for.
#pragma once

#include <string>

namespace dlm::lsp {

class LibraryFiles {
public:
  /// `folder` may be empty: then no files are written.
  explicit LibraryFiles(std::string folder) : folder(std::move(folder)) {}

  /// The file on disk for "stdlib/nn.dlm"; empty if there can be none.
  std::string fileOf(const std::string &libraryPath) const;
  /// Whether a path is of a file written here.
  bool contains(const std::string &path) const;

private:
  std::string folder;
};

} // namespace dlm::lsp
