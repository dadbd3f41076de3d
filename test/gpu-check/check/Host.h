// What the report says of the machine around the GPU, and a place for files.
#pragma once

#include "runtime/base/Status.h"

#include <string>

namespace dlm::gpucheck {

/// `Linux 6.1.0 x86_64`.
std::string hostName();
/// As in /proc/cpuinfo.
std::string processorName();
/// A new folder for files that nobody needs afterwards.
Expected<std::string> makeTemporaryFolder();

} // namespace dlm::gpucheck
