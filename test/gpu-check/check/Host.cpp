// Names without the host's own: reports are shown around.
#include "test/gpu-check/check/Host.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/utsname.h>

namespace dlm::gpucheck {

std::string hostName() {
  utsname names;
  if (uname(&names) != 0) return "unknown";
  return std::string(names.sysname) + " " + names.release + " " + names.machine;
}

std::string processorName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(": ") + 2);
  return "unknown";
}

Expected<std::string> makeTemporaryFolder() {
  std::error_code error;
  std::string path = std::filesystem::temp_directory_path(error).string() + "/dlm-gpu-check-XXXXXX";
  if (!mkdtemp(path.data())) return systemError("cannot make a folder " + path, errno);
  return path;
}

} // namespace dlm::gpucheck
