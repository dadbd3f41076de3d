// The sources of stdlib/, which are part of the compiler: it needs no installed files.
#pragma once

#include <string_view>
#include <vector>

namespace dlm::sema {

struct LibraryText {
  std::string_view name; // "nn"; "nn/norms" is a part of the library's own
  std::string_view text;

  /// Whether programs are told of it: they have the names of the others without, or through it.
  bool isForPrograms() const {
    return name != "prelude" && name.find('/') == std::string_view::npos;
  }
};

/// All modules of the library; written by CMake from stdlib/*.dlm.
const std::vector<LibraryText> &libraryTexts();

} // namespace dlm::sema
