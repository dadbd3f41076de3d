// A file that is there when it is whole, and not before.
#pragma once

#include "runtime/base/Status.h"

#include <cstdio>
#include <string>

namespace dlm {

/// It is written beside its place and takes that at the end. A link is followed: what it leads to
/// is replaced, and the link stays. If something fails, or nobody finishes the file, what was there
/// before stays as it was and nothing else is left. Failures name the path as it was given.
class FreshFile {
public:
  /// What cannot be replaced, such as a pipe or a device, is written as it is.
  static Expected<FreshFile> create(const std::string &path);
  FreshFile(FreshFile &&other) noexcept;
  FreshFile &operator=(FreshFile &&) = delete;
  ~FreshFile();

  std::FILE *stream() const { return file; }

  /// Where it stands until it is finished.
  const std::string &placeUntilThen() const { return partial; }

  /// A failure if something that was written to the stream did not go.
  Status check() const;

  /// Closes it and gives it its name.
  Status finish();

private:
  FreshFile(std::string path) : path(std::move(path)) {}

  std::string path, target, partial; // as given; behind links; empty: written as it is
  std::FILE *file = nullptr;
};

/// What links lead to from a path, which need not be there.
std::string behindLinks(const std::string &path);

} // namespace dlm
