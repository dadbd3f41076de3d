// What `info` tells of a program, read from its plan and the command line; how it is told is in
// InfoCommand and InfoJson.
#pragma once

#include "runtime/data/RowFile.h"
#include "runtime/launch/Commands.h"
#include "runtime/launch/FittedFacts.h"
#include "runtime/launch/PlanWork.h"

#include <string>
#include <vector>

namespace dlm {

/// A value of the program, and where it comes from: "FILE:LINE", "-D", "--lr", or "default".
struct ValueFact {
  std::string name, value, origin;
};

struct OptionFact {
  ProgramOption option; // with the value that holds
  std::string origin;
};

struct ParameterFact {
  std::string path, layer, type; // `net.hidden.weight`, `net.hidden`, `f32[784, 512]`
  std::vector<int64_t> shape;
  int64_t count = 0;
  std::string initialiser, place;
};

/// What a program of the plan does in one step, or in one batch of an evaluation.
struct WorkFact {
  std::string program;
  int64_t runs = 1; // in a step
  int64_t instructions = 0;
  double flops = 0, read = 0, written = 0;
};

struct MemoryFact {
  std::string what, place, layer;
  uint64_t bytes = 0;
};

struct ProgramFacts {
  std::vector<ValueFact> settings;
  std::vector<OptionFact> options;
  std::vector<ParameterFact> parameters;
  std::vector<ParameterFact> buffers; // stored, and not trained
  std::vector<WorkFact> work;         // of a step; then of `eval`, if there is one
  std::vector<WorkFact> sampleWork;   // of a sample that `data.map` makes: in training, else
  uint64_t threadBytes = 0;           // of each thread that makes samples
  std::vector<MemoryFact> arenas, largest;
  int64_t parameterCount = 0;
  uint64_t parameterBytes = 0, checkpointBytes = 0;
  uint64_t flatBytes = 0; // that parameters take in memory, with what lies between them
  uint64_t dataBytes = 0; // of samples that are kept in memory
  int64_t batch = 0;
  std::string dataPath;
  std::vector<std::string> numberColumns; // of the data, if it is a table
  std::vector<FittedFact> fitted;
  std::vector<NamedIds> categories; // of the data, as far as they have names
  int64_t steps = 0;                // of the whole run; 0 if a time decides
  std::string scheduleNote;         // what was rounded, or why the run is not possible

  /// The sum of what is done in a step.
  WorkFact step() const;
};

ProgramFacts factsOf(const CommandContext &context, const plan::RecipeT &recipe);

/// The object that `info --json` prints, in a line.
std::string infoJson(const CommandContext &context, const plan::RecipeT &recipe,
                     const ProgramFacts &facts);

} // namespace dlm
