// The command line of dlm-gpu-check.
#pragma once

#include "runtime/base/Status.h"

#include <map>
#include <string>
#include <vector>

namespace dlm::gpucheck {

struct Arguments {
  bool help = false;
  bool emulate = false;
  bool quick = false;
  unsigned steps = 100;
  std::string only;                        // kernels, times or training; empty: all
  std::string bundle;                      // the folder of this program by default
  std::string json = "gpu-check.json";     // in the working folder
  std::map<std::string, std::string> data; // NAME=PATH
};

extern const char HelpText[];

/// The failure is a sentence for the user.
Expected<Arguments> parseArguments(const std::vector<std::string> &words);

} // namespace dlm::gpucheck
