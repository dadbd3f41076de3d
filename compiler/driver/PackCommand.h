// `dlmc pack`.
#pragma once

#include "compiler/driver/CommandOutput.h"
#include "compiler/driver/DlmcArguments.h"

namespace dlm {

/// Runs `dlmc pack`; returns the exit status.
int runPack(const DlmcArguments &arguments, CommandOutput &output);

} // namespace dlm
