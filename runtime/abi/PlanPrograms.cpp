// The instructions of a plan. The first pass checks form (ids, counts, sizes). The second walks
// each program as it will run, loops unrolled, and follows every byte: a reader finds what its
// buffer wrote and nobody overwrote since, and instructions without a `sync` between them do not
// touch the same bytes unless both only read. Lifetimes that placement claims are not looked at:
// two buffers may share memory exactly if the walk finds no reader who would notice.
#include "runtime/abi/PlanChecks.h"

#include "runtime/abi/ByteOwners.h"
#include "runtime/abi/PlanAccesses.h"

#include <algorithm>
#include <set>

namespace dlm {

namespace {

constexpr uint64_t WalkedMax = 50000000; // instructions walked in one program, loops unrolled

/// Walks one program.
class ProgramWalk {
public:
  ProgramWalk(const plan::Plan &plan, const plan::Program &program)
      : plan(plan), program(program), owners(planLength(plan.arenas())) {
    if (program.per_thread()) {
      fields = planSampleFields(plan);
      outputs = planSampleOutputs(plan, program);
    }
    for (uint32_t id = 0; id < planLength(plan.buffers()); ++id) {
      const plan::Buffer &buffer = *plan.buffers()->Get(id);
      if (buffer.persistent() && !isMade(id))
        owners[buffer.arena()].write(buffer.offset(), buffer.offset() + buffer.size_bytes(),
                                     {id, -1});
    }
  }

  Status walk(const PlanCode *code, uint32_t firstNumber, LoopPosition position);

  /// After the walk: a sample is whole, and holds nothing of the one before.
  Status checkOutputs() const;

private:
  /// An access of an instruction since the last wait.
  struct Recent {
    PlanAccess access;
    uint32_t instruction;
  };

  Status checkAliases(const std::vector<PlanAccess> &accesses) const;
  Status checkSync(const std::vector<PlanAccess> &accesses) const;
  Status checkReads(const std::vector<PlanAccess> &accesses) const;
  Status checkThreads(const std::vector<PlanAccess> &accesses) const;
  bool isMade(uint32_t buffer) const {
    return std::find(fields.begin(), fields.end(), buffer) != fields.end();
  }
  Status step(const plan::Instruction &instruction, uint32_t number, LoopPosition position);
  Status countStep() {
    return ++walked <= WalkedMax ? Status::ok()
                                 : unsupported("program `" + planText(program.name()) +
                                               "`: its loops are too long to verify");
  }

  const plan::Plan &plan;
  const plan::Program &program;
  std::vector<ByteOwners> owners; // by arena
  std::vector<uint32_t> fields;   // of samples: nothing of the one before is to be read
  std::vector<uint32_t> outputs;  // those that the program has to make
  std::vector<Recent> recent;
  uint64_t walked = 0;
};

std::string rangeText(const plan::Plan &plan, const PlanAccess &access) {
  uint64_t base = plan.buffers()->Get(access.buffer)->offset();
  return "bytes " + std::to_string(access.begin - base) + " to " +
         std::to_string(access.end - base) + " of " + planBufferText(plan, access.buffer);
}

/// Within one instruction an output shares memory with an input exactly or not at all.
Status ProgramWalk::checkAliases(const std::vector<PlanAccess> &accesses) const {
  for (size_t i = 0; i < accesses.size(); ++i) {
    for (size_t j = i + 1; j < accesses.size(); ++j) {
      const PlanAccess &a = accesses[i], &b = accesses[j];
      if (!a.overlaps(b) || !(a.writes || b.writes)) continue;
      bool inPlace = a.begin == b.begin && a.end == b.end && !(a.writes && b.writes);
      if (!inPlace || a.exclusive || b.exclusive)
        return corrupt("its arguments " + std::to_string(i) + " and " + std::to_string(j) +
                       " overlap: " + rangeText(plan, a) + " and " + rangeText(plan, b));
    }
  }
  return Status::ok();
}

/// No instruction since the last wait touches the same bytes, unless both only read.
Status ProgramWalk::checkSync(const std::vector<PlanAccess> &accesses) const {
  for (const PlanAccess &access : accesses) {
    for (const Recent &earlier : recent) {
      if (!access.overlaps(earlier.access) || !(access.writes || earlier.access.writes)) continue;
      return corrupt(std::string(access.writes ? "writes " : "reads ") + rangeText(plan, access) +
                     ", which instruction " + std::to_string(earlier.instruction) +
                     (earlier.access.writes ? " writes" : " reads") + ", without `sync` between");
    }
  }
  return Status::ok();
}

/// What is read was written before, to the same buffer, and is still there.
Status ProgramWalk::checkReads(const std::vector<PlanAccess> &accesses) const {
  for (const PlanAccess &access : accesses) {
    if (!access.reads) continue;
    ByteOwners::Piece piece =
        owners[access.arena].firstForeign(access.begin, access.end, access.buffer);
    if (piece.begin >= piece.end) continue;
    PlanAccess part = access;
    part.begin = piece.begin;
    part.end = piece.end;
    if (!piece.written)
      return corrupt("reads " + rangeText(plan, part) + ", which nobody has written");
    return corrupt("reads " + rangeText(plan, part) + ", where " +
                   planBufferText(plan, piece.owner.buffer) + " stands since instruction " +
                   std::to_string(piece.owner.instruction));
  }
  return Status::ok();
}

/// Programs that threads run for themselves have memory of their own, and nobody else touches it.
Status ProgramWalk::checkThreads(const std::vector<PlanAccess> &accesses) const {
  for (const PlanAccess &access : accesses)
    if (plan.arenas()->Get(access.arena)->per_thread() != program.per_thread())
      return corrupt("touches " + planBufferText(plan, access.buffer) +
                     (program.per_thread() ? ", which all threads share"
                                           : ", of which each thread has its own"));
  return Status::ok();
}

Status ProgramWalk::checkOutputs() const {
  for (uint32_t id : outputs) {
    const plan::Buffer &buffer = *plan.buffers()->Get(id);
    uint64_t begin = buffer.offset(), end = begin + buffer.size_bytes();
    ByteOwners::Piece piece = owners[buffer.arena()].firstForeign(begin, end, id);
    if (piece.begin < piece.end)
      return corrupt("program `" + planText(program.name()) + "` does not write bytes " +
                     std::to_string(piece.begin - begin) + " to " +
                     std::to_string(piece.end - begin) + " of " + planBufferText(plan, id));
  }
  return Status::ok();
}

Status ProgramWalk::step(const plan::Instruction &instruction, uint32_t number,
                         LoopPosition position) {
  DLM_TRY(countStep());
  if (instruction.sync()) recent.clear();
  if (const plan::Loop *loop = instruction.action_as_Loop()) {
    for (uint32_t trip = 0; trip < loop->trips(); ++trip) {
      DLM_TRY(countStep());
      recent.clear(); // trips wait for each other
      LoopPosition inner = position;
      inner.trips[inner.depth++] = trip;
      DLM_TRY(walk(loop->code(), number + 1, inner));
    }
    recent.clear();
    return Status::ok();
  }
  std::vector<PlanAccess> accesses;
  Status status = collectAccesses(plan, instruction, position, accesses);
  if (status.isOk()) status = checkThreads(accesses);
  if (status.isOk()) status = checkAliases(accesses);
  if (status.isOk()) status = checkSync(accesses);
  if (status.isOk()) status = checkReads(accesses);
  if (!status.isOk())
    return status.withContext(planInstructionText(plan, program, instruction, number));
  for (const PlanAccess &access : accesses) {
    if (access.writes)
      owners[access.arena].write(access.begin, access.end, {access.buffer, number});
    recent.push_back({access, number});
  }
  return Status::ok();
}

Status ProgramWalk::walk(const PlanCode *code, uint32_t firstNumber, LoopPosition position) {
  uint32_t number = firstNumber;
  for (uint32_t i = 0; i < planLength(code); ++i) {
    const plan::Instruction &instruction = *code->Get(i);
    DLM_TRY(step(instruction, number, position));
    number += planInstructionCount(instruction);
  }
  return Status::ok();
}

Status checkForms(const plan::Plan &plan, const plan::Program &program, const PlanCode *code,
                  uint32_t firstNumber, unsigned depth) {
  uint32_t number = firstNumber;
  for (uint32_t i = 0; i < planLength(code); ++i) {
    const plan::Instruction &instruction = *code->Get(i);
    bool onDevice = isDevicePlan(plan) && !program.per_thread();
    Status status = checkInstructionForm(plan, instruction, depth, onDevice);
    if (!status.isOk())
      return status.withContext(planInstructionText(plan, program, instruction, number));
    if (const plan::Loop *loop = instruction.action_as_Loop())
      DLM_TRY(checkForms(plan, program, loop->code(), number + 1, depth + 1));
    number += planInstructionCount(instruction);
  }
  return Status::ok();
}

Status checkSignature(const plan::Plan &plan, const plan::Program &program) {
  for (uint32_t i = 0; i < planLength(program.signature()); ++i) {
    const plan::Field &field = *program.signature()->Get(i);
    std::string what =
        "program `" + planText(program.name()) + "`, field `" + planText(field.name()) + "`: ";
    if (field.buffer() >= planLength(plan.buffers()))
      return corrupt(what + "buffer " + std::to_string(field.buffer()) + " of " +
                     std::to_string(planLength(plan.buffers())));
    const plan::Buffer &buffer = *plan.buffers()->Get(field.buffer());
    bool same = buffer.persistent() && buffer.dtype() == field.dtype() &&
                planLength(buffer.shape()) == planLength(field.shape()) &&
                planAligned(field.shape());
    for (uint32_t d = 0; same && d < planLength(field.shape()); ++d)
      same = buffer.shape()->Get(d) == field.shape()->Get(d);
    if (!same)
      return corrupt(what + "it does not agree with " + planBufferText(plan, field.buffer()));
  }
  return Status::ok();
}

} // namespace

Status verifyPrograms(const plan::Plan &plan) {
  std::set<std::string> names;
  for (uint32_t i = 0; i < planLength(plan.programs()); ++i) {
    const plan::Program &program = *plan.programs()->Get(i);
    std::string name = planText(program.name());
    if (name.empty() || !names.insert(name).second)
      return corrupt("program " + std::to_string(i) + ": the name `" + name +
                     "` is empty or occurs twice");
    DLM_TRY(checkSignature(plan, program));
    DLM_TRY(checkForms(plan, program, program.code(), 0, 0));
    if (program.per_thread() && planLength(program.signature()) > 0)
      return corrupt("program `" + name + "` is run by any thread, and reads a batch");
    ProgramWalk walk(plan, program);
    DLM_TRY(walk.walk(program.code(), 0, {}));
    DLM_TRY(walk.checkOutputs());
  }
  return Status::ok();
}

} // namespace dlm
