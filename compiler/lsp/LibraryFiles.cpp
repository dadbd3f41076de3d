// See LibraryFiles.h.
#include "compiler/lsp/LibraryFiles.h"

#include "compiler/sema/modules/LibraryTexts.h"

#include <filesystem>
#include <fstream>
#include <iterator>

namespace dlm::lsp {

namespace fs = std::filesystem;

namespace {

bool holds(const fs::path &path, std::string_view text) {
  std::ifstream stream(path, std::ios::binary);
  std::string found((std::istreambuf_iterator<char>(stream)), std::istreambuf_iterator<char>());
  return stream && found == text;
}

} // namespace

std::string LibraryFiles::fileOf(const std::string &libraryPath) const {
  if (folder.empty()) return "";
  for (const sema::LibraryText &text : sema::libraryTexts()) {
    std::string name = std::string(text.name) + ".dlm";
    if (libraryPath != "stdlib/" + name) continue;
    fs::path path = fs::path(folder) / name;
    std::error_code error;
    if (holds(path, text.text)) return path.string();
    fs::create_directories(path.parent_path(), error);
    fs::path fresh = path.string() + ".partial";
    std::ofstream(fresh, std::ios::binary) << text.text;
    fs::permissions(fresh, fs::perms::owner_read, error);
    fs::rename(fresh, path, error);
    if (holds(path, text.text)) return path.string();
    fs::remove(fresh, error); // nothing is left of what could not be written
    return "";
  }
  return "";
}

bool LibraryFiles::contains(const std::string &path) const {
  return !folder.empty() && path.rfind(folder + "/", 0) == 0;
}

} // namespace dlm::lsp
