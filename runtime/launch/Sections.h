// The two sections that make a runner a program. They are found by section header in the program's
// own file, so they survive `strip`, which a payload merely appended to the file would not.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

constexpr const char *PlanSection = ".dlm.plan";
constexpr const char *KernelsSection = ".dlm.kernels";

/// Bytes of the sections; empty if the file has none of that name.
struct ProgramSections {
  std::vector<uint8_t> plan;
  std::vector<uint8_t> kernels;
};

/// Reads the sections of the ELF file at `path`.
Expected<ProgramSections> readProgramSections(const std::string &path);

} // namespace dlm
