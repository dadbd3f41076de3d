// Running what was just compiled, without a file: the bytes that an executable would carry are
// opened from memory.
#pragma once

#include "compiler/pipeline/Backend.h"
#include "runtime/launch/RunProgram.h"

namespace dlm {

/// The bytes as the runtime takes them; `program` keeps them.
ProgramBytes programBytes(const CompiledProgram &program);

/// Runs it as its executable would with these arguments (without the program's name); returns the
/// exit status.
int runInProcess(const CompiledProgram &program, const std::string &name,
                 const std::vector<std::string> &arguments);

} // namespace dlm
