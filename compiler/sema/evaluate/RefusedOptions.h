// An option whose value cannot be: `-D width=0` makes every size wrong that is made of it, and what
// has to change is the option.
#pragma once

#include "compiler/diagnostics/Diagnostic.h"
#include "compiler/sema/value/Value.h"

#include <string>

namespace dlm::sema {

class Evaluator;
struct Program;

/// The text that `-D` gives for an option, the last one if several do; null if none does.
const std::string *definitionOf(const Program &program, const std::string &name);

/// Whether a number is too small for what it is needed for because an option is zero or less. Then
/// that is reported, once for each option: as BadSize or DivisionByZero.
bool blamesOption(Evaluator &evaluator, Kind kind, const Operand &operand);

} // namespace dlm::sema
