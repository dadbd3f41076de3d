// Addresses are those of the plan: arena, buffer, place in the buffer.
#include "test/gpu-check/check/PlanOnDevice.h"

#include "runtime/base/DType.h"
#include "runtime/base/Philox.h"

#include <algorithm>
#include <cstring>

namespace dlm::gpucheck {

namespace {

/// The most scratch memory that an instruction of a list asks for.
uint64_t scratchOf(const flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>> *code) {
  uint64_t most = 0;
  for (uint32_t i = 0; code && i < code->size(); ++i) {
    const plan::Instruction &instruction = *code->Get(i);
    const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages = nullptr;
    if (const plan::Launch *launch = instruction.action_as_Launch()) stages = launch->stages();
    if (const plan::Library *product = instruction.action_as_Library()) stages = product->stages();
    for (uint32_t s = 0; stages && s < stages->size(); ++s)
      most = std::max(most, stages->Get(s)->scratch_bytes());
    if (const plan::Loop *loop = instruction.action_as_Loop())
      most = std::max(most, scratchOf(loop->code()));
  }
  return most;
}

/// Floats in [0, 1), small integers, bytes.
std::vector<uint8_t> valuesByChance(plan::DType dtype, uint64_t sizeBytes, uint32_t site) {
  std::vector<uint8_t> bytes(sizeBytes);
  uint64_t elementBytes = elementSizeBytes(DType(dtype));
  for (uint64_t i = 0; i < sizeBytes / elementBytes; ++i) {
    RandomPlace place{/*seed=*/1, /*attempt=*/0, site, i};
    float uniform = randomUniform(place);
    uint64_t integer = randomBits(place) >> (dtype == plan::DType::U8 ? 24 : 29);
    if (dtype == plan::DType::Bool) integer &= 1;
    std::memcpy(&bytes[i * elementBytes],
                dtype == plan::DType::F32 ? (const void *)&uniform : &integer, elementBytes);
  }
  return bytes;
}

} // namespace

Expected<std::unique_ptr<PlanOnDevice>> PlanOnDevice::create(Machine &machine,
                                                             const plan::Plan &plan) {
  std::unique_ptr<PlanOnDevice> made(new PlanOnDevice(machine, plan));
  for (const plan::Arena *arena : *plan.arenas()) {
    auto memory = machine.device().allocate(arena->size_bytes(), "an arena");
    if (!memory) return memory.status();
    made->arenas.push_back(memory.take());
  }
  uint64_t scratchBytes = 0;
  for (const plan::Program *program : *plan.programs())
    scratchBytes = std::max(scratchBytes, scratchOf(program->code()));
  auto memory = machine.device().allocate(scratchBytes, "scratch");
  if (!memory) return memory.status();
  made->scratch = memory.take();
  for (uint32_t i = 0; plan.functions() && i < plan.functions()->size(); ++i)
    if (auto found = machine.find(plan.functions()->Get(i)->symbol()->str()); !found)
      return found.status();
  DLM_TRY(made->writeScalars());
  return made;
}

Status PlanOnDevice::writeScalars() {
  const plan::Recipe *recipe = thePlan.recipe();
  float batch = recipe ? float(recipe->batch()) : 1;
  DLM_TRY(writeScalar("batch.size", &batch, sizeof batch));
  int64_t steps = 1000;
  DLM_TRY(writeScalar("state.steps", &steps, sizeof steps));
  for (uint32_t i = 0; thePlan.options() && i < thePlan.options()->size(); ++i) {
    const plan::Option &option = *thePlan.options()->Get(i);
    float value = float(option.value());
    if (option.dtype() == plan::DType::F32)
      DLM_TRY(writeScalar("option." + option.name()->str(), &value, sizeof value));
  }
  return Status::ok();
}

/// Does nothing if the program has no such buffer.
Status PlanOnDevice::writeScalar(const std::string &name, const void *value, uint64_t sizeBytes) {
  for (const plan::Buffer *buffer : *thePlan.buffers()) {
    if (!buffer->name() || buffer->name()->str() != name || buffer->size_bytes() < sizeBytes)
      continue;
    DLM_TRY(theMachine.stream().copyToDevice(addressOf(*buffer), value, sizeBytes));
    return theMachine.stream().synchronize();
  }
  return Status::ok();
}

const plan::Program *PlanOnDevice::findProgram(const std::string &name) const {
  for (const plan::Program *program : *thePlan.programs())
    if (program->name()->str() == name) return program;
  return nullptr;
}

Status PlanOnDevice::fillBatches() {
  for (uint32_t number = 0; number < thePlan.buffers()->size(); ++number) {
    const plan::Buffer &buffer = *thePlan.buffers()->Get(number);
    std::string name = buffer.name() ? buffer.name()->str() : "";
    if (name.rfind("batch.", 0) != 0 || name == "batch.size") continue;
    std::vector<uint8_t> bytes = valuesByChance(buffer.dtype(), buffer.size_bytes(), number);
    DLM_TRY(theMachine.stream().copyToDevice(addressOf(buffer), bytes.data(), bytes.size()));
    DLM_TRY(theMachine.stream().synchronize());
  }
  return Status::ok();
}

std::vector<WrittenRange> PlanOnDevice::writtenBy(const plan::Instruction &instruction) const {
  std::vector<WrittenRange> ranges;
  auto add = [&](const plan::Ref &ref, uint64_t sizeBytes) {
    plan::DType dtype = thePlan.buffers()->Get(ref.buffer())->dtype();
    ranges.push_back({addressOf(ref), sizeBytes, dtype});
  };
  if (const plan::Launch *launch = instruction.action_as_Launch()) {
    const plan::Kernel &kernel = *thePlan.kernels()->Get(launch->kernel());
    for (uint32_t i = 0; i < launch->args()->size(); ++i)
      if (kernel.writes()->Get(i)) add(*launch->args()->Get(i), launch->arg_bytes()->Get(i));
  } else if (const plan::Library *product = instruction.action_as_Library()) {
    uint32_t out = product->args()->size() - 1;
    add(*product->args()->Get(out), product->arg_bytes()->Get(out));
  } else if (const plan::Copy *copy = instruction.action_as_Copy()) {
    add(*copy->to(), copy->size_bytes());
  } else if (const plan::Fill *fill = instruction.action_as_Fill()) {
    add(*fill->to(), fill->size_bytes());
  }
  return ranges;
}

cuda::CUdeviceptr PlanOnDevice::addressOf(const plan::Buffer &buffer) const {
  return arenas[buffer.arena()].address() + buffer.offset();
}

cuda::CUdeviceptr PlanOnDevice::addressOf(const plan::Ref &ref) const {
  int64_t offset = ref.offset();
  if (!trips.empty()) offset += ref.loop0_stride() * trips[0];
  if (trips.size() > 1) offset += ref.loop1_stride() * trips[1];
  return addressOf(*thePlan.buffers()->Get(ref.buffer())) + uint64_t(offset);
}

Status PlanOnDevice::enqueue(const Refs &arguments, const Stages *stages) {
  if (!stages) return corrupt("the program has no code for a device");
  std::vector<cuda::CUdeviceptr> addresses;
  for (const plan::Ref *ref : arguments)
    addresses.push_back(addressOf(*ref));
  for (const plan::Stage *stage : *stages) {
    const plan::Function &function = *thePlan.functions()->Get(stage->function());
    StageCall call{function.symbol()->str(), function.block(), stage->grid(), {}};
    if (stage->numbers()) call.numbers.assign(stage->numbers()->begin(), stage->numbers()->end());
    DLM_TRY(theMachine.launch(call, addresses, scratch.address()));
  }
  return Status::ok();
}

Status PlanOnDevice::enqueueLoop(const plan::Loop &loop) {
  for (uint32_t trip = 0; trip < loop.trips(); ++trip) {
    trips.push_back(trip);
    for (const plan::Instruction *instruction : *loop.code())
      DLM_TRY(enqueue(*instruction));
    trips.pop_back();
  }
  return Status::ok();
}

Status PlanOnDevice::enqueue(const plan::Instruction &instruction) {
  cuda::Stream &stream = theMachine.stream();
  if (const plan::Launch *launch = instruction.action_as_Launch())
    return enqueue(*launch->args(), launch->stages());
  if (const plan::Library *product = instruction.action_as_Library())
    return enqueue(*product->args(), product->stages());
  if (const plan::Copy *copy = instruction.action_as_Copy())
    return stream.copy(addressOf(*copy->to()), addressOf(*copy->from()), copy->size_bytes());
  if (const plan::Fill *fill = instruction.action_as_Fill())
    return stream.fill(addressOf(*fill->to()), fill->pattern(), fill->size_bytes());
  if (const plan::Loop *loop = instruction.action_as_Loop()) return enqueueLoop(*loop);
  return unsupported(std::string("an instruction of the kind ") +
                     plan::EnumNameAction(instruction.action_type()));
}

Status PlanOnDevice::enqueue(const plan::Program &program) {
  for (const plan::Instruction *instruction : *program.code())
    DLM_TRY(enqueue(*instruction));
  return Status::ok();
}

} // namespace dlm::gpucheck
