// Compiling and running in one process, for programs that hold the compiler as a library. It is the
// same path as `dlmc -o`: the same bytes are made, and opened from memory instead of from a file.
#pragma once

#include "compiler/pipeline/Pipeline.h"

namespace dlm {

/// A compiled program, or why there is none.
class EmbeddedProgram {
public:
  /// Compiles the file at `path`. On failure `message` holds the diagnostics as text.
  static std::optional<EmbeddedProgram>
  compile(const std::string &path, const PipelineOptions &options, std::string &message);

  /// Runs it as its executable would with these arguments (without the program's name); returns
  /// the exit status.
  int run(const std::string &name, const std::vector<std::string> &arguments) const;

  const CompiledProgram &bytes() const { return program; }

private:
  explicit EmbeddedProgram(CompiledProgram program) : program(std::move(program)) {}
  CompiledProgram program;
};

/// Runs a compiled program in this process.
int runInProcess(const CompiledProgram &program, const std::string &name,
                 const std::vector<std::string> &arguments);

} // namespace dlm
