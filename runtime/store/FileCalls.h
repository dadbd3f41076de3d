// The calls to the system by which a FileStore writes. Disks that fill up, fail or write in bits
// are rare where tests run; a test's own calls bring them about.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace dlm {

/// Each means what the call of its name does, errno included.
class FileCalls {
public:
  virtual ~FileCalls() = default;
  virtual int create(const char *path); // open for writing, empty
  virtual ssize_t write(int descriptor, const void *bytes, size_t count);
  virtual int fsync(int descriptor);
  virtual int close(int descriptor);
  virtual int rename(const char *from, const char *to);
  virtual int unlink(const char *path);
  virtual int fallocate(int descriptor, uint64_t sizeBytes);
};

/// Those of the system.
FileCalls &systemFileCalls();

} // namespace dlm
