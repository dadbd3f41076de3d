// A finding holds the number of its site, so that later launches of the kernel count it up. A
// process runs one image; two with a kernel of the same name would share their counts.
#include "runtime/device/emulator/Findings.h"

namespace dlm::emulator {

namespace {

uint64_t keyOf(Fault fault, uint32_t site) { return uint64_t(fault) << 32 | site; }

} // namespace

std::string Findings::siteText(uint32_t site) const {
  if (site >= image.siteCount || !image.sites[site].text) return "an unknown instruction";
  return std::string("`") + image.sites[site].text + "`";
}

Finding *Findings::find(Fault fault, uint32_t site) {
  auto place = places.find(keyOf(fault, site));
  if (place != places.end()) return &report.findings[place->second];
  for (size_t i = 0; i < report.findings.size(); ++i) {
    Finding &finding = report.findings[i];
    if (finding.fault != fault || finding.site != site || finding.function != function.name)
      continue;
    places[keyOf(fault, site)] = i;
    return &finding;
  }
  return nullptr;
}

void Findings::append(Fault fault, uint32_t site, std::string what) {
  places[keyOf(fault, site)] = report.findings.size();
  std::string message = std::string("kernel `") + function.name + "`";
  if (site != NoSite) message += ", " + siteText(site);
  report.findings.push_back({fault, function.name, message + ": " + what, 1, site});
}

const char *faultName(Fault fault) {
  switch (fault) {
  case Fault::Race:
    return "race";
  case Fault::OutOfBounds:
    return "out-of-bounds";
  case Fault::Uninitialised:
    return "uninitialised";
  case Fault::Misaligned:
    return "misaligned";
  case Fault::DivergentBarrier:
    return "divergent-barrier";
  case Fault::DivergentCollective:
    return "divergent-collective";
  case Fault::Deadlock:
    return "deadlock";
  case Fault::LaunchSize:
    return "launch-size";
  case Fault::Trap:
    return "trap";
  }
  return "unknown";
}

} // namespace dlm::emulator
