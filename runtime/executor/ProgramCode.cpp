// From instructions to steps. Costs are guesses in nanoseconds; they decide how many pieces a step
// is cut into, never what it computes.
#include "runtime/executor/ProgramCode.h"

#include <algorithm>

namespace dlm {

namespace {

constexpr double SoloLimitNs = 2500;   // below this, sharing costs more than it gains
constexpr double ChunkNs = 2000;       // a chunk is worth about this much
constexpr int64_t ChunksPerWorker = 8; // so that a late worker costs an eighth of its share
constexpr double BytesPerNs = 8;       // memory traffic of one worker, roughly

// Whether a program is worth a team. The guesses above are about twice what small programs take,
// whose data is in a cache. A team is slow where another process has one of its cores, so it has to
// gain something that shows.
constexpr double CachedShare = 0.5;
constexpr double StartNs = 5000;   // of a run: waking the others, and the barrier at its end
constexpr double BarrierNs = 1000; // of each barrier, the late ones included
constexpr double AloneMaxNs = 80000, GainLeast = 1.25;

/// Builds the steps of one program.
class Decoder {
public:
  Decoder(const DecodeContext &context, ProgramCode &code) : context(context), code(code) {}

  Status decodeCode(const plan::Instruction &instruction);
  Status decodeAll(const flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>> *list);

private:
  Status decodeLaunch(const plan::Launch &launch, Step step);
  Status decodeLibrary(const plan::Library &library, Step step);
  Status decodeLoop(const plan::Loop &loop, Step step);
  void decodeCopy(const plan::Copy &copy, Step step);
  void decodeFill(const plan::Fill &fill, Step step);
  void addRef(Step &step, const plan::Ref &ref, uint64_t sizeBytes, bool written);
  void addStep(Step step, double itemCostNs);
  void nameInstruction(const std::string &name, uint32_t location) {
    code.instructionNames.push_back(name);
    code.instructionLocations.push_back(location);
  }

  const DecodeContext &context;
  ProgramCode &code;
  uint8_t depth = 0;
  bool waiting = false;         // a wish to wait that no barrier has fulfilled yet
  bool soloSinceBarrier = true; // no shared step since the last barrier
  bool scratchUsed = false;     // the shared scratch was used since the last barrier
  double timesRun = 1;          // of what stands here: the trips of the loops around it
};

void Decoder::addRef(Step &step, const plan::Ref &ref, uint64_t sizeBytes, bool written) {
  StepRef out;
  out.base = context.bufferAddresses[ref.buffer()] + ref.offset();
  out.stride[0] = ref.loop0_stride();
  out.stride[1] = ref.loop1_stride();
  out.sizeBytes = sizeBytes;
  out.buffer = ref.buffer();
  out.written = written;
  if (step.refCount == 0) step.firstRef = uint32_t(code.refs.size());
  ++step.refCount;
  code.refs.push_back(out);
  code.addresses.push_back(out.base);
  code.refCountMax = std::max(code.refCountMax, step.refCount);
}

/// Decides on sharing and on the barrier, and appends the step.
void Decoder::addStep(Step step, double itemCostNs) {
  double costNs = itemCostNs * double(step.items);
  step.solo = context.workers == 1 || step.items <= 1 || costNs < SoloLimitNs;
  int64_t worth = std::max<int64_t>(int64_t(costNs / ChunkNs), context.workers);
  step.chunks = std::max<int64_t>(
      1, std::min({step.items, worth, ChunksPerWorker * int64_t(context.workers)}));
  step.depth = depth;
  step.barrier = waiting && !(soloSinceBarrier && step.solo) && context.workers > 1;
  if (step.barrier) {
    waiting = false;
    soloSinceBarrier = true;
    scratchUsed = false;
  }
  soloSinceBarrier &= step.solo;
  (step.solo ? code.cost.soloNs : code.cost.sharedNs) += costNs * timesRun;
  code.cost.barriers += step.barrier ? timesRun : 0;
  code.steps.push_back(step);
}

Status Decoder::decodeLaunch(const plan::Launch &launch, Step step) {
  const plan::Kernel &kernel = *context.plan.kernels()->Get(launch.kernel());
  const std::string symbol = kernel.symbol()->str();
  nameInstruction(symbol, step.location);
  step.kind = Step::Kind::Kernel;
  step.kernel = context.kernels.find(symbol);
  if (!step.kernel) return corrupt("the kernel `" + symbol + "` is missing from the library");
  step.items = launch.items();
  step.extent = launch.extent();
  double bytes = 0;
  for (uint32_t i = 0; launch.args() && i < launch.args()->size(); ++i) {
    addRef(step, *launch.args()->Get(i), launch.arg_bytes()->Get(i), kernel.writes()->Get(i) != 0);
    bytes += double(launch.arg_bytes()->Get(i));
  }
  code.kernelScratchBytes = std::max<uint64_t>(code.kernelScratchBytes, kernel.scratch_bytes());
  double itemBytes = step.items ? bytes / double(step.items) : 0;
  addStep(step, std::max<double>(kernel.grain_cost(), itemBytes / BytesPerNs));
  return Status::ok();
}

Status Decoder::decodeLibrary(const plan::Library &library, Step step) {
  nameInstruction("contract", step.location);
  const auto &descriptor = *library.descriptor();
  ContractShape shape{descriptor[0],      descriptor[1],      descriptor[2], descriptor[3] != 0,
                      descriptor[4] != 0, descriptor[6] != 0, descriptor[7]};
  if (descriptor[5] != 1)
    return unsupported("a contraction split into " + std::to_string(descriptor[5]) + " chains");
  Expected<ContractPlan> contract = ContractPlan::make(shape);
  if (!contract) return contract.status();
  step.kind = Step::Kind::Contract;
  step.contract = uint32_t(code.contracts.size());
  for (uint32_t i = 0; i < 3; ++i)
    addRef(step, *library.args()->Get(i), library.arg_bytes()->Get(i), i == 2);
  bool isShared = !contract->isOfWorkers() && contract->scratchBytes() != 0;
  uint64_t &scratchBytes = isShared ? code.contractScratchBytes : code.kernelScratchBytes;
  scratchBytes = std::max<uint64_t>(scratchBytes, contract->scratchBytes());
  waiting |= isShared && scratchUsed; // another product may still read what it packed
  for (int phase = 0; phase < contract->phaseCount(); ++phase) {
    step.phase = phase;
    step.last = phase + 1 == contract->phaseCount();
    step.items = contract->itemCount(phase);
    waiting |= phase > 0;
    addStep(step, contract->itemCostNs(phase));
  }
  scratchUsed |= isShared;
  code.contracts.push_back(contract.take());
  return Status::ok();
}

void Decoder::decodeCopy(const plan::Copy &copy, Step step) {
  nameInstruction("copy", step.location);
  step.kind = Step::Kind::Copy;
  step.sizeBytes = copy.size_bytes();
  addRef(step, *copy.to(), copy.size_bytes(), true);
  addRef(step, *copy.from(), copy.size_bytes(), false);
  step.items = int64_t((copy.size_bytes() + CopyItemBytes - 1) / CopyItemBytes);
  addStep(step, 2 * double(CopyItemBytes) / BytesPerNs);
}

void Decoder::decodeFill(const plan::Fill &fill, Step step) {
  nameInstruction("fill", step.location);
  step.kind = Step::Kind::Fill;
  step.sizeBytes = fill.size_bytes();
  step.pattern = fill.pattern();
  addRef(step, *fill.to(), fill.size_bytes(), true);
  step.items = int64_t((fill.size_bytes() + CopyItemBytes - 1) / CopyItemBytes);
  addStep(step, double(CopyItemBytes) / BytesPerNs);
}

/// Each trip starts with a wait for the one before, and what follows waits for the last.
Status Decoder::decodeLoop(const plan::Loop &loop, Step step) {
  nameInstruction("loop", step.location);
  auto begin = uint32_t(code.steps.size());
  step.kind = Step::Kind::LoopBegin;
  step.depth = depth;
  step.trips = loop.trips();
  code.steps.push_back(step);
  ++depth;
  waiting = true;
  soloSinceBarrier = false;
  double outside = timesRun;
  timesRun *= loop.trips();
  DLM_TRY(decodeAll(loop.code()));
  timesRun = outside;
  waiting = true;
  soloSinceBarrier = false;
  --depth;
  step.kind = Step::Kind::LoopEnd;
  step.partner = begin;
  code.steps[begin].partner = uint32_t(code.steps.size());
  code.steps.push_back(step);
  return Status::ok();
}

Status Decoder::decodeCode(const plan::Instruction &instruction) {
  Step step;
  step.instruction = code.instructionCount++;
  step.location = instruction.location();
  waiting |= instruction.sync();
  switch (instruction.action_type()) {
  case plan::Action::Launch:
    return decodeLaunch(*instruction.action_as_Launch(), step);
  case plan::Action::Library:
    return decodeLibrary(*instruction.action_as_Library(), step);
  case plan::Action::Loop:
    return decodeLoop(*instruction.action_as_Loop(), step);
  case plan::Action::Copy:
    decodeCopy(*instruction.action_as_Copy(), step);
    break;
  case plan::Action::Fill:
    decodeFill(*instruction.action_as_Fill(), step);
    break;
  default:
    return unsupported(std::string("an instruction of kind ") +
                       plan::EnumNameAction(instruction.action_type()));
  }
  return Status::ok();
}

Status Decoder::decodeAll(const flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>> *list) {
  for (uint32_t i = 0; list && i < list->size(); ++i) {
    uint32_t number = code.instructionCount;
    if (Status status = decodeCode(*list->Get(i)); !status.isOk())
      return status.withContext("program `" + code.name + "`, instruction " +
                                std::to_string(number));
  }
  return Status::ok();
}

} // namespace

bool ProgramCost::isWorthATeam(unsigned workers) const {
  double alone = CachedShare * (soloNs + sharedNs);
  double together = CachedShare * (soloNs + sharedNs / workers) + barriers * BarrierNs + StartNs;
  return alone > AloneMaxNs && alone > GainLeast * together;
}

Expected<ProgramCode> decodeProgram(const DecodeContext &context, const plan::Program &program) {
  ProgramCode code;
  code.name = program.name()->str();
  code.isAlone = context.workers == 1;
  Decoder decoder(context, code);
  DLM_TRY(decoder.decodeAll(program.code()));
  return code;
}

std::string describeInstruction(const plan::Plan &plan, const ProgramCode &code,
                                uint32_t instruction) {
  std::string text = "program `" + code.name + "`, instruction " + std::to_string(instruction) +
                     " `" + code.instructionNames[instruction] + "`";
  uint32_t id = code.instructionLocations[instruction];
  if (!plan.locations() || id >= plan.locations()->size()) return text;
  const plan::Location &location = *plan.locations()->Get(id);
  if (location.file() && location.file()->size())
    text += " (" + location.file()->str() + ":" + std::to_string(location.line());
  else
    text += " (line " + std::to_string(location.line());
  if (location.layer() && location.layer()->size()) text += ", " + location.layer()->str();
  return text + ")";
}

} // namespace dlm
