// Where something of a model is stored that was made of it.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <string>

namespace dlm::sema {

/// The place, in a copy or an average, of what lies at `path` in its model; empty for a frozen
/// model, which has nothing of its own.
std::string storedPath(const Marker &marker, const std::string &path);

} // namespace dlm::sema
