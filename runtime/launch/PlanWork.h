// What the instructions of a plan have to do, known without running them: operations, bytes, and
// the line of the program that asked for it.
#pragma once

#include "runtime/abi/Plan_generated.h"

#include <string>
#include <vector>

namespace dlm {

struct Work {
  std::string name;
  double flops = 0, read = 0, written = 0; // bytes of distinct elements
  uint32_t location = 0;

  double bytes() const { return read + written; }
};

/// The work of every instruction of a program, in the order in which engines count them. That of a
/// loop's instructions is for all its rounds.
std::vector<Work> workOf(const plan::Plan &plan, const plan::Program &program);

/// The program of a name, or null.
const plan::Program *findProgram(const plan::Plan &plan, const std::string &name);

/// A program, and how often a step runs it.
struct StepProgram {
  std::string name;
  int64_t runs;
};

/// The programs of a step that makes all its updates, with `microBatches` to a batch.
std::vector<StepProgram> programsOfStep(const plan::Recipe *recipe, int64_t microBatches);

/// "FILE:LINE" of a location; empty if it has none.
std::string placeOf(const plan::Plan &plan, uint32_t location);

/// The layer of a location: `net.hidden`; empty if it has none.
std::string layerOf(const plan::Plan &plan, uint32_t location);

/// All memory that the plan takes, but for that of threads that make samples.
uint64_t arenaBytes(const plan::Plan &plan);
/// What each of those takes.
uint64_t threadBytes(const plan::Plan &plan);

} // namespace dlm
