// Opening a plan and running its steps. The walk itself stands in ExecutorWalk.h.
#include "runtime/executor/Executor.h"

#include "runtime/executor/ExecutorWalk.h"

#include <algorithm>
#include <cstring>

namespace dlm {

namespace {
constexpr uint64_t ScratchAlignment = 4096;

uint64_t roundUpTo(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit * unit; }
} // namespace

Expected<std::unique_ptr<Executor>> Executor::open(const plan::Plan &plan,
                                                   const KernelLibrary &kernels,
                                                   const ExecutorOptions &options) {
  std::unique_ptr<Executor> executor(new Executor(plan));
  executor->device = makeCpuDevice();
  DLM_TRY(executor->placeBuffers(options.perThread));
  Expected<unsigned> workers = executor->decodePrograms(kernels, options);
  if (!workers) return workers.status();
  DLM_TRY(executor->prepareWorkers(*workers));
  return executor;
}

/// Returns how many workers they need. One that runs once decides nothing.
Expected<unsigned> Executor::decodePrograms(const KernelLibrary &kernels,
                                            const ExecutorOptions &options) {
  DecodeContext together{plan(), kernels, bufferAddresses, options.workers};
  DecodeContext alone{plan(), kernels, bufferAddresses, 1};
  unsigned workers = options.isMost ? 1 : options.workers;
  for (uint32_t i = 0; plan().programs() && i < plan().programs()->size(); ++i) {
    const plan::Program &program = *plan().programs()->Get(i);
    if (program.per_thread() != options.perThread) { // is not to run here
      codes.emplace_back().isAlone = true;
      continue;
    }
    Expected<ProgramCode> code = decodeProgram(together, program);
    if (code && options.isMost && !code->cost.isWorthATeam(options.workers))
      code = decodeProgram(alone, program);
    if (!code) return code.status();
    if (!code->isAlone && code->name != "init") workers = options.workers;
    codes.push_back(code.take());
  }
  for (uint32_t i = 0; workers == 1 && i < codes.size(); ++i) {
    if (codes[i].isAlone) continue;
    Expected<ProgramCode> code = decodeProgram(alone, *plan().programs()->Get(i));
    if (!code) return code.status();
    codes[i] = code.take();
  }
  return workers;
}

Status Executor::placeBuffers(bool perThread) {
  for (uint32_t i = 0; plan().arenas() && i < plan().arenas()->size(); ++i) {
    const plan::Arena &wanted = *plan().arenas()->Get(i);
    arenas.emplace_back();
    if (wanted.per_thread() != perThread) continue;
    Expected<Arena> arena = Arena::make(*device, wanted.size_bytes(), wanted.alignment());
    if (!arena)
      return arena.status().withContext(std::string("arena ") +
                                        plan::EnumNameArenaKind(wanted.kind()));
    arenas.back() = arena.take();
  }
  for (uint32_t i = 0; plan().buffers() && i < plan().buffers()->size(); ++i) {
    const plan::Buffer &buffer = *plan().buffers()->Get(i);
    uint8_t *data = arenas[buffer.arena()].data();
    bufferAddresses.push_back(data ? data + buffer.offset() : nullptr);
  }
  return Status::ok();
}

Status Executor::prepareWorkers(unsigned workers) {
  uint64_t kernelBytes = 0, contractBytes = 0;
  uint32_t refCountMax = 0;
  for (const ProgramCode &code : codes) {
    kernelBytes = std::max(kernelBytes, code.kernelScratchBytes);
    contractBytes = std::max(contractBytes, code.contractScratchBytes);
    refCountMax = std::max(refCountMax, code.refCountMax);
  }
  uint64_t stride = roundUpTo(kernelBytes, ScratchAlignment);
  Expected<Arena> own = Arena::make(*device, stride * workers, ScratchAlignment);
  Expected<Arena> shared = Arena::make(*device, contractBytes, ScratchAlignment);
  if (!own || !shared) return (own ? shared : own).status().withContext("scratch memory");
  workerScratch = own.take();
  contractScratch = shared.take();
  Expected<std::unique_ptr<ThreadTeam>> made = ThreadTeam::make(workers);
  if (!made) return made.status();
  team = made.take();
  states.resize(workers);
  for (unsigned worker = 0; worker < workers; ++worker) {
    WorkerState &state = states[worker];
    void *scratch = stride ? workerScratch.data() + stride * worker : nullptr;
    state.context = {DlmAbiVersion, worker, 0, scratch};
    state.moved.resize(refCountMax);
  }
  return Status::ok();
}

std::string Executor::description() const {
  return std::to_string(workerCount()) + (workerCount() == 1 ? " thread" : " threads");
}

uint64_t Executor::memoryBytes() const {
  uint64_t sum = workerScratch.sizeBytes() + contractScratch.sizeBytes();
  for (const Arena &arena : arenas)
    sum += arena.sizeBytes();
  return sum;
}

void Executor::run(int program) {
  NullObserver nobody;
  Status status = run(program, nobody);
  DLM_ASSERT(status.isOk(), "nobody watched, so nobody can have stopped the run");
}

/// The addresses of the step's refs; inside a loop they depend on the trip.
void *const *Executor::resolve(const ProgramCode &code, const Step &step,
                               WorkerState &state) const {
  if (step.depth == 0) return code.addresses.data() + step.firstRef;
  for (uint32_t i = 0; i < step.refCount; ++i) {
    const StepRef &ref = code.refs[step.firstRef + i];
    int64_t moved = 0;
    for (unsigned loop = 0; loop < step.depth; ++loop)
      moved += ref.stride[loop] * int64_t(state.trips[loop]);
    state.moved[i] = ref.base + moved;
  }
  return state.moved.data();
}

/// The next chunk of the shared step number `sequence`, or -1. One counter serves all steps: a
/// worker moves on only when a step has no chunk left, so a larger sequence in the counter says
/// that this one is exhausted, and a smaller one that nobody has begun it.
int64_t Executor::claimChunk(const Step &step, uint32_t sequence) {
  uint64_t current = claimed.load(std::memory_order_relaxed);
  for (;;) {
    auto reached = uint32_t(current >> 32);
    uint32_t chunk = reached == sequence ? uint32_t(current) : 0;
    if (reached > sequence || int64_t(chunk) >= step.chunks) return -1;
    uint64_t next = uint64_t(sequence) << 32 | (chunk + 1);
    if (claimed.compare_exchange_weak(current, next, std::memory_order_relaxed))
      return int64_t(chunk);
  }
}

void Executor::runStep(const ProgramCode &code, const Step &step, void *const *addresses,
                       WorkerState &state) {
  if (step.solo) {
    if (state.context.worker == 0) runItems(code, step, addresses, state.context, 0, step.items);
    return;
  }
  ++state.sequence;
  for (int64_t chunk = claimChunk(step, state.sequence); chunk >= 0;
       chunk = claimChunk(step, state.sequence)) {
    int64_t small = step.items / step.chunks, larger = step.items % step.chunks;
    int64_t begin = chunk * small + std::min(chunk, larger);
    int64_t end = begin + small + (chunk < larger ? 1 : 0);
    runItems(code, step, addresses, state.context, begin, end);
  }
}

/// Items [begin, end) of a copy or a fill as a range of bytes.
static void copyOrFill(const Step &step, void *const *addresses, int64_t begin, int64_t end) {
  auto from = uint64_t(begin) * CopyItemBytes;
  uint64_t to = std::min(uint64_t(end) * CopyItemBytes, step.sizeBytes);
  auto *out = static_cast<uint8_t *>(addresses[0]);
  if (step.kind == Step::Kind::Copy) {
    std::memcpy(out + from, static_cast<const uint8_t *>(addresses[1]) + from, to - from);
    return;
  }
  for (uint64_t at = from; at + sizeof(uint32_t) <= to; at += sizeof(uint32_t))
    std::memcpy(out + at, &step.pattern, sizeof(uint32_t));
  uint64_t rest = (to - from) % sizeof(uint32_t);
  std::memcpy(out + to - rest, &step.pattern, rest);
}

void Executor::runItems(const ProgramCode &code, const Step &step, void *const *addresses,
                        DlmCtx &context, int64_t begin, int64_t end) const {
  if (begin >= end) return;
  switch (step.kind) {
  case Step::Kind::Kernel:
    context.extent = step.extent;
    step.kernel(&context, addresses, begin, end);
    break;
  case Step::Kind::Contract: {
    const ContractPlan &contract = code.contracts[step.contract];
    void *scratch = contract.isOfWorkers() ? context.scratch : contractScratch.data();
    ContractOperands operands{static_cast<const float *>(addresses[0]),
                              static_cast<const float *>(addresses[1]),
                              static_cast<float *>(addresses[2]), static_cast<float *>(scratch)};
    contract.run(step.phase, operands, begin, end);
    break;
  }
  case Step::Kind::Copy:
  case Step::Kind::Fill:
    copyOrFill(step, addresses, begin, end);
    break;
  case Step::Kind::LoopBegin:
  case Step::Kind::LoopEnd:
    break;
  }
}

template Status Executor::run<NullObserver>(int, NullObserver &);
template Status Executor::run<TimingObserver>(int, TimingObserver &);
template Status Executor::run<CheckObserver>(int, CheckObserver &);
template Status Executor::run<DumpObserver>(int, DumpObserver &);
template Status Executor::run<PoisonObserver>(int, PoisonObserver &);

} // namespace dlm
