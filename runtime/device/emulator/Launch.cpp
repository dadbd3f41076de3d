// From the launch call to blocks. Functions that wait for nobody need no fibres: one fibre runs all
// threads in a plain loop, and exists only so that a fault can end the launch in the middle of one.
#include "runtime/device/emulator/Block.h"

#include <algorithm>

namespace dlm::emulator {

void Launch::place(Thread &thread, uint32_t index) {
  static_cast<DlmEmuThread &>(thread) = {{index, 0, 0}, {blockThreads, 1, 1}, {blockNumber, 0, 0},
                                         {grid, 1, 1},  index % WarpLanes,    index / WarpLanes,
                                         space.shared,  &EmulatorApi};
  thread.launch = this;
  thread.index = index;
}

void Launch::beginBlock(uint32_t number) {
  blockNumber = number;
  space.poisonShared();
  if (checker) checker->beginBlock(number);
}

std::string Launch::inWords(const Thread &thread) const {
  return "thread " + std::to_string(thread.index) + " of block " + std::to_string(blockNumber);
}

void Launch::stop(Thread &thread) {
  isStopped = true;
  thread.fibre->yield(); // nobody resumes it
  __builtin_trap();
}

namespace {

Launch &launchOf(DlmEmuThread *thread) { return *static_cast<Thread *>(thread)->launch; }

/// The running block. The launch ends if the image has said that the function waits for nobody.
Block &blockOf(Thread &thread, uint32_t site) {
  Launch &launch = *thread.launch;
  if (!launch.block) {
    launch.findings.add(Fault::Deadlock, site, [&] {
      return launch.inWords(thread) + " would wait, but the image declares that nobody does";
    });
    launch.stop(thread);
  }
  return *launch.block;
}

Thread &bring(DlmEmuThread *caller, Collective collective, uint32_t mask, uint32_t value,
              uint32_t site) {
  auto &thread = *static_cast<Thread *>(caller);
  thread.collective = collective;
  thread.mask = mask;
  thread.value = value;
  thread.site = site;
  return thread;
}

void apiBarrier(DlmEmuThread *caller, uint32_t site) {
  auto &thread = *static_cast<Thread *>(caller);
  blockOf(thread, site).waitAtBarrier(thread, site);
}

void apiSyncWarp(DlmEmuThread *caller, uint32_t mask, uint32_t site) {
  Thread &thread = bring(caller, Collective::SyncWarp, mask, 0, site);
  blockOf(thread, site).joinCollective(thread);
}

uint64_t apiShuffle(DlmEmuThread *caller, DlmEmuShuffle mode, uint32_t mask, uint32_t value,
                    uint32_t lane, uint32_t clamp, uint32_t site) {
  Thread &thread = bring(caller, Collective::Shuffle, mask, value, site);
  thread.shuffleMode = mode;
  thread.source = lane;
  thread.clamp = clamp;
  blockOf(thread, site).joinCollective(thread);
  return thread.result;
}

uint32_t apiBallot(DlmEmuThread *caller, uint32_t mask, uint32_t predicate, uint32_t site) {
  Thread &thread = bring(caller, Collective::Ballot, mask, predicate, site);
  blockOf(thread, site).joinCollective(thread);
  return static_cast<uint32_t>(thread.result);
}

void apiAccess(DlmEmuThread *caller, const void *address, uint32_t sizeBytes, uint32_t site) {
  auto &thread = *static_cast<Thread *>(caller);
  Launch &launch = *thread.launch;
  if (launch.checker && !launch.checker->access(thread, address, sizeBytes, site))
    launch.stop(thread);
}

void apiTrap(DlmEmuThread *caller, uint32_t site) {
  auto &thread = *static_cast<Thread *>(caller);
  Launch &launch = launchOf(caller);
  launch.findings.add(Fault::Trap, site,
                      [&] { return launch.inWords(thread) + " has come here, and cannot go on"; });
  launch.stop(thread);
}

/// The threads of all blocks, one after another.
void runPlainly(void *argument) {
  auto &launch = *static_cast<Launch *>(argument);
  LaunchSpace &space = launch.space;
  Thread &thread = space.threads[0];
  thread.fibre = space.fibres[0].get();
  const LaunchOptions &options = launch.options;
  bool isSkewed = options.order == Order::WarpSkew;
  uint32_t count = launch.blockThreads, warps = (count + WarpLanes - 1) / WarpLanes;
  for (uint32_t number : space.blockTurns.next()) {
    launch.beginBlock(number);
    Turns &turns = isSkewed ? space.warpTurns : space.threadTurns;
    turns.reset(options.order, options.seed, number, isSkewed ? warps : count);
    for (uint32_t turn : turns.next()) {
      uint32_t begin = isSkewed ? turn * WarpLanes : turn;
      uint32_t end = isSkewed ? std::min(begin + WarpLanes, count) : turn + 1;
      for (uint32_t index = begin; index < end; ++index) {
        launch.place(thread, index);
        launch.function.run(&thread, launch.params);
      }
    }
  }
}

bool runBlocks(Launch &launch) {
  LaunchSpace &space = launch.space;
  space.blockTurns.reset(launch.options.order, launch.options.seed, launch.grid, launch.grid);
  if (!launch.function.isCooperative) {
    space.fibres[0]->start(&runPlainly, &launch);
    space.fibres[0]->resume();
    return !launch.isStopped;
  }
  Block block(launch);
  launch.block = &block;
  for (uint32_t number : space.blockTurns.next())
    if (!block.run(number)) return false;
  return true;
}

/// Why a launch of this size cannot be; empty if it can.
std::string sizeProblem(const DlmEmuFunction &function, uint32_t grid, uint32_t block) {
  std::string threads = "a block of " + std::to_string(block) + " threads";
  if (grid == 0) return "the grid has no blocks";
  if (block == 0) return "a block has no threads";
  if (block > BlockThreadsMax) return threads + ", and no device takes more than 1024";
  if (function.threadsMax && block > function.threadsMax)
    return threads + ", and the code declares at most " + std::to_string(function.threadsMax);
  uint64_t bytes = 0;
  for (uint32_t i = 0; i < function.sharedCount; ++i)
    bytes += function.shared[i].sizeBytes;
  if (bytes > SharedBytesMax)
    return std::to_string(bytes) + " bytes of shared memory, and a block has at most " +
           std::to_string(SharedBytesMax);
  return "";
}

uint32_t sharedAlignment(const DlmEmuFunction &function) {
  uint32_t largest = function.sharedCount ? 1 : 16;
  for (uint32_t i = 0; i < function.sharedCount; ++i)
    largest = std::max(largest, function.shared[i].alignment);
  return largest;
}

} // namespace

const DlmEmuApi EmulatorApi = {apiBarrier, apiSyncWarp, apiShuffle, apiBallot, apiAccess, apiTrap};

bool runLaunch(const DlmEmuImage &image, const DlmEmuFunction &function, uint32_t grid,
               uint32_t block, void *const *params, Memory &memory, const LaunchOptions &options,
               Report &report) {
  Findings findings(image, function, report);
  std::string problem = sizeProblem(function, grid, block);
  Memory::State &state = memory.state();
  if (problem.empty()) {
    uint32_t threads = function.isCooperative ? block : 1;
    if (!state.space.prepare(threads, threads, function.sharedBytes, sharedAlignment(function)))
      problem = "the machine has no memory for the threads";
  }
  if (problem.empty() && image.isChecked && !state.mapCells())
    problem = "the machine has no memory for the shadow";
  if (!problem.empty()) {
    findings.add(Fault::LaunchSize, NoSite, [&] { return problem; });
    return false;
  }
  Launch launch{image, function, grid, block, params, options, state.space, findings};
  KernelCounts &counts = report.kernels[function.name];
  ++counts.launches;
  counts.threads += uint64_t(grid) * block;
  if (!image.isChecked) {
    state.ranUnchecked = true;
    return runBlocks(launch);
  }
  report.isChecked = true;
  Checker checker(image, function, options.allowed, state, findings);
  launch.checker = &checker;
  bool hasEnded = runBlocks(launch);
  counts.bytesRead += checker.bytesRead;
  counts.bytesWritten += checker.bytesWritten;
  return hasEnded;
}

} // namespace dlm::emulator
