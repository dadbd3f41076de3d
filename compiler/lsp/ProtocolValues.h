// From what the compiler knows to what the protocol sends.
#pragma once

#include "compiler/lsp/Completion.h"
#include "compiler/lsp/Documents.h"
#include "compiler/lsp/LibraryFiles.h"

#include <llvm/Support/LSP/Protocol.h>

#include <map>
#include <string>
#include <vector>

namespace dlm::lsp {

llvm::lsp::Range toProtocol(const Range &range);
Range fromProtocol(const llvm::lsp::Range &range);

/// Places of the files of one analysis as the protocol names them.
class ProtocolPlaces {
public:
  ProtocolPlaces(const Analysis &analysis, const LibraryFiles &files)
      : analysis(analysis), files(files) {}

  llvm::lsp::Range range(Span span);
  /// Nothing for a file that an editor cannot open.
  std::optional<llvm::lsp::Location> location(Span span);

private:
  const Analysis &analysis;
  const LibraryFiles &files;
  std::map<FileId, TextPositions> positions;
};

/// A message with all its parts; `span` must be a place of its own file.
llvm::json::Object toProtocol(const Diagnostic &diagnostic, ProtocolPlaces &places);

std::vector<llvm::lsp::DocumentSymbol> toProtocol(const std::vector<Declaration> &declarations,
                                                  const TextPositions &positions);

llvm::lsp::CompletionItem toProtocol(const Suggestion &suggestion, size_t index,
                                     const llvm::lsp::Range &replaced);

} // namespace dlm::lsp
