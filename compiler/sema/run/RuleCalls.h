// What a test can ask of an optimizer: the step that its rule makes.
#pragma once

#include "compiler/sema/builtins/Builtin.h"

#include <optional>
#include <string>

namespace dlm::sema {

/// A function that belongs to an optimizer with its arguments; nothing if there is none.
std::optional<Value> optimizerMember(const Value &optimizer, const std::string &name);

} // namespace dlm::sema
