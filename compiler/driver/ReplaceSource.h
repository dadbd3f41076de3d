// Changing a program's text on disk, for `dlmc fmt` and `dlmc --fix`.
#pragma once

#include "runtime/base/Status.h"

#include <string>

namespace dlm {

/// Replaces the text of a file whole or not at all. It keeps its permissions, a link stays a link
/// (what it names is replaced), and a read-only file is refused.
Status replaceSource(const std::string &path, const std::string &text);

} // namespace dlm
