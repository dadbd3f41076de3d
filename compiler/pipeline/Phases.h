// Runs one phase after the other and keeps the books: how long each took, what the program looked
// like after it, and, if one fails, what it was given.
#pragma once

#include "runtime/base/Status.h"

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/PassManager.h>

#include <functional>
#include <string>
#include <vector>

namespace dlm {

struct PhaseOptions {
  /// Folder for numbered dumps, created if it is missing; empty: none.
  std::string dumpFolder;
  /// Measure the time of every phase.
  bool time = false;
  /// Folder for what a failed phase was given; "." by default.
  std::string reproducerFolder = ".";
};

/// How long a phase took.
struct PhaseTime {
  std::string name;
  double milliseconds = 0;
};

class Phases {
public:
  explicit Phases(const PhaseOptions &options) : options(options) {}

  /// Runs a phase that is not a pass over IR. `work` fails after reporting; `text` is what the dump
  /// shows and is asked only if there is one.
  Status run(const std::string &name, const std::string &extension,
             const std::function<Status()> &work, const std::function<std::string()> &text);

  /// Runs a phase that takes a module, which `work` may change. A failure is the compiler's: the
  /// message names the phase, the op's error and a file that replays it by the pass `pass`.
  Status runOn(mlir::ModuleOp module, const std::string &name, const std::string &pass,
               const std::function<mlir::LogicalResult()> &work,
               const std::function<std::string()> &text);

  /// The same for a phase that is a list of passes, which together are the pass `dlm-NAME`.
  Status runPasses(const std::string &name, mlir::ModuleOp module,
                   const std::function<void(mlir::OpPassManager &)> &build);

  const std::vector<PhaseTime> &times() const { return phaseTimes; }
  /// The table of `--time-phases`.
  std::string timeReport() const;

private:
  Status dump(const std::string &name, const std::string &extension, const std::string &text);
  std::string writeReproducer(const std::string &name, const std::string &pass,
                              const std::string &input) const;

  PhaseOptions options;
  std::vector<PhaseTime> phaseTimes;
  unsigned number = 0;
  std::string lastName, lastText;
};

/// The module as the compiler's dumps show it.
std::string printModule(mlir::ModuleOp module);

} // namespace dlm
