// The flags that every compiled program takes, written once: the runtime parses and explains them,
// and the compiler refuses options of these names, which no command line could set.
#pragma once

#include <string_view>

namespace dlm {

/// A flag of the table, for parsing and for --help.
struct FlagSpec {
  const char *name;     // without the dashes
  const char *argument; // what --help calls its value; empty for a switch
  const char *commands; // letters of the commands that take it: t(rain) e(val) p(redict) b(ench)
                        // i(nfo), and c(ommands) of the program
  const char *doc;      // behind `; bench: ` what it is for that command alone, in place of what
                        // stands in front; behind `; train also: ` what it is besides
  bool isForDevices = false; // only of programs that were compiled for a GPU
};

inline constexpr FlagSpec ProgramFlags[] = {
    {"duration", "LENGTH", "ti",
     "length of the whole run, in place of the program's: `500 steps`, `3 epochs`, `1e6 samples`, "
     "`1e9 tokens`; a time, such as `90 min`, is that of this process"},
    {"steps", "N", "tbi", "the same in steps; bench: how many it times"},
    {"to", "PATH", "tip",
     "folder for the checkpoints, in place of the program's; predict: file for the results, "
     "which ends in `.csv`, `.jsonl` or `.npy` (without it CSV on standard output)"},
    {"resume", "", "t", "go on from the latest checkpoint in the folder, to the same bits"},
    {"accept-changes", "", "tep",
     "go on although the data has changed since the program was compiled; train also: with "
     "--resume although the program, its options or its data have since the checkpoint was "
     "written"},
    {"seed", "N", "tic",
     "seed of all that is random, such as parameters and order, in place of the program's"},
    {"from", "PATH", "epci",
     "checkpoint, or folder whose latest one is taken; info: checkpoint, or folder of them, to "
     "tell of in place of the program"},
    {"plan", "", "i", "print the compiled plan: every program, instruction and buffer"},
    {"threads", "N", "tepbc",
     "number of threads on the processor (default: its cores, or 1 if steps are too small to "
     "share)"},
    {"loader-threads", "N", "t", "number of threads that make batches ready (default: 1)"},
    {"data", "PATH", "tepbi",
     "read the data from PATH (or NAME=PATH, where a program has several); predict: file whose "
     "rows "
     "it is for"},
    {"split", "NAME", "p", "`train`, `validation` or `test`: predict for a part of the data"},
    {"device", "NAME", "tepbc",
     "`cuda`, or `emulator`: without a GPU; the default if there is code for it", true},
    {"order", "NAME", "tepbc", "emulator: `sequential`, `reverse`, `random` or `warp-skew`", true},
    {"order-seed", "N", "tepbc", "emulator: which random order (default 1)", true},
    {"emulator-report", "FILE", "tepbc", "emulator: write findings and counts as JSON", true},
    {"json", "", "tepbic", "print JSON, one object a line"},
    {"help", "", "tepbic", "this text"},
    {"version", "", "tepbic", "what the program was compiled from and by"},
};

/// The flag that an option of this name would be taken for, or null. On the command line an option
/// may be written with `-` for `_`.
constexpr const FlagSpec *findProgramFlag(std::string_view option) {
  for (const FlagSpec &flag : ProgramFlags) {
    std::string_view name = flag.name;
    bool isSame = name.size() == option.size();
    for (size_t i = 0; isSame && i < name.size(); ++i)
      isSame = name[i] == option[i] || (name[i] == '-' && option[i] == '_');
    if (isSame) return &flag;
  }
  return nullptr;
}

} // namespace dlm
