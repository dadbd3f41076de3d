// The sources of stdlib/, which are part of the compiler: it needs no installed files.
#pragma once

#include <string_view>
#include <vector>

namespace dlm::sema {

struct LibraryText {
  std::string_view name; // "nn"
  std::string_view text;
};

/// All modules of the library; written by CMake from stdlib/*.dlm.
const std::vector<LibraryText> &libraryTexts();

} // namespace dlm::sema
