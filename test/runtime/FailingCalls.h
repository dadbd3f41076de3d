// A disk that fails when a test wants it to.
#pragma once

#include "runtime/store/FileCalls.h"

#include <algorithm>
#include <cerrno>
#include <climits>

namespace dlm::test {

class FailingCalls : public FileCalls {
public:
  size_t bytesAtOnce = SIZE_MAX; // what a write takes at most

  /// The call after `count` others fails.
  void failOnce(int count, int errorNumber) { set(count, errorNumber, count + 1); }
  /// And so do all after it.
  void failFrom(int count, int errorNumber) { set(count, errorNumber, INT_MAX); }
  bool hasFailed() const { return failures > 0; }

  int create(const char *path) override { return fails() ? -1 : FileCalls::create(path); }
  ssize_t write(int descriptor, const void *bytes, size_t count) override {
    return fails() ? -1 : FileCalls::write(descriptor, bytes, std::min(count, bytesAtOnce));
  }
  int fsync(int descriptor) override { return fails() ? -1 : FileCalls::fsync(descriptor); }
  int close(int descriptor) override {
    int result = FileCalls::close(descriptor);
    return fails() ? -1 : result;
  }
  int rename(const char *from, const char *to) override {
    return fails() ? -1 : FileCalls::rename(from, to);
  }
  int unlink(const char *path) override { return fails() ? -1 : FileCalls::unlink(path); }
  int fallocate(int descriptor, uint64_t sizeBytes) override {
    return fails() ? -1 : FileCalls::fallocate(descriptor, sizeBytes);
  }

private:
  void set(int first, int errorNumber, int end) {
    from = first;
    until = end;
    error = errorNumber;
    calls = failures = 0;
  }
  bool fails() {
    bool isOne = calls >= from && calls < until;
    ++calls;
    failures += isOne;
    if (isOne) errno = error;
    return isOne;
  }
  int calls = 0, failures = 0, from = INT_MAX, until = INT_MAX, error = EIO;
};

} // namespace dlm::test
