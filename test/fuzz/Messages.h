// What must hold for the messages about a text.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"

#include <string>

namespace dlm::fuzz {

/// What is wrong with the diagnostics or how they are rendered; empty if nothing is.
std::string faultOfMessages(const DiagnosticEngine &diagnostics);

} // namespace dlm::fuzz
