// From instructions to commands. A device gets one stream of them, so what `sync` says holds
// anyway.
#include "runtime/executor/DeviceCode.h"

#include "runtime/abi/PlanAccesses.h"

#include <algorithm>

namespace dlm {

using cuda::CUdeviceptr;

namespace {

uint64_t scratchBytesOf(const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages) {
  uint64_t most = 0;
  for (uint32_t i = 0; stages && i < stages->size(); ++i)
    most = std::max<uint64_t>(most, stages->Get(i)->scratch_bytes());
  return most;
}

} // namespace

/// Builds the commands of one program.
class DeviceDecoder {
public:
  DeviceDecoder(const DeviceContext &context, DeviceCode &code) : context(context), code(code) {}

  /// What programs before have left in transient memory.
  void forgetTransients() {
    for (uint32_t i = 0; i < context.arenaAddresses.size(); ++i) {
      const plan::Arena &arena = *context.plan.arenas()->Get(i);
      if (arena.kind() == plan::ArenaKind::Transient)
        forget(0, context.arenaAddresses[i], arena.size_bytes());
    }
  }

  Status decodeAll(const PlanCode *list, uint32_t firstNumber, LoopPosition position) {
    uint32_t number = firstNumber;
    for (uint32_t i = 0; list && i < list->size(); ++i) {
      if (context.watch) DLM_TRY(noteAccesses(*list->Get(i), number, position));
      DLM_TRY(decode(*list->Get(i), number, position));
      number += planInstructionCount(*list->Get(i));
    }
    code.count = std::max(code.count, number);
    return Status::ok();
  }

  /// No value moves any more.
  void finish() {
    for (uint64_t &value : code.values)
      code.parameters.push_back(&value);
  }

private:
  void forget(uint32_t number, CUdeviceptr address, uint64_t sizeBytes) {
    DeviceCommand command;
    command.kind = DeviceCommand::Kind::Forget;
    command.instruction = number;
    command.to = address;
    command.sizeBytes = sizeBytes;
    if (sizeBytes) code.list.push_back(command);
  }

  /// Finds what the launches of an instruction may touch. Forgets buffers that begin to live here:
  /// what shared their memory is dead. What a loop uses may have been written by an earlier trip.
  Status noteAccesses(const plan::Instruction &instruction, uint32_t number,
                      LoopPosition position) {
    std::vector<PlanAccess> accesses;
    DLM_TRY(collectAccesses(context.plan, instruction, position, accesses));
    firstRange = uint32_t(code.ranges.size());
    for (const PlanAccess &access : accesses) {
      CUdeviceptr arena = context.arenaAddresses[access.arena];
      code.ranges.push_back({arena + access.begin, access.end - access.begin, access.writes});
      const plan::Buffer &buffer = *context.plan.buffers()->Get(access.buffer);
      if (position.depth == 0 && !buffer.persistent() && buffer.birth() == number)
        forget(number, arena + buffer.offset(), buffer.size_bytes());
    }
    return Status::ok();
  }

  Status decode(const plan::Instruction &instruction, uint32_t number, LoopPosition position) {
    DeviceCommand command;
    command.instruction = number;
    if (const plan::Launch *launch = instruction.action_as_Launch()) {
      addStages(launch->stages(), launch->args(), position, command);
    } else if (const plan::Library *library = instruction.action_as_Library()) {
      addStages(library->stages(), library->args(), position, command);
    } else if (const plan::Copy *copy = instruction.action_as_Copy()) {
      command.kind = DeviceCommand::Kind::Copy;
      command.to = addressOf(*copy->to(), position);
      command.from = addressOf(*copy->from(), position);
      command.sizeBytes = copy->size_bytes();
      if (command.sizeBytes) code.list.push_back(command);
    } else if (const plan::Fill *fill = instruction.action_as_Fill()) {
      command.kind = DeviceCommand::Kind::Fill;
      command.to = addressOf(*fill->to(), position);
      command.sizeBytes = fill->size_bytes();
      command.pattern = fill->pattern();
      if (command.sizeBytes) code.list.push_back(command);
    } else if (const plan::Loop *loop = instruction.action_as_Loop()) {
      for (uint32_t trip = 0; trip < loop->trips(); ++trip) {
        LoopPosition inner = position;
        inner.trips[inner.depth++] = trip;
        DLM_TRY(decodeAll(loop->code(), number + 1, inner));
      }
    } else {
      return unsupported(std::string("an instruction of kind ") +
                         plan::EnumNameAction(instruction.action_type()));
    }
    return Status::ok();
  }

  /// Each stage gets the addresses of the arguments, that of the scratch memory, and its numbers.
  void addStages(const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages,
                 const flatbuffers::Vector<const plan::Ref *> *args, LoopPosition position,
                 DeviceCommand command) {
    uint64_t scratchBytes = scratchBytesOf(stages);
    if (context.watch) {
      forget(command.instruction, context.scratch, scratchBytes);
      code.ranges.push_back({context.scratch, scratchBytes, true});
      command.firstRange = firstRange;
      command.rangeCount = uint32_t(code.ranges.size()) - firstRange;
    }
    for (uint32_t i = 0; stages && i < stages->size(); ++i) {
      const plan::Stage &stage = *stages->Get(i);
      command.function = stage.function();
      command.grid = stage.grid();
      command.block = context.plan.functions()->Get(stage.function())->block();
      command.firstParameter = uint32_t(code.values.size());
      for (uint32_t arg = 0; args && arg < args->size(); ++arg)
        code.values.push_back(addressOf(*args->Get(arg), position));
      code.values.push_back(context.scratch);
      for (uint32_t at = 0; stage.numbers() && at < stage.numbers()->size(); ++at)
        code.values.push_back(uint64_t(stage.numbers()->Get(at)));
      code.list.push_back(command);
    }
  }

  CUdeviceptr addressOf(const plan::Ref &ref, LoopPosition position) const {
    const int64_t strides[PlanLoopDepthMax] = {ref.loop0_stride(), ref.loop1_stride()};
    int64_t offset = ref.offset();
    for (unsigned loop = 0; loop < position.depth; ++loop)
      offset += strides[loop] * int64_t(position.trips[loop]);
    const plan::Buffer &buffer = *context.plan.buffers()->Get(ref.buffer());
    return context.arenaAddresses[buffer.arena()] + buffer.offset() + CUdeviceptr(offset);
  }

  const DeviceContext &context;
  DeviceCode &code;
  uint32_t firstRange = 0; // of the instruction
};

Expected<DeviceCode> DeviceCode::decode(const DeviceContext &context,
                                        const plan::Program &program) {
  DeviceCode code;
  DeviceDecoder decoder(context, code);
  if (context.watch && program.code() && program.code()->size()) decoder.forgetTransients();
  if (Status status = decoder.decodeAll(program.code(), 0, {}); !status.isOk())
    return status.withContext("program `" + program.name()->str() + "`");
  decoder.finish();
  return code;
}

Status DeviceCode::enqueue(cuda::Stream &stream, const DeviceContext &context,
                           const DeviceCommand &command) const {
  switch (command.kind) {
  case DeviceCommand::Kind::Launch: {
    auto **first = const_cast<void **>(parameters.data() + command.firstParameter);
    const plan::Function &function = *context.plan.functions()->Get(command.function);
    if (context.watch) {
      auto range = ranges.begin() + command.firstRange;
      context.watch->allow({range, range + command.rangeCount});
    }
    return stream.launch(context.functions[command.function], function.symbol()->str(),
                         command.grid, command.block, first);
  }
  case DeviceCommand::Kind::Copy:
    return stream.copy(command.to, command.from, command.sizeBytes);
  case DeviceCommand::Kind::Fill:
    return stream.fill(command.to, command.pattern, command.sizeBytes);
  case DeviceCommand::Kind::Forget:
    return stream.forget(*context.watch, command.to, command.sizeBytes);
  }
  return Status::ok();
}

Status DeviceCode::enqueue(cuda::Stream &stream, const DeviceContext &context) const {
  for (const DeviceCommand &command : list)
    DLM_TRY(enqueue(stream, context, command));
  return Status::ok();
}

namespace {

uint64_t scratchBytesOf(const PlanCode *code) {
  uint64_t most = 0;
  for (uint32_t i = 0; code && i < code->size(); ++i) {
    const plan::Instruction &instruction = *code->Get(i);
    if (const plan::Launch *launch = instruction.action_as_Launch())
      most = std::max(most, scratchBytesOf(launch->stages()));
    if (const plan::Library *library = instruction.action_as_Library())
      most = std::max(most, scratchBytesOf(library->stages()));
    if (const plan::Loop *loop = instruction.action_as_Loop())
      most = std::max(most, scratchBytesOf(loop->code()));
  }
  return most;
}

} // namespace

uint64_t deviceScratchBytes(const plan::Plan &plan) {
  uint64_t most = 0;
  for (uint32_t i = 0; plan.programs() && i < plan.programs()->size(); ++i)
    most = std::max(most, scratchBytesOf(plan.programs()->Get(i)->code()));
  return most;
}

} // namespace dlm
