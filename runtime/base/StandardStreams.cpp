#include "runtime/base/StandardStreams.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace dlm {

void holdClosedStreams() {
  int file;
  do
    file = open("/dev/null", O_RDONLY); // also for output: writing to it fails, and is noticed
  while (file >= 0 && file <= STDERR_FILENO);
  if (file > STDERR_FILENO) close(file);
}

Arrival arrivalOf(std::FILE *stream) {
  if (!std::ferror(stream)) return Arrival::Arrived;
  struct stat info;
  int descriptor = fileno(stream);
  bool isPipe = descriptor >= 0 && fstat(descriptor, &info) == 0 &&
                (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode));
  return isPipe ? Arrival::Unwanted : Arrival::Lost;
}

} // namespace dlm
