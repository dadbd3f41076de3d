// A command that generates: its program makes one token, and is run again with what it has made,
// until it says that this was the last one.
#pragma once

#include "runtime/executor/Engine.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace dlm {

/// The place among a command's arguments of the tokens that it makes; -1 if it makes none.
int madeArgument(const plan::CommandT &command);

/// Whether a result is for the run of the command alone.
bool isHiddenResult(const plan::CommandResultT &result);

/// Runs the program for each token. `sizes` are those of the arguments; that of the tokens is how
/// many there are, and `each` is called when it has grown.
Status generateTokens(Engine &engine, const plan::CommandT &command, int program,
                      std::vector<int64_t> &sizes, const std::function<Status()> &each);

} // namespace dlm
