// Everything that is known about one text of one document: its messages, its outline, the facts
// about its names. Made in one go by the compiler's own front end; never changed afterwards.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/lsp/Declarations.h"
#include "compiler/lsp/Facts.h"
#include "compiler/sema/modules/ModuleFiles.h"

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace dlm::lsp {

/// The library, parsed once for all analyses; its files come first in their sources.
struct Library {
  Library();
  SourceManager sources;
  DiagnosticEngine diagnostics;
  sema::ModuleFiles modules;
};

struct Analysis {
  SourceManager sources;
  FileId root = 0;
  FileId firstOwn = 0; // files before this one are of the library
  bool hasSyntaxErrors = false;
  std::vector<Diagnostic> diagnostics;
  FactCollector::Facts facts;
  std::vector<Candidate> library;
  std::map<FileId, std::vector<Declaration>> declarations; // of all files that were parsed
  using ByName = std::map<std::pair<FileId, uint32_t>, const Declaration *>;
  ByName byName;               // the same, by where their names stand
  std::set<std::string> paths; // asked for, whether there is such a file or not

  /// The fact about the name around an offset of a file; null if nothing is known.
  const Fact *factAt(FileId file, uint32_t offset) const;
  /// The declaration of a name; null if it is none of the outline, such as a local `let`.
  const Declaration *declaration(Span nameSpan) const;
};

/// Analyses a text as the file `path`. Unsaved texts of other files come from `overlay`.
std::shared_ptr<const Analysis> analyse(const std::string &path, const std::string &text,
                                        const Library &library,
                                        const SourceManager::Overlay &overlay);

/// Checks a text for an observer, without regard to its messages, until `isDone`.
void probe(const std::string &path, const std::string &text, const Library &library,
           const SourceManager::Overlay &overlay, sema::Observer &observer,
           const std::function<bool()> &isDone);

} // namespace dlm::lsp
