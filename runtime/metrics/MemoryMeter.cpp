// Linux tells in /proc/self/statm: pages of the address space, pages in memory, ...
#include "runtime/metrics/MemoryMeter.h"

#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

namespace dlm {

MemoryMeter::MemoryMeter() : file(open("/proc/self/statm", O_RDONLY | O_CLOEXEC)) {}

MemoryMeter::~MemoryMeter() {
  if (file >= 0) close(file);
}

int64_t MemoryMeter::bytes(int64_t nowNs) {
  if (file < 0 || (readNs >= 0 && nowNs - readNs < AgeMaxNs)) return lastBytes;
  readNs = nowNs;
  char text[128];
  ssize_t size = pread(file, text, sizeof text - 1, 0);
  long long whole = 0, inMemory = 0;
  if (size > 0) {
    text[size] = 0;
    if (std::sscanf(text, "%lld %lld", &whole, &inMemory) == 2)
      lastBytes = int64_t(inMemory) * sysconf(_SC_PAGESIZE);
  }
  return lastBytes;
}

} // namespace dlm
