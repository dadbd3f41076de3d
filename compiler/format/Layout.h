// From the tree of brackets to lines.
#pragma once

#include "compiler/format/LayoutTree.h"

#include <string>

namespace dlm::format {

/// The text of the file, formatted. What it decides is described in README.md.
std::string layOut(const LayoutTree &tree);

} // namespace dlm::format
