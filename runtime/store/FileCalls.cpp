// The system's own calls.
#include "runtime/store/FileCalls.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace dlm {

int FileCalls::create(const char *path) {
  return ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0666);
}
ssize_t FileCalls::write(int descriptor, const void *bytes, size_t count) {
  return ::write(descriptor, bytes, count);
}
int FileCalls::fsync(int descriptor) { return ::fsync(descriptor); }
int FileCalls::close(int descriptor) { return ::close(descriptor); }
int FileCalls::rename(const char *from, const char *to) { return std::rename(from, to); }
int FileCalls::unlink(const char *path) { return ::unlink(path); }
int FileCalls::fallocate(int descriptor, uint64_t sizeBytes) {
  return ::fallocate(descriptor, 0, 0, off_t(sizeBytes));
}

FileCalls &systemFileCalls() {
  static FileCalls calls;
  return calls;
}

} // namespace dlm
