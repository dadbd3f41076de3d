// `dlmc test FILE... [--filter TEXT]`.
#pragma once

#include "compiler/driver/CommandOutput.h"
#include "compiler/driver/DlmcArguments.h"

namespace dlm {

/// Runs the tests of all files (those in a folder, for a folder) and says what became of each.
/// Returns the exit status: 0 if every test was run and passed, and there was one.
int runTestCommand(const DlmcArguments &arguments, CommandOutput &output);

} // namespace dlm
