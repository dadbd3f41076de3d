// `dlmc --fix`: changes a source file by the edits that are certainly right.
#pragma once

#include "compiler/driver/DlmcArguments.h"
#include "runtime/base/Status.h"

namespace dlm {

/// Applies the exact edits to the file that the arguments name, and says on standard error what it
/// changed. Files that it uses are never touched. What is left is for the compilation after it.
Status fixFile(const DlmcArguments &arguments);

} // namespace dlm
