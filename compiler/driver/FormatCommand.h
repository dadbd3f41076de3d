// `dlmc fmt`.
#pragma once

#include "compiler/driver/CommandOutput.h"
#include "compiler/driver/DlmcArguments.h"

namespace dlm {

/// Runs `dlmc fmt`; returns the exit status.
int runFormat(const DlmcArguments &arguments, CommandOutput &output);

} // namespace dlm
