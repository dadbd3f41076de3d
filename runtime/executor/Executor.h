// Runs the programs of a plan. Opening does all the work that can be done once: arenas, addresses,
// kernels, scratch, threads. A run then allocates nothing and asks nobody: all workers walk the
// same steps, take chunks of each step's items from one counter, and meet where the plan says so.
//
// A run can be watched by an observer (Observers.h). The walk is compiled once for each kind of
// observer, so not watching costs nothing.
#pragma once

#include "runtime/device/Device.h"
#include "runtime/executor/ProgramCode.h"
#include "runtime/executor/ThreadTeam.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace dlm {

/// A named buffer as the world outside sees it. False if there is none of that name.
struct BufferView {
  plan::DType dtype = plan::DType::F32;
  std::vector<int64_t> shape;
  void *data = nullptr;
  uint64_t sizeBytes = 0;
  uint32_t id = 0;

  explicit operator bool() const { return data != nullptr; }
  int64_t elementCount() const;

  /// The elements; `T` must be as wide as the dtype.
  template <class T> T *as() const {
    DLM_ASSERT(sizeBytes == uint64_t(elementCount()) * sizeof(T), "the element type is another");
    return static_cast<T *>(data);
  }
};

struct ExecutorOptions {
  unsigned workers = 1;
};

class Executor {
public:
  /// Prepares a verified plan. `plan` and `kernels` must outlive the executor.
  static Expected<std::unique_ptr<Executor>>
  open(const plan::Plan &plan, const KernelLibrary &kernels, const ExecutorOptions &options = {});

  /// The number of a program, or -1.
  int findProgram(const std::string &name) const;

  /// Runs a program and returns when it has ended.
  void run(int program);

  /// Runs a program under an observer; fails if the observer stopped it.
  template <class Observer> Status run(int program, Observer &observer);

  /// The named buffer; its address never changes.
  BufferView find(const std::string &name) const;

  const plan::Plan &plan() const { return thePlan; }
  const std::vector<ProgramCode> &programs() const { return codes; }
  unsigned workerCount() const { return team->workerCount(); }

  /// Bytes of all arenas and of scratch memory.
  uint64_t memoryBytes() const;

  /// The address of a buffer of the plan.
  uint8_t *bufferAddress(uint32_t buffer) const { return bufferAddresses[buffer]; }

private:
  /// What a worker keeps for itself during a run.
  struct alignas(64) WorkerState {
    DlmCtx context;
    std::vector<void *> moved; // addresses of the current step inside a loop
    uint32_t trips[2];
    uint32_t sequence; // number of the shared step the worker is at
  };

  explicit Executor(const plan::Plan &plan) : thePlan(plan) {}
  Status placeBuffers();
  Status prepareWorkers(unsigned workers);
  template <class Observer> void walk(const ProgramCode &code, unsigned worker, Observer &observer);
  void *const *resolve(const ProgramCode &code, const Step &step, WorkerState &state) const;
  void runStep(const ProgramCode &code, const Step &step, void *const *addresses,
               WorkerState &state);
  void runItems(const ProgramCode &code, const Step &step, void *const *addresses, DlmCtx &context,
                int64_t begin, int64_t end) const;
  int64_t claimChunk(const Step &step, uint32_t sequence);

  const plan::Plan &thePlan;
  std::unique_ptr<Device> device;
  std::vector<Arena> arenas;
  std::vector<uint8_t *> bufferAddresses;
  std::map<std::string, uint32_t> bufferIds;
  std::vector<ProgramCode> codes;
  Arena workerScratch, contractScratch;
  std::vector<WorkerState> states;
  std::unique_ptr<ThreadTeam> team;
  alignas(64) std::atomic<uint64_t> claimed{0}; // sequence in the upper half, chunks in the lower
  Status failure; // of the observer; written by worker 0 between two barriers
};

} // namespace dlm
