// What an instruction touches: the byte ranges it reads and writes, resolved at one position of the
// loops around it.
#pragma once

#include "runtime/abi/Plan_generated.h"
#include "runtime/base/Status.h"

#include <string>
#include <vector>

namespace dlm {

using PlanCode = flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>>;

/// Loops nest at most this deep.
constexpr unsigned PlanLoopDepthMax = 2;

struct LoopPosition {
  unsigned depth = 0;
  uint32_t trips[PlanLoopDepthMax] = {0, 0};
};

/// Bytes [begin, end) of an arena.
struct PlanAccess {
  uint32_t buffer;
  uint16_t arena;
  uint64_t begin;
  uint64_t end;
  bool reads;
  bool writes;
  bool exclusive; // written, and no argument may share its bytes even exactly

  bool overlaps(const PlanAccess &other) const {
    return arena == other.arena && begin < other.end && other.begin < end;
  }
};

/// Ids, counts and sizes of an instruction that stands inside `depth` loops. `onDevice`: a device
/// runs it, so what computes has stages.
Status checkInstructionForm(const plan::Plan &plan, const plan::Instruction &instruction,
                            unsigned depth, bool onDevice);

/// Appends the accesses of an instruction whose form has been checked, in the order of its
/// arguments. Fails where one leaves its buffer. A loop has none of its own.
Status collectAccesses(const plan::Plan &plan, const plan::Instruction &instruction,
                       LoopPosition position, std::vector<PlanAccess> &accesses);

/// 1, and for a loop the instructions in it.
uint32_t planInstructionCount(const plan::Instruction &instruction);

/// "program `grad`, instruction 3 `k7` (FILE:LINE, LAYER)".
std::string planInstructionText(const plan::Plan &plan, const plan::Program &program,
                                const plan::Instruction &instruction, uint32_t number);

} // namespace dlm
