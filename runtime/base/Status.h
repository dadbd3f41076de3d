// What an operation that may fail for a reason outside the program returns. A Status is a code, a
// message in plain words and the source line that made it; callers add context on the way up, so
// the final text reads from the general to the particular. No exception crosses a module edge.
#pragma once

#include "runtime/base/Assert.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace dlm {

/// What kind of failure it is; the message carries the rest.
enum class Code : unsigned char {
  Ok,
  InvalidArgument, // the caller or the user asked for something that cannot be
  NotFound,
  Corrupt, // bytes that do not mean what they should
  Io,
  NoSpace,
  Unsupported, // this machine or build cannot do it
  Interrupted,
  NotFinite, // a value that must be finite is not
  Internal,
};

/// The word printed for a code.
const char *codeName(Code code);

class [[nodiscard]] Status {
public:
  Status() = default;

  static Status ok() { return Status(); }

  /// A failure. `file` and `line` name the source line that made it.
  static Status error(Code code, std::string message, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE());

  bool isOk() const { return !state; }
  Code code() const { return state ? state->code : Code::Ok; }

  /// The message with all context; empty when ok.
  const std::string &message() const;

  /// "FILE:LINE" of the origin; empty when ok.
  std::string origin() const;

  /// The same failure, its message preceded by "TEXT: ". Ok stays ok.
  Status withContext(const std::string &text) const;

private:
  struct State {
    Code code;
    std::string message;
    const char *file;
    int line;
  };
  std::shared_ptr<const State> state;
};

inline Status invalidArgument(std::string message, const char *file = __builtin_FILE(),
                              int line = __builtin_LINE()) {
  return Status::error(Code::InvalidArgument, std::move(message), file, line);
}
inline Status notFound(std::string message, const char *file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
  return Status::error(Code::NotFound, std::move(message), file, line);
}
inline Status corrupt(std::string message, const char *file = __builtin_FILE(),
                      int line = __builtin_LINE()) {
  return Status::error(Code::Corrupt, std::move(message), file, line);
}
inline Status unsupported(std::string message, const char *file = __builtin_FILE(),
                          int line = __builtin_LINE()) {
  return Status::error(Code::Unsupported, std::move(message), file, line);
}
inline Status internalError(std::string message, const char *file = __builtin_FILE(),
                            int line = __builtin_LINE()) {
  return Status::error(Code::Internal, std::move(message), file, line);
}

/// A failed system call: "WHAT: <text of errno>", NoSpace, NotFound or Io by `errorNumber`.
Status systemError(const std::string &what, int errorNumber, const char *file = __builtin_FILE(),
                   int line = __builtin_LINE());

/// A value or the reason why there is none.
template <class T> class [[nodiscard]] Expected {
public:
  Expected(T value) : held(std::move(value)) {}
  Expected(Status status) : failure(std::move(status)) {
    DLM_ASSERT(!failure.isOk(), "an Expected without a value needs a failure");
  }
  template <class U, class = std::enable_if_t<std::is_convertible_v<U &&, T> &&
                                              !std::is_same_v<std::decay_t<U>, T> &&
                                              !std::is_same_v<std::decay_t<U>, Expected> &&
                                              !std::is_same_v<std::decay_t<U>, Status>>>
  Expected(U &&value) : held(T(std::forward<U>(value))) {}

  bool isOk() const { return held.has_value(); }
  explicit operator bool() const { return isOk(); }

  /// Ok, or the failure.
  const Status &status() const { return failure; }

  T &operator*() { return get(); }
  const T &operator*() const { return const_cast<Expected *>(this)->get(); }
  T *operator->() { return &get(); }
  const T *operator->() const { return &const_cast<Expected *>(this)->get(); }

  /// Moves the value out.
  T take() { return std::move(get()); }

private:
  T &get() {
    DLM_ASSERT(held.has_value(), "the value of a failed Expected was used");
    return *held;
  }
  std::optional<T> held;
  Status failure;
};

} // namespace dlm

/// Returns from the calling function with the failure of `expression`, if it failed.
#define DLM_TRY(expression)                                                                        \
  do {                                                                                             \
    if (::dlm::Status dlmStatus = (expression); !dlmStatus.isOk()) return dlmStatus;               \
  } while (false)
