// Runs the programs of a plan on the processor. Opening does all the work that can be done once:
// arenas, addresses, kernels, scratch, threads. A run then allocates nothing and asks nobody: all
// workers walk the same steps, take chunks of each step's items from one counter, and meet where
// the plan says so.
//
// A run can be watched by an observer (Observers.h). The walk is compiled once for each kind of
// observer, so not watching costs nothing.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/executor/Engine.h"
#include "runtime/executor/ProgramCode.h"
#include "runtime/executor/ThreadTeam.h"

#include <memory>
#include <string>
#include <vector>

namespace dlm {

struct ExecutorOptions {
  unsigned workers = 1;
  /// Programs too small for that many run on worker 0 alone; if all are, there is no other.
  bool isMost = false;
  /// Of the plan only what each thread does for itself: those arenas, those programs. Otherwise all
  /// the rest.
  bool perThread = false;
};

class Executor final : public Engine {
public:
  /// Prepares a verified plan. `plan` and `kernels` must outlive the executor.
  static Expected<std::unique_ptr<Executor>>
  open(const plan::Plan &plan, const KernelLibrary &kernels, const ExecutorOptions &options = {});

  /// Runs a program and returns when it has ended.
  void run(int program);

  /// Runs a program under an observer; fails if the observer stopped it.
  template <class Observer> Status run(int program, Observer &observer);

  Status start(int program) override {
    run(program);
    return Status::ok();
  }

  const std::vector<ProgramCode> &programs() const { return codes; }
  std::string description() const override;
  unsigned workerCount() const override { return team->workerCount(); }
  unsigned workersOf(int program) const override {
    return codes[size_t(program)].isAlone ? 1 : workerCount();
  }
  uint64_t memoryBytes() const override;
  uint8_t *bufferAddress(uint32_t buffer) const override { return bufferAddresses[buffer]; }

private:
  /// What a worker keeps for itself during a run.
  struct alignas(64) WorkerState {
    DlmCtx context;
    std::vector<void *> moved; // addresses of the current step inside a loop
    uint32_t trips[2];
    uint32_t sequence; // number of the shared step the worker is at
  };

  explicit Executor(const plan::Plan &plan) : Engine(plan) {}
  Status placeBuffers(bool perThread);
  Expected<unsigned> decodePrograms(const KernelLibrary &kernels, const ExecutorOptions &options);
  Status prepareWorkers(unsigned workers);
  template <class Observer> void walk(const ProgramCode &code, unsigned worker, Observer &observer);
  void *const *resolve(const ProgramCode &code, const Step &step, WorkerState &state) const;
  void runStep(const ProgramCode &code, const Step &step, void *const *addresses,
               WorkerState &state);
  void runItems(const ProgramCode &code, const Step &step, void *const *addresses, DlmCtx &context,
                int64_t begin, int64_t end) const;
  int64_t claimChunk(const Step &step, uint32_t sequence);

  std::unique_ptr<Device> device;
  std::vector<Arena> arenas;
  std::vector<uint8_t *> bufferAddresses;
  std::vector<ProgramCode> codes;
  Arena workerScratch, contractScratch;
  std::vector<WorkerState> states;
  std::unique_ptr<ThreadTeam> team;
  alignas(64) std::atomic<uint64_t> claimed{0}; // sequence in the upper half, chunks in the lower
  Status failure; // of the observer; written by worker 0 between two barriers
};

} // namespace dlm
