// See ModuleFiles.h.
#include "compiler/sema/modules/ModuleFiles.h"

#include "compiler/sema/RepeatedNames.h"
#include "compiler/sema/modules/LibraryTexts.h"
#include "compiler/source/TextFile.h"
#include "compiler/syntax/Parser.h"

#include <algorithm>
#include <filesystem>

namespace dlm::sema {

namespace {

std::string pathOf(std::string name) {
  std::replace(name.begin(), name.end(), '.', '/');
  return name;
}

const LibraryText *findText(const std::string &path) {
  for (const LibraryText &text : libraryTexts())
    if (text.name == path) return &text;
  return nullptr;
}

} // namespace

const ModuleFile *ModuleFiles::parse(const std::string &key, FileId id, bool isLibrary,
                                     bool hidesLibrary) {
  ModuleFile &module = files[key];
  module.id = id;
  module.isLibrary = isLibrary;
  module.hidesLibrary = hidesLibrary;
  module.file = parseFile(sources, id, diagnostics);
  if (module.file && !isLibrary) reportRepeatedNames(*module.file, diagnostics);
  return &module;
}

const ModuleFile *ModuleFiles::findInLibrary(const std::string &name) {
  std::string path = pathOf(name);
  std::string key = "stdlib/" + path + ".dlm";
  auto known = files.find(key);
  if (known != files.end()) return &known->second;
  const LibraryText *text = findText(path);
  if (!text) return nullptr;
  return parse(key, sources.addFile(key, std::string(text->text)), true, false);
}

void ModuleFiles::takeLibrary(const ModuleFiles &parsed) {
  for (const auto &[path, module] : parsed.files)
    if (module.isLibrary) files[path] = module;
}

const ModuleFile *ModuleFiles::find(const std::string &name, FileId from) {
  namespace fs = std::filesystem;
  std::string relative = pathOf(name);
  fs::path folder = fs::path(std::string(sources.path(from))).parent_path();
  std::string path = (folder / (relative + ".dlm")).lexically_normal().string();
  auto known = files.find(path);
  if (known != files.end()) return &known->second;
  std::string reason;
  if (std::optional<FileId> id = sources.load(path, reason)) {
    const LibraryText *hidden = findText(relative); // the same text hides nothing
    return parse(path, *id, false, hidden && hidden->text != sources.text(*id));
  }
  if (reason != TextFile::absent) {
    ModuleFile &module = files[path];
    module.fault = "`" + path + "` cannot be read: " + reason;
    return &module;
  }
  return findInLibrary(name);
}

} // namespace dlm::sema
