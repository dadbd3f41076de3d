// What a number that the run may still change is as long as nobody changes it.
#pragma once

#include "compiler/sema/value/Value.h"

#include <optional>

namespace dlm::sema {

class Evaluator;

/// The value of a number that constants and options alone make, options having their defaults or
/// what `-D` gave; nothing for any other value.
std::optional<double> valueSoFar(Evaluator &evaluator, const Value &value);

} // namespace dlm::sema
