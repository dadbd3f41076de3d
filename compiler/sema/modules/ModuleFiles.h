// The parsed files of a compilation beside the program itself. They outlive a single pass of
// checking, as a program may be checked several times.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/Ast.h"

#include <map>
#include <memory>
#include <string>

namespace dlm::sema {

/// A file that was asked for by name.
struct ModuleFile {
  std::shared_ptr<const ast::File> file; // null if it has syntax errors
  FileId id = ~0u;
  bool isLibrary = false;
  bool hidesLibrary = false; // a local file with the name of a library module
  std::string fault;         // why the file, which is there, cannot be read
};

class ModuleFiles {
public:
  ModuleFiles(SourceManager &sources, DiagnosticEngine &diagnostics)
      : sources(sources), diagnostics(diagnostics) {}

  /// The module `name` ("nn", "layers.attention") as seen from a file: next to it, or else of the
  /// library. Null if there is none.
  const ModuleFile *find(const std::string &name, FileId from);
  /// A module of the library, whatever lies beside the program.
  const ModuleFile *findInLibrary(const std::string &name);
  /// Takes over the library's modules that another compilation has parsed already. Its sources must
  /// have been copied into these.
  void takeLibrary(const ModuleFiles &parsed);
  /// All files asked for so far, by path.
  const std::map<std::string, ModuleFile> &all() const { return files; }

private:
  const ModuleFile *parse(const std::string &key, FileId id, bool isLibrary, bool hidesLibrary);

  SourceManager &sources;
  DiagnosticEngine &diagnostics;           // syntax errors are reported once, when a file is parsed
  std::map<std::string, ModuleFile> files; // by path
};

} // namespace dlm::sema
