// The pages of `dlmc explain KIND`, which are part of the compiler.
#pragma once

#include "compiler/diagnostics/Diagnostic.h"

#include <string_view>

namespace dlm {

/// The Markdown text of explain/WORD.md; empty if there is no such file, which a test finds.
std::string_view explanationPage(Kind kind);

} // namespace dlm
