// What `dlmc --version` prints.
#pragma once

#include <string>

namespace dlm {

/// A line each for dlmc and its build, LLVM, and this machine.
std::string dlmcVersion();

} // namespace dlm
