// Tensors as text and as JSON: what a declared command gives.
#pragma once

#include "runtime/executor/Engine.h"

#include <string>

namespace dlm {

/// A scalar in a line, a vector in a line, a matrix line by line, anything else as matrices with a
/// blank line between them. `isTruth`: numbers other than 0 are `true`.
std::string tensorText(const BufferView &tensor, bool isTruth);

/// One element, by its place in the order of memory.
std::string elementText(const BufferView &tensor, int64_t index, bool isTruth);

/// All of it as nested lists.
std::string tensorJson(const BufferView &tensor, bool isTruth);

} // namespace dlm
