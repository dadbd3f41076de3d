// What the language has, the checker types, and no later phase can carry out so far. It is found
// in one place, after checking and before lowering, so that nothing is ignored or guessed.
#pragma once

#include "compiler/diagnostics/DiagnosticEngine.h"
#include "compiler/sema/TypedProgram.h"

namespace dlm::lower {

/// Reports everything of the program that cannot be compiled yet, each use once, with the reason.
/// A program without a report can be lowered.
void reportNotYet(const sema::TypedProgram &program, DiagnosticEngine &diagnostics);

/// The same for what a test computes.
void reportNotYet(const sema::TypedTest &test, DiagnosticEngine &diagnostics);

} // namespace dlm::lower
