// The flags that every compiled program takes, written once: the runtime parses and explains them,
// and the compiler refuses options of these names, which no command line could set.
#pragma once

#include <string_view>

namespace dlm {

/// A flag of the table, for parsing and for --help.
struct FlagSpec {
  const char *name;     // without the dashes
  const char *argument; // what --help calls its value; empty for a switch
  const char *commands; // letters of the commands that take it: t(rain) e(val) b(ench) i(nfo)
  const char *doc;
  bool isForDevices = false; // only of programs that were compiled for a GPU
};

inline constexpr FlagSpec ProgramFlags[] = {
    {"steps", "N", "tb", "length of the whole run, in place of the program's; bench: its steps"},
    {"to", "DIR", "t", "folder for the checkpoints, in place of the program's"},
    {"resume", "", "t", "go on from the latest checkpoint in the folder, to the same bits"},
    {"seed", "N", "t", "seed of parameters, order and randomness, in place of the program's"},
    {"from", "PATH", "e", "checkpoint, or folder whose latest one is taken"},
    {"plan", "", "i", "print the compiled plan: every program, instruction and buffer"},
    {"threads", "N", "teb", "number of threads (default: the cores of this machine)"},
    {"data", "NAME=PATH", "teb", "read the data called NAME from PATH"},
    {"device", "NAME", "teb", "`cuda`, or `emulator`: the same code without a GPU", true},
    {"order", "NAME", "teb", "emulator: `sequential`, `reverse`, `random` or `warp-skew`", true},
    {"order-seed", "N", "teb", "emulator: which random order (default 1)", true},
    {"emulator-report", "FILE", "teb", "emulator: write what was found and counted, as JSON", true},
    {"json", "", "tebi", "print JSON, one object a line"},
    {"help", "", "tebi", "this text"},
    {"version", "", "tebi", "what the program was compiled from and by"},
};

/// Is `--name` a flag of every program?
constexpr bool isProgramFlag(std::string_view name) {
  for (const FlagSpec &flag : ProgramFlags)
    if (name == flag.name) return true;
  return false;
}

} // namespace dlm
