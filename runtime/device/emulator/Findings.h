// Adds faults to a report: each kind at each site of a kernel once, and how often it was found.
#pragma once

#include "runtime/device/emulator/Emulator.h"

#include <unordered_map>

namespace dlm::emulator {

constexpr uint32_t NoSite = ~0u;

class Findings {
public:
  Findings(const DlmEmuImage &image, const DlmEmuFunction &function, Report &report)
      : image(image), function(function), report(report) {}

  /// Counts the fault. `describe` gives the message and is called for the first one only.
  template <class Describe> void add(Fault fault, uint32_t site, Describe describe) {
    if (Finding *known = find(fault, site))
      ++known->count;
    else
      append(fault, site, describe());
  }

  /// The instruction in words.
  std::string siteText(uint32_t site) const;

private:
  Finding *find(Fault fault, uint32_t site);
  void append(Fault fault, uint32_t site, std::string what);

  const DlmEmuImage &image;
  const DlmEmuFunction &function;
  Report &report;
  std::unordered_map<uint64_t, size_t> places; // of this launch, into the report
};

} // namespace dlm::emulator
