// Opening a plan on a device, and the calls of the step loop. These only make calls of the driver:
// no memory, no waiting but for the one event they say they wait for.
#include "runtime/executor/DeviceExecutor.h"

#include <algorithm>
#include <cstring>

namespace dlm {

using namespace cuda;

namespace {

constexpr uint64_t SnapshotGapMax = 4096; // a copy of that many bytes too many costs nothing
constexpr uint64_t UploadGapMax = 256;    // what alignment leaves

/// What an arena holds, for the message that there is no room for it.
std::string arenaText(plan::ArenaKind kind) {
  switch (kind) {
  case plan::ArenaKind::Persistent:
    return "parameters, the optimizer's state and counters";
  case plan::ArenaKind::Gradients:
    return "gradients";
  case plan::ArenaKind::Transient:
    return "intermediate results";
  case plan::ArenaKind::Staging:
    return "a batch";
  default:
    return std::string("the arena ") + plan::EnumNameArenaKind(kind);
  }
}

} // namespace

Expected<std::unique_ptr<DeviceExecutor>>
DeviceExecutor::open(const plan::Plan &plan, const CudaDevice &device,
                     const DeviceExecutorOptions &options) {
  std::unique_ptr<DeviceExecutor> executor(new DeviceExecutor(plan, device));
  executor->runCounts = options.runCounts;
  executor->memoryWatch = options.memoryWatch;
  if (options.runCounts && plan.programs()) options.runCounts->assign(plan.programs()->size(), 0);
  Expected<std::unique_ptr<Stream>> stream = device.makeStream();
  if (!stream) return stream.status();
  executor->compute = stream.take();
  DLM_TRY(executor->placeArenas());
  DLM_TRY(executor->openRing());
  DLM_TRY(executor->findFunctions());
  for (uint32_t i = 0; plan.programs() && i < plan.programs()->size(); ++i) {
    if (Status status = executor->prepareProgram(*plan.programs()->Get(i)); !status.isOk())
      return status.withContext("program `" + plan.programs()->Get(i)->name()->str() + "`");
  }
  return executor;
}

DeviceExecutor::~DeviceExecutor() {
  (void)device.synchronize(); // what it still does may use what goes now
}

Status DeviceExecutor::placeArenas() {
  uint64_t total = 0, scratchBytes = deviceScratchBytes(plan());
  for (uint32_t i = 0; plan().arenas() && i < plan().arenas()->size(); ++i)
    if (!plan().arenas()->Get(i)->per_thread()) total += plan().arenas()->Get(i)->size_bytes();
  std::string all =
      " (the program plans " + sizeText(total + scratchBytes) + " of the device's memory in all)";
  for (uint32_t i = 0; plan().arenas() && i < plan().arenas()->size(); ++i) {
    const plan::Arena &wanted = *plan().arenas()->Get(i);
    if (wanted.per_thread()) { // of the processor's threads
      arenaAddresses.push_back(0);
      arenas.emplace_back();
      continue;
    }
    std::string what = arenaText(wanted.kind());
    bool isTransient = wanted.kind() == plan::ArenaKind::Transient;
    DeviceArena arena;
    if (wanted.size_bytes()) {
      Expected<DeviceMemory> memory = device.allocate(
          wanted.size_bytes(), what + all, isTransient ? Contents::Undefined : Contents::Zeros);
      if (!memory) return memory.status();
      arena.memory = memory.take();
    }
    if (wanted.size_bytes() && !isTransient) {
      Expected<PinnedMemory> mirror = device.allocatePinned(wanted.size_bytes(), what);
      if (!mirror) return mirror.status();
      arena.mirror = mirror.take();
    }
    arenaAddresses.push_back(arena.memory.address());
    arenas.push_back(std::move(arena));
  }
  if (scratchBytes) {
    Expected<DeviceMemory> memory =
        device.allocate(scratchBytes, "scratch memory" + all, Contents::Undefined);
    if (!memory) return memory.status();
    scratch = memory.take();
  }
  return Status::ok();
}

/// Slots for batches, if there is an arena for them.
Status DeviceExecutor::openRing() {
  for (uint32_t i = 0; i < arenas.size(); ++i) {
    if (!isStaging(*plan().arenas()->Get(i)) || !arenas[i].memory.sizeBytes()) continue;
    stagingArena = i;
    ring = std::make_unique<StagingRing>();
    return ring->open(device, arenas[i].memory.address(), arenas[i].memory.sizeBytes());
  }
  return Status::ok();
}

Status DeviceExecutor::findFunctions() {
  for (uint32_t i = 0; plan().functions() && i < plan().functions()->size(); ++i) {
    Expected<CUfunction> function =
        device.findFunction(plan().functions()->Get(i)->symbol()->str());
    if (!function) return function.status();
    functions.push_back(*function);
  }
  return Status::ok();
}

Status DeviceExecutor::prepareProgram(const plan::Program &program) {
  DeviceProgram made;
  if (program.per_thread()) { // the processor runs it
    programs.push_back(std::move(made));
    return Status::ok();
  }
  Expected<DeviceCode> code = DeviceCode::decode(context(), program);
  if (!code) return code.status();
  made.code = code.take();
  std::vector<StagingRing::Range> fields;
  for (uint32_t i = 0; program.signature() && i < program.signature()->size(); ++i) {
    const plan::Buffer &buffer = *plan().buffers()->Get(program.signature()->Get(i)->buffer());
    if (buffer.size_bytes() && (!ring || buffer.arena() != stagingArena))
      return corrupt("its field `" + program.signature()->Get(i)->name()->str() +
                     "` does not lie in the staging arena");
    fields.push_back({buffer.offset(), buffer.offset() + buffer.size_bytes()});
  }
  made.uploads = joinRanges(std::move(fields), UploadGapMax);
  if (!made.code.commands().empty()) {
    DLM_TRY(compute->beginCapture());
    Status status = made.code.enqueue(*compute, context());
    Expected<std::unique_ptr<Graph>> graph = compute->endCapture();
    if (!status.isOk()) return status;
    if (!graph) return graph.status();
    made.graph = graph.take();
  }
  programs.push_back(std::move(made));
  return Status::ok();
}

uint8_t *DeviceExecutor::bufferAddress(uint32_t id) const {
  const plan::Buffer &buffer = *plan().buffers()->Get(id);
  uint8_t *mirror = arenas[buffer.arena()].mirror.data();
  return mirror ? mirror + buffer.offset() : nullptr;
}

CUdeviceptr DeviceExecutor::deviceAddress(uint32_t id) const {
  const plan::Buffer &buffer = *plan().buffers()->Get(id);
  return arenaAddresses[buffer.arena()] + buffer.offset();
}

uint8_t *DeviceExecutor::stagedAddress(uint32_t id) const {
  const plan::Buffer &buffer = *plan().buffers()->Get(id);
  if (!ring || buffer.arena() != stagingArena) return bufferAddress(id);
  return ring->slot() + buffer.offset();
}

uint64_t DeviceExecutor::memoryBytes() const {
  uint64_t sum = scratch.sizeBytes();
  for (const DeviceArena &arena : arenas)
    sum += arena.memory.sizeBytes();
  if (ring) sum += StagingRing::LandingCount * arenas[stagingArena].memory.sizeBytes();
  return sum;
}

Status DeviceExecutor::start(int number) {
  const DeviceProgram &program = programs[size_t(number)];
  if (!program.uploads.empty() && ring->isStaged())
    DLM_TRY(ring->upload(*compute, program.uploads));
  if (runCounts) ++(*runCounts)[size_t(number)];
  return program.graph ? compute->launch(*program.graph) : Status::ok();
}

Status DeviceExecutor::push() {
  DLM_TRY(device.synchronize());
  for (const DeviceArena &arena : arenas) {
    if (arena.mirror.sizeBytes())
      DLM_TRY(compute->copyToDevice(arena.memory.address(), arena.mirror.data(),
                                    arena.mirror.sizeBytes()));
  }
  if (ring) ring->fill(arenas[stagingArena].mirror.data());
  return compute->synchronize();
}

/// Batches only go to the device; everything else with a mirror comes back.
Status DeviceExecutor::pull() {
  for (uint32_t i = 0; i < arenas.size(); ++i) {
    if (arenas[i].mirror.sizeBytes() && !isStaging(*plan().arenas()->Get(i)))
      DLM_TRY(compute->copyToHost(arenas[i].mirror.data(), arenas[i].memory.address(),
                                  arenas[i].mirror.sizeBytes()));
  }
  return compute->synchronize();
}

Status DeviceExecutor::pull(const std::vector<uint32_t> &buffers) {
  for (uint32_t id : buffers) {
    uint64_t sizeBytes = plan().buffers()->Get(id)->size_bytes();
    DLM_ASSERT(bufferAddress(id), "the buffer has no mirror");
    if (sizeBytes) DLM_TRY(compute->copyToHost(bufferAddress(id), deviceAddress(id), sizeBytes));
  }
  return compute->synchronize();
}

/// Buffers that lie close to each other come in one copy, with what lies between them.
Status DeviceExecutor::watch(const std::vector<uint32_t> &buffers) {
  uint64_t slotBytes = 0;
  for (uint32_t arena = 0; arena < arenas.size(); ++arena) {
    std::vector<StagingRing::Range> ranges;
    for (uint32_t id : buffers) {
      const plan::Buffer &buffer = *plan().buffers()->Get(id);
      if (buffer.arena() == arena)
        ranges.push_back({buffer.offset(), buffer.offset() + buffer.size_bytes()});
    }
    if (ranges.empty()) continue;
    if (!arenas[arena].mirror.data()) return corrupt("a report does not outlive its program");
    for (const StagingRing::Range &range : joinRanges(ranges, SnapshotGapMax)) {
      watchedRanges.push_back(
          {arenas[arena].memory.address() + range.begin, slotBytes, range.end - range.begin});
      for (uint32_t id : buffers) {
        const plan::Buffer &buffer = *plan().buffers()->Get(id);
        if (buffer.arena() == arena && buffer.offset() >= range.begin &&
            buffer.offset() < range.end)
          watched.push_back({id, slotBytes + buffer.offset() - range.begin});
      }
      slotBytes += range.end - range.begin;
    }
  }
  for (int i = 0; i < SnapshotCount; ++i) {
    Expected<PinnedMemory> memory =
        device.allocatePinned(std::max<uint64_t>(slotBytes, 1), "the results of a step");
    if (!memory) return memory.status();
    slots[size_t(i)] = memory.take();
    Expected<std::unique_ptr<Event>> event = device.makeEvent();
    if (!event) return event.status();
    slotEvents[size_t(i)] = event.take();
  }
  return Status::ok();
}

Status DeviceExecutor::snapshot() {
  DLM_ASSERT(snapshotCount - takenCount < SnapshotCount, "more snapshots than slots");
  size_t slot = snapshotCount++ % SnapshotCount;
  for (const WatchedRange &range : watchedRanges)
    DLM_TRY(compute->copyToHost(slots[slot].data() + range.offset, range.from, range.sizeBytes));
  return compute->record(*slotEvents[slot]);
}

Status DeviceExecutor::takeSnapshot() {
  DLM_ASSERT(takenCount < snapshotCount, "no snapshot to take");
  size_t slot = takenCount++ % SnapshotCount;
  DLM_TRY(slotEvents[slot]->synchronize());
  for (const Watched &entry : watched)
    std::memcpy(bufferAddress(entry.buffer), slots[slot].data() + entry.offset,
                plan().buffers()->Get(entry.buffer)->size_bytes());
  return Status::ok();
}

Status DeviceExecutor::makeMarks(size_t count) {
  while (marks.size() < count) {
    Expected<std::unique_ptr<Event>> event = device.makeEvent();
    if (!event) return event.status();
    marks.push_back(event.take());
  }
  return Status::ok();
}

Expected<float> DeviceExecutor::msBetween(size_t from, size_t to) const {
  DLM_TRY(marks[from]->synchronize());
  DLM_TRY(marks[to]->synchronize());
  return marks[to]->msSince(*marks[from]);
}

Status DeviceExecutor::runTimed(int number, std::vector<double> &sums) {
  DeviceProgram &program = programs[size_t(number)];
  const std::vector<DeviceCommand> &commands = program.code.commands();
  sums.resize(program.code.instructionCount(), 0);
  while (program.events.size() <= commands.size()) {
    Expected<std::unique_ptr<Event>> event = device.makeEvent();
    if (!event) return event.status();
    program.events.push_back(event.take());
  }
  DLM_TRY(compute->record(*program.events[0]));
  for (size_t i = 0; i < commands.size(); ++i) {
    DLM_TRY(program.code.enqueue(*compute, context(), commands[i]));
    DLM_TRY(compute->record(*program.events[i + 1]));
  }
  DLM_TRY(compute->synchronize());
  for (size_t i = 0; i < commands.size(); ++i) {
    Expected<float> ms = program.events[i + 1]->msSince(*program.events[i]);
    if (!ms) return ms.status();
    sums[commands[i].instruction] += double(*ms);
  }
  if (runCounts) ++(*runCounts)[size_t(number)];
  return Status::ok();
}

} // namespace dlm
