// A program of the plan in the form the workers walk: a flat list of steps with resolved addresses,
// split into chunks of items, with a barrier only where one is needed. Made once when the plan is
// opened; a run only reads it.
//
// Barriers: an instruction marked `sync` waits for all before it. A step too small to share runs on
// worker 0 alone ("solo"); between two solo steps no barrier is needed, so a wish to wait is kept
// until the first shared step or the first solo step after a shared one.
#pragma once

#include "runtime/abi/Kernel.h"
#include "runtime/abi/Plan_generated.h"
#include "runtime/executor/KernelLibrary.h"
#include "runtime/math/Contract.h"

#include <string>
#include <vector>

namespace dlm {

/// Bytes of one work item of a copy or a fill.
constexpr uint64_t CopyItemBytes = 65536;

/// A place in memory a step works on; the strides move it inside loops.
struct StepRef {
  uint8_t *base;
  int64_t stride[2];
  uint64_t sizeBytes; // how many bytes from there the step may touch
  uint32_t buffer;
  bool written;
};

struct Step {
  enum class Kind : uint8_t { Kernel, Contract, Copy, Fill, LoopBegin, LoopEnd };

  Kind kind = Kind::Kernel;
  bool barrier = false;     // all workers meet before this step
  bool solo = false;        // worker 0 does all of it
  bool last = true;         // the instruction ends with this step
  uint8_t depth = 0;        // loops around it; for LoopBegin and LoopEnd: outside of theirs
  uint32_t instruction = 0; // number within the program, loop bodies counted once
  uint32_t location = 0;
  int64_t items = 0;
  int64_t chunks = 1;
  uint32_t firstRef = 0; // refs [firstRef, firstRef + refCount) of the program
  uint32_t refCount = 0;
  DlmKernel kernel = nullptr;
  int64_t extent = 0;
  uint32_t contract = 0; // index into ProgramCode::contracts
  int phase = 0;
  uint64_t sizeBytes = 0; // Copy, Fill
  uint32_t pattern = 0;   // Fill
  uint32_t trips = 0;     // LoopBegin, LoopEnd
  uint32_t partner = 0;   // LoopBegin: the step of its LoopEnd, and back
};

/// What a program costs by the same guesses that cut its steps into pieces.
struct ProgramCost {
  double soloNs = 0, sharedNs = 0;
  double barriers = 0;

  /// Whether a team of so many workers is likely to be faster than one worker alone.
  bool isWorthATeam(unsigned workers) const;
};

struct ProgramCode {
  std::string name;
  bool isAlone = false; // decoded for one worker, though there may be more
  ProgramCost cost;
  uint32_t instructionCount = 0;
  std::vector<Step> steps;
  std::vector<StepRef> refs;
  std::vector<void *> addresses; // of refs, outside of loops
  std::vector<ContractPlan> contracts;
  std::vector<std::string> instructionNames; // by instruction: the kernel's symbol, or the action
  std::vector<uint32_t> instructionLocations;
  uint64_t kernelScratchBytes = 0;   // each worker
  uint64_t contractScratchBytes = 0; // shared
  uint32_t refCountMax = 0;          // of one step
};

/// What decoding needs to know of its surroundings.
struct DecodeContext {
  const plan::Plan &plan;
  const KernelLibrary &kernels;
  const std::vector<uint8_t *> &bufferAddresses;
  unsigned workers;
};

/// Decodes a program of a verified plan. Fails where a kernel is missing or this runtime cannot do
/// what an instruction asks.
Expected<ProgramCode> decodeProgram(const DecodeContext &context, const plan::Program &program);

/// "NAME (FILE:LINE, LAYER)" of an instruction, for messages.
std::string describeInstruction(const plan::Plan &plan, const ProgramCode &code,
                                uint32_t instruction);

} // namespace dlm
