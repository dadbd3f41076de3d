// From a syntax tree to a typed program: the phase that reports everything a program can have
// wrong, so that nothing after it has to.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/sema/TypedProgram.h"
#include "compiler/syntax/Ast.h"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

class ModuleFiles;
class Observer;

/// What a program is checked for.
enum class Purpose {
  Run,   // to be compiled: it has a train block; tests are not looked at
  Check, // to find faults: a train block, if there is one, and the tests
  Test   // to run its tests, and nothing else; an `expect` that fails is not reported here
};

struct CheckOptions {
  /// `-D name=value`, in the order given.
  std::vector<std::pair<std::string, std::string>> definitions;
  /// The train block to compile; may be empty if the file has one only.
  std::string train;
  /// Checks every train block of the file, and returns the last, where none is named.
  bool everyTrain = false;
  /// Called with each train block in which nothing is wrong.
  std::function<void(const TypedProgram &)> eachTrain;
  Purpose purpose = Purpose::Check;
  /// Told what names mean while the program is checked. With it, what no run reaches is evaluated
  /// too (Survey.h).
  Observer *observer = nullptr;
};

/// Checks a file and returns the chosen train block and the tests as a typed program; nothing if an
/// error was reported. Files that the program uses are added to `sources`.
std::optional<TypedProgram> check(const ast::File &file, SourceManager &sources,
                                  DiagnosticEngine &diagnostics, const CheckOptions &options);

/// The same with modules that may have been parsed before; their syntax errors are reported where
/// `modules` says.
std::optional<TypedProgram> check(const ast::File &file, SourceManager &sources,
                                  ModuleFiles &modules, DiagnosticEngine &diagnostics,
                                  const CheckOptions &options);

} // namespace dlm::sema
