// The front end walks trees by recursion. How deep a tree can get is limited by the parser, but
// the limit is chosen for people (256 levels), not for 8 MiB of stack and sanitizer-sized frames,
// so parsing and checking run on a thread whose stack is large enough for it.
#pragma once

#include <functional>

namespace dlm {

/// Runs `function` on a thread with a 256 MiB stack (reserved, not touched) and waits for it. An
/// exception thrown in it is thrown again here. Runs it in place if no such thread can be made.
void runOnLargeStack(const std::function<void()> &function);

} // namespace dlm
