// From a syntax tree to a typed program: the phase that reports everything a program can have
// wrong, so that nothing after it has to.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/syntax/Ast.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

struct CheckOptions {
  /// `-D name=value`, in the order given.
  std::vector<std::pair<std::string, std::string>> definitions;
  /// The train block to compile; may be empty if the file has one only.
  std::string train;
};

/// Checks a file and returns the chosen train block as a typed program; nothing if an error was
/// reported. Files that the program uses are added to `sources`.
std::optional<TypedProgram> check(const ast::File &file, SourceManager &sources,
                                  DiagnosticEngine &diagnostics, const CheckOptions &options);

} // namespace dlm::sema
