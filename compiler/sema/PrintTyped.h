// The typed program as text, for `dlmc --emit=typed` and tests.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <string>

namespace dlm::sema {

/// One line a node, `%3 = matmul %1, %2 : f32[batch, 512] row`; stable from run to run.
std::string printTyped(const TypedProgram &program);

} // namespace dlm::sema
