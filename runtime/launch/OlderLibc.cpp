// Lets programs start where the C library is glibc 2.35 (Ubuntu 22.04). The C++ library inside them
// asks for `arc4random`, which came with 2.36; this is it, from the same source, the kernel. Only
// `std::random_device` calls it, and nothing of ours uses that: bits come from Philox.
#include <cstdlib>
#include <sys/random.h>

extern "C" __attribute__((visibility("hidden"))) unsigned arc4random() noexcept {
  unsigned value = 0;
  if (getrandom(&value, sizeof value, 0) != ssize_t(sizeof value)) std::exit(1);
  return value;
}
