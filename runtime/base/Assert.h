// Programmer errors. They end the process at the line that found them, in every build: a broken
// invariant must not reach a checkpoint. The world's errors are a Status (Status.h).
#pragma once

namespace dlm {

/// Prints the failed condition and its place to standard error and aborts.
[[noreturn]] void assertionFailed(const char *condition, const char *text, const char *file,
                                  int line);

} // namespace dlm

/// Ends the process unless `condition` holds.
#define DLM_ASSERT(condition, text)                                                                \
  (__builtin_expect(static_cast<bool>(condition), 1)                                               \
       ? static_cast<void>(0)                                                                      \
       : ::dlm::assertionFailed(#condition, text, __FILE__, __LINE__))
