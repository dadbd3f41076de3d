// What to do where samples of a data source are asked of the source itself.
#pragma once

#include "compiler/sema/value/Value.h"

#include <string>

namespace dlm::sema {

class Evaluator;

/// How the code at hand reaches samples of a source: hooks by their batch, a command by a model
/// that keeps them. `field` is the one that is wanted, if that is known.
std::string adviceForSamples(const Evaluator &evaluator, const Operand &source,
                             const std::string &field = "");

} // namespace dlm::sema
