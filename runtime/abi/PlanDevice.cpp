// What a plan for a device promises beyond any other: functions that can be launched, and stages
// for every instruction that computes.
#include "runtime/abi/PlanChecks.h"

#include <set>

namespace dlm {

namespace {

Status checkFunctions(const plan::Plan &plan) {
  std::set<std::string> names;
  for (uint32_t id = 0; id < planLength(plan.functions()); ++id) {
    const plan::Function &function = *plan.functions()->Get(id);
    std::string what = "function " + std::to_string(id) + " `" + planText(function.symbol()) + "`";
    if (planText(function.symbol()).empty() || !names.insert(planText(function.symbol())).second)
      return corrupt(what + ": the name is empty or occurs twice");
    if (function.block() < 1 || function.block() > DeviceBlockMax)
      return corrupt(what + ": blocks of " + std::to_string(function.block()) + " threads");
    if (function.shared_bytes() > DeviceSharedBytesMax)
      return corrupt(what + ": " + std::to_string(function.shared_bytes()) +
                     " bytes of shared memory, where a block has " +
                     std::to_string(DeviceSharedBytesMax));
  }
  return Status::ok();
}

/// Batches come into one arena, and go there by themselves.
Status checkArenas(const plan::Plan &plan) {
  int64_t staging = -1;
  for (uint32_t id = 0; id < planLength(plan.arenas()); ++id) {
    const plan::Arena &arena = *plan.arenas()->Get(id);
    if (arena.alignment() > DeviceArenaAlignment)
      return corrupt("arena " + std::to_string(id) + ": alignment " +
                     std::to_string(arena.alignment()) + ", a device's memory has " +
                     std::to_string(DeviceArenaAlignment));
    if (arena.kind() != plan::ArenaKind::Staging) continue;
    if (staging >= 0) return corrupt("two arenas for batches");
    staging = id;
  }
  for (uint32_t i = 0; i < planLength(plan.programs()); ++i) {
    const plan::Program &program = *plan.programs()->Get(i);
    for (uint32_t f = 0; f < planLength(program.signature()); ++f) {
      const plan::Field &field = *program.signature()->Get(f);
      if (field.buffer() < planLength(plan.buffers()) &&
          plan.buffers()->Get(field.buffer())->arena() != staging)
        return corrupt("program `" + planText(program.name()) + "`, field `" +
                       planText(field.name()) + "`: it is not in the arena for batches");
    }
  }
  return Status::ok();
}

} // namespace

Status verifyDeviceTables(const plan::Plan &plan) {
  std::string target = planText(plan.target());
  if (target.empty() || target == CpuTarget) return Status::ok();
  if (target != DeviceTarget)
    return unsupported("it is for `" + target + "`, this program runs plans for `" +
                       std::string(CpuTarget) + "` and `" + std::string(DeviceTarget) + "`");
  DLM_TRY(checkFunctions(plan));
  return checkArenas(plan);
}

Status checkStages(const plan::Plan &plan,
                   const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages) {
  if (planLength(stages) == 0) return corrupt("it has no stages, and this plan is for a device");
  for (uint32_t i = 0; i < stages->size(); ++i) {
    const plan::Stage &stage = *stages->Get(i);
    std::string what = "stage " + std::to_string(i) + ": ";
    if (stage.function() >= planLength(plan.functions()))
      return corrupt(what + "function " + std::to_string(stage.function()) + " of " +
                     std::to_string(planLength(plan.functions())));
    if (stage.grid() < 1 || stage.grid() > DeviceGridMax)
      return corrupt(what + "a grid of " + std::to_string(stage.grid()) + " blocks");
    if (stage.scratch_bytes() > ScratchBytesMax)
      return corrupt(what + std::to_string(stage.scratch_bytes()) + " bytes of scratch memory");
    if (!planAligned(stage.numbers())) return corrupt(what + "its numbers are not aligned");
  }
  return Status::ok();
}

} // namespace dlm
