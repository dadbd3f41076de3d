// From a file's text to its syntax tree.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/syntax/Ast.h"

#include <memory>

namespace dlm {

/// Parses a file. Everything wrong with it is reported; the result is null if anything was. Runs on
/// a stack large enough for every tree that can come out; throws nothing.
std::unique_ptr<ast::File> parseFile(const SourceManager &sources, FileId file,
                                     DiagnosticEngine &diagnostics);

/// The declarations of a file that have no syntax errors, whatever the others have: what an editor
/// can work with while a program is being written. Reports like `parseFile`; never null.
std::unique_ptr<ast::File> parseWhatFits(const SourceManager &sources, FileId file,
                                         DiagnosticEngine &diagnostics);

} // namespace dlm
