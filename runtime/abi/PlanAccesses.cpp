// The form of instructions and the bytes they touch, kind by kind.
#include "runtime/abi/PlanAccesses.h"

#include "runtime/abi/PlanChecks.h"

#include <algorithm>

namespace dlm {

namespace {

constexpr uint32_t ContractDescriptorLength = 8;
constexpr uint32_t ContractArgCount = 3;

std::string ofText(uint64_t index, uint64_t count) {
  return std::to_string(index) + " of " + std::to_string(count);
}

/// The ref names a buffer, and steps only with loops that stand around it.
Status checkRef(const plan::Plan &plan, const plan::Ref *ref, unsigned depth,
                const std::string &what) {
  if (!ref) return corrupt(what + " is missing");
  if (ref->buffer() >= planLength(plan.buffers()))
    return corrupt(what + " names buffer " + ofText(ref->buffer(), planLength(plan.buffers())));
  if ((depth < 1 && ref->loop0_stride() != 0) || (depth < 2 && ref->loop1_stride() != 0))
    return corrupt(what + " steps with a loop that is not there");
  auto unit = int64_t(planElementBytes(plan.buffers()->Get(ref->buffer())->dtype()));
  if (ref->offset() % unit || ref->loop0_stride() % unit || ref->loop1_stride() % unit)
    return corrupt(what + " splits an element of " + planBufferText(plan, ref->buffer()));
  return Status::ok();
}

/// As many sizes as arguments, and every argument sound.
Status checkArgs(const plan::Plan &plan, const flatbuffers::Vector<const plan::Ref *> *args,
                 const flatbuffers::Vector<uint64_t> *bytes, uint32_t count, unsigned depth) {
  if (planLength(args) != count || planLength(bytes) != count)
    return corrupt(std::to_string(planLength(args)) + " arguments and " +
                   std::to_string(planLength(bytes)) + " sizes, where " + std::to_string(count) +
                   " are needed");
  if (!planAligned(args) || !planAligned(bytes)) return corrupt("its arguments are not aligned");
  for (uint32_t i = 0; i < count; ++i)
    DLM_TRY(checkRef(plan, args->Get(i), depth, "argument " + std::to_string(i)));
  return Status::ok();
}

/// What computes on a device has stages there, and nothing else has.
Status checkPlace(const plan::Plan &plan,
                  const flatbuffers::Vector<flatbuffers::Offset<plan::Stage>> *stages,
                  bool computes, bool onDevice) {
  if (onDevice) return computes ? checkStages(plan, stages) : Status::ok();
  return planLength(stages) == 0 ? Status::ok() : corrupt("it has stages, and no device runs it");
}

Status checkLaunch(const plan::Plan &plan, const plan::Launch &launch, unsigned depth,
                   bool onDevice) {
  if (launch.kernel() >= planLength(plan.kernels()))
    return corrupt("kernel " + ofText(launch.kernel(), planLength(plan.kernels())));
  if (launch.items() < 0 || launch.extent() < 0)
    return corrupt(std::to_string(launch.items()) + " items, extent " +
                   std::to_string(launch.extent()));
  const plan::Kernel &kernel = *plan.kernels()->Get(launch.kernel());
  DLM_TRY(checkPlace(plan, launch.stages(), launch.items() > 0, onDevice));
  return checkArgs(plan, launch.args(), launch.arg_bytes(), planLength(kernel.writes()), depth);
}

Status checkContract(const plan::Plan &plan, const plan::Library &library, unsigned depth,
                     bool onDevice) {
  if (library.entry() != plan::LibraryEntry::Contract)
    return corrupt("unknown library entry " + std::to_string(unsigned(library.entry())));
  if (planLength(library.descriptor()) != ContractDescriptorLength ||
      !planAligned(library.descriptor()))
    return corrupt("a descriptor of " + std::to_string(planLength(library.descriptor())) +
                   " numbers, a contraction has 8");
  DLM_TRY(checkArgs(plan, library.args(), library.arg_bytes(), ContractArgCount, depth));
  const flatbuffers::Vector<int64_t> &d = *library.descriptor();
  int64_t m = d[0], n = d[1], k = d[2], batch = d[7];
  const int64_t sizeMax = int64_t(1) << 40, batchMax = int64_t(1) << 30;
  if (m < 0 || n < 0 || k < 0 || m > sizeMax || n > sizeMax || k > sizeMax)
    return corrupt("a contraction of " + std::to_string(m) + " x " + std::to_string(k) + " x " +
                   std::to_string(n));
  if (batch < 1 || batch > batchMax)
    return corrupt(std::to_string(batch) + " contractions side by side");
  if ((d[3] | d[4] | d[6]) & ~int64_t(1))
    return corrupt("a flag of the contraction is neither 0 nor 1");
  if (d[5] < 1) return corrupt("a contraction of " + std::to_string(d[5]) + " chains");
  const __int128 elements[] = {__int128(m) * k * batch, __int128(k) * n * batch,
                               __int128(m) * n * batch};
  for (uint32_t i = 0; i < ContractArgCount; ++i) {
    if (plan.buffers()->Get(library.args()->Get(i)->buffer())->dtype() != plan::DType::F32)
      return corrupt("argument " + std::to_string(i) + " is not f32");
    if (elements[i] * int64_t(sizeof(float)) != __int128(library.arg_bytes()->Get(i)))
      return corrupt("argument " + std::to_string(i) + " has " +
                     std::to_string(library.arg_bytes()->Get(i)) +
                     " bytes, which is not what its sizes need");
  }
  return checkPlace(plan, library.stages(), elements[2] > 0, onDevice);
}

/// Appends the access of one ref; the bytes must lie within its buffer.
Status addAccess(const plan::Plan &plan, const plan::Ref &ref, uint64_t sizeBytes,
                 LoopPosition position, PlanAccess access, std::vector<PlanAccess> &accesses) {
  const plan::Buffer &buffer = *plan.buffers()->Get(ref.buffer());
  const int64_t strides[PlanLoopDepthMax] = {ref.loop0_stride(), ref.loop1_stride()};
  __int128 offset = ref.offset();
  for (unsigned loop = 0; loop < position.depth; ++loop)
    offset += __int128(strides[loop]) * position.trips[loop];
  if (offset < 0 || offset + __int128(sizeBytes) > __int128(buffer.size_bytes()))
    return corrupt("argument " + std::to_string(accesses.size()) + ": " +
                   std::to_string(sizeBytes) + " bytes from " + std::to_string(int64_t(offset)) +
                   " leave " + planBufferText(plan, ref.buffer()) + " of " +
                   std::to_string(buffer.size_bytes()) + " bytes");
  access.buffer = ref.buffer();
  access.arena = buffer.arena();
  access.begin = buffer.offset() + uint64_t(offset);
  access.end = access.begin + sizeBytes;
  accesses.push_back(access);
  return Status::ok();
}

PlanAccess reading() { return {0, 0, 0, 0, true, false, false}; }
PlanAccess writing(bool exclusive) { return {0, 0, 0, 0, false, true, exclusive}; }

Status collectLibrary(const plan::Plan &plan, const plan::Library &library, LoopPosition position,
                      std::vector<PlanAccess> &accesses) {
  PlanAccess out = writing(true);
  out.reads = library.descriptor()->Get(6) != 0;
  for (uint32_t i = 0; i < ContractArgCount; ++i)
    DLM_TRY(addAccess(plan, *library.args()->Get(i), library.arg_bytes()->Get(i), position,
                      i == 2 ? out : reading(), accesses));
  return Status::ok();
}

} // namespace

Status checkInstructionForm(const plan::Plan &plan, const plan::Instruction &instruction,
                            unsigned depth, bool onDevice) {
  if (instruction.location() >= std::max(1u, planLength(plan.locations())))
    return corrupt("location " + ofText(instruction.location(), planLength(plan.locations())));
  if (instruction.queue() != 0)
    return unsupported("queue " + std::to_string(instruction.queue()) + ": there is only queue 0");
  if (!instruction.action()) return corrupt("it has no action");
  switch (instruction.action_type()) {
  case plan::Action::Launch:
    return checkLaunch(plan, *instruction.action_as_Launch(), depth, onDevice);
  case plan::Action::Library:
    return checkContract(plan, *instruction.action_as_Library(), depth, onDevice);
  case plan::Action::Copy:
    DLM_TRY(checkRef(plan, instruction.action_as_Copy()->to(), depth, "the target"));
    return checkRef(plan, instruction.action_as_Copy()->from(), depth, "the source");
  case plan::Action::Fill:
    return checkRef(plan, instruction.action_as_Fill()->to(), depth, "the target");
  case plan::Action::Loop:
    return depth < PlanLoopDepthMax ? Status::ok() : corrupt("loops nest more than two deep");
  default:
    return unsupported("instructions of this kind are reserved and not run yet");
  }
}

Status collectAccesses(const plan::Plan &plan, const plan::Instruction &instruction,
                       LoopPosition position, std::vector<PlanAccess> &accesses) {
  if (const plan::Launch *launch = instruction.action_as_Launch()) {
    const plan::Kernel &kernel = *plan.kernels()->Get(launch->kernel());
    for (uint32_t i = 0; i < planLength(launch->args()); ++i)
      DLM_TRY(addAccess(plan, *launch->args()->Get(i), launch->arg_bytes()->Get(i), position,
                        kernel.writes()->Get(i) ? writing(false) : reading(), accesses));
    return Status::ok();
  }
  if (const plan::Library *library = instruction.action_as_Library())
    return collectLibrary(plan, *library, position, accesses);
  if (const plan::Copy *copy = instruction.action_as_Copy()) {
    DLM_TRY(addAccess(plan, *copy->to(), copy->size_bytes(), position, writing(true), accesses));
    return addAccess(plan, *copy->from(), copy->size_bytes(), position, reading(), accesses);
  }
  if (const plan::Fill *fill = instruction.action_as_Fill())
    return addAccess(plan, *fill->to(), fill->size_bytes(), position, writing(true), accesses);
  return Status::ok();
}

uint32_t planInstructionCount(const plan::Instruction &instruction) {
  uint32_t count = 1;
  if (const plan::Loop *loop = instruction.action_as_Loop()) {
    for (uint32_t i = 0; i < planLength(loop->code()); ++i)
      count += planInstructionCount(*loop->code()->Get(i));
  }
  return count;
}

std::string planInstructionText(const plan::Plan &plan, const plan::Program &program,
                                const plan::Instruction &instruction, uint32_t number) {
  std::string name = plan::EnumNameAction(instruction.action_type());
  const plan::Launch *launch = instruction.action_as_Launch();
  if (launch && launch->kernel() < planLength(plan.kernels()))
    name = planText(plan.kernels()->Get(launch->kernel())->symbol());
  return "program `" + planText(program.name()) + "`, instruction " + std::to_string(number) +
         " `" + name + "`" + planLocationText(plan, instruction.location());
}

} // namespace dlm
