// The rules of NVIDIA's binary compatibility: code for X.Y runs on X.Z with Z >= Y, code with the
// suffix `a` only on exactly X.Y.
#include "runtime/device/cuda/ImageChoice.h"

#include <cctype>
#include <map>

namespace dlm::cuda {

namespace {

struct Architecture {
  int major = 0, minor = 0;
  bool isExact = false;
};

/// False if the name is not `sm_` with a number.
bool parseArchitecture(const std::string &name, Architecture &architecture) {
  if (name.compare(0, 3, "sm_") != 0) return false;
  size_t end = 3;
  int number = 0;
  for (; end < name.size() && end < 8 && std::isdigit(static_cast<unsigned char>(name[end])); ++end)
    number = number * 10 + (name[end] - '0');
  if (end == 3) return false;
  architecture = {number / 10, number % 10, name.compare(end, std::string::npos, "a") == 0};
  return true;
}

} // namespace

std::vector<const DeviceImage *> orderImages(const std::vector<DeviceImage> &images, int major,
                                             int minor) {
  constexpr int PtxRank = 100, OtherRank = 101;
  std::multimap<int, const DeviceImage *> ranked; // lower is better; equals stay in order
  for (const DeviceImage &image : images) {
    Architecture code;
    if (!parseArchitecture(image.name, code))
      ranked.emplace(image.name == "ptx" ? PtxRank : OtherRank, &image);
    else if (code.major == major && (code.isExact ? code.minor == minor : code.minor <= minor))
      ranked.emplace(2 * (minor - code.minor) + !code.isExact, &image);
  }
  std::vector<const DeviceImage *> ordered;
  for (auto [rank, image] : ranked)
    ordered.push_back(image);
  return ordered;
}

} // namespace dlm::cuda
