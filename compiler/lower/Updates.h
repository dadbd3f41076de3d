// `update` blocks on their way to one graph of the loss: what looks at a program's loss and rules
// needs to know of one form only.
#pragma once

#include "compiler/sema/TypedProgram.h"

#include <string>
#include <vector>

namespace dlm::lower {

/// Puts the losses and rules of the updates together, in their order, as those of the program. The
/// updates keep their names, numbers, lists of rules, and what their losses give buffers, by the
/// nodes of the one graph. A program without updates stays.
void joinUpdates(sema::TypedProgram &program);

/// What has to wait of joined updates, and why.
struct WaitingUpdate {
  Span span;
  std::string what, reason;
};
std::vector<WaitingUpdate> waitingUpdates(const sema::TypedProgram &program);

} // namespace dlm::lower
