// What a folder holds, in an order that does not depend on the file system.
#pragma once

#include "runtime/base/Status.h"

#include <vector>

namespace dlm {

bool isDirectory(const std::string &path);

/// The names in a folder, sorted by their bytes; without those that begin with a dot.
Expected<std::vector<std::string>> namesInFolder(const std::string &path);

} // namespace dlm
