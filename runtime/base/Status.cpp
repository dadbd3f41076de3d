// Status and assertions: the text of failures.
#include "runtime/base/Status.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace dlm {

const char *codeName(Code code) {
  switch (code) {
  case Code::Ok:
    return "ok";
  case Code::InvalidArgument:
    return "invalid argument";
  case Code::NotFound:
    return "not found";
  case Code::Corrupt:
    return "corrupt";
  case Code::Io:
    return "input/output";
  case Code::NoSpace:
    return "no space";
  case Code::Unsupported:
    return "unsupported";
  case Code::Interrupted:
    return "interrupted";
  case Code::NotFinite:
    return "not finite";
  case Code::Internal:
    return "internal";
  }
  return "unknown";
}

Status Status::error(Code code, std::string message, const char *file, int line) {
  DLM_ASSERT(code != Code::Ok, "a failure needs a code");
  Status status;
  status.state = std::make_shared<const State>(State{code, std::move(message), file, line});
  return status;
}

const std::string &Status::message() const {
  static const std::string empty;
  return state ? state->message : empty;
}

std::string Status::origin() const {
  return state ? std::string(state->file) + ":" + std::to_string(state->line) : std::string();
}

Status Status::withContext(const std::string &text) const {
  if (isOk()) return *this;
  Status status;
  status.state = std::make_shared<const State>(
      State{state->code, text + ": " + state->message, state->file, state->line});
  return status;
}

Status systemError(const std::string &what, int errorNumber, const char *file, int line) {
  Code code = Code::Io;
  if (errorNumber == ENOSPC || errorNumber == EDQUOT)
    code = Code::NoSpace;
  else if (errorNumber == ENOENT)
    code = Code::NotFound;
  else if (errorNumber == EINTR)
    code = Code::Interrupted;
  return Status::error(code, what + ": " + std::strerror(errorNumber), file, line);
}

void assertionFailed(const char *condition, const char *text, const char *file, int line) {
  std::fprintf(stderr, "%s:%d: internal error: %s (`%s` does not hold)\n", file, line, text,
               condition);
  std::fflush(stderr);
  std::abort();
}

} // namespace dlm
