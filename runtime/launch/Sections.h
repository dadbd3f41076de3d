// The sections that make a runner a program. They are found by section header in the program's
// own file, so they survive `strip`, which a payload merely appended to the file would not.
#pragma once

#include "runtime/base/Status.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dlm {

constexpr const char *PlanSection = ".dlm.plan";
constexpr const char *KernelsSection = ".dlm.kernels";

/// Device code: the rest of the name says in which form (`sm_80`, `ptx`, `emulator`).
constexpr const char *DeviceSectionPrefix = ".dlm.device.";

/// A line `NAME CRC32` for each of the others, in hexadecimal.
constexpr const char *SumsSection = ".dlm.sums";

/// Bytes of the sections; empty if the file has none of that name.
struct ProgramSections {
  struct Image {
    std::string name;
    std::vector<uint8_t> bytes;
  };
  std::vector<uint8_t> plan;
  std::vector<uint8_t> kernels;
  std::vector<Image> images; // in the order of the file
};

/// Reads the sections of the ELF file at `path` and compares them with their sums: a program that
/// was damaged, or put together from parts of several, is `Corrupt`.
Expected<ProgramSections> readProgramSections(const std::string &path);

} // namespace dlm
