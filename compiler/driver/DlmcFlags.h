// The flags of dlmc.
#pragma once

#include "compiler/driver/DlmcArguments.h"

#include <functional>

namespace dlm {

struct DlmcFlag {
  std::string name;      // with its dashes
  unsigned commands = 0; // a bit for each command it serves
  std::string value;     // what --help calls its value; empty for a switch
  std::string doc;
  std::function<std::string(DlmcArguments &, const std::string &)> apply; // "" or what is wrong
  bool isOptional = false; // the value may be left out, and never stands alone

  bool serves(DlmcArguments::Command command) const { return (commands >> command & 1) != 0; }
};

/// All of them, in the order of --help.
const std::vector<DlmcFlag> &dlmcFlags();

} // namespace dlm
