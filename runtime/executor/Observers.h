// Who may watch a run. An observer is a class with
//
//   static constexpr bool Timed;   begin(worker, step) and end(worker, step) around every step,
//                                  called by each worker
//   static constexpr bool Alone;   after(executor, code, step, addresses) after the last step of
//                                  every instruction, with all workers waiting; a failure stops
//                                  the run. `addresses` are those of the step's refs.
//
// and the functions that its constants promise.
#pragma once

#include "runtime/base/Status.h"
#include "runtime/executor/ProgramCode.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dlm {

class Executor;

/// Nobody watches.
struct NullObserver {
  static constexpr bool Timed = false;
  static constexpr bool Alone = false;
};

/// Adds up the time of every instruction on every worker, waiting excluded.
class TimingObserver {
public:
  static constexpr bool Timed = true;
  static constexpr bool Alone = false;

  TimingObserver(const ProgramCode &code, unsigned workers);

  void begin(unsigned worker, const Step &step);
  void end(unsigned worker, const Step &step);

  /// Nanoseconds of an instruction so far, the workers' times added.
  int64_t instructionNs(uint32_t instruction) const;

private:
  struct alignas(64) WorkerTimes {
    int64_t startNs = 0;
    std::vector<int64_t> sumNs;
  };
  std::vector<WorkerTimes> workers;
};

/// What an instruction wrote that is not finite.
struct NotFiniteWrite {
  uint32_t buffer;
  const float *first; // of what was written there
  int64_t element;    // from there on
};

/// The first such element of a step, in buffers of floats; only what it writes is looked at.
std::optional<NotFiniteWrite> notFiniteWrite(const Executor &executor, const ProgramCode &code,
                                             const Step &step, void *const *addresses);

/// The first of some floats that is not finite, or -1.
int64_t firstNotFinite(const float *values, int64_t count);

/// Stops the run at the first instruction that writes a float that is not finite, and names it.
class CheckObserver {
public:
  static constexpr bool Timed = false;
  static constexpr bool Alone = true;

  Status after(const Executor &executor, const ProgramCode &code, const Step &step,
               void *const *addresses);
};

/// Hands every range an instruction has written to a function.
class DumpObserver {
public:
  static constexpr bool Timed = false;
  static constexpr bool Alone = true;

  struct Written {
    const ProgramCode &code;
    uint32_t instruction;
    const plan::Buffer &buffer;
    const uint8_t *data;
    uint64_t sizeBytes;
  };
  using Sink = std::function<Status(const Written &)>;

  explicit DumpObserver(Sink sink) : sink(std::move(sink)) {}
  Status after(const Executor &executor, const ProgramCode &code, const Step &step,
               void *const *addresses);

private:
  Sink sink;
};

/// Fills memory with NaN as soon as no later instruction of the program may read it, and what is
/// not written yet at the start: a kernel that reads what it should not shows at once.
class PoisonObserver {
public:
  static constexpr bool Timed = false;
  static constexpr bool Alone = true;

  /// Computes from the steps of `code` what dies where, and poisons all that the program owns.
  PoisonObserver(const Executor &executor, const ProgramCode &code);

  Status after(const Executor &executor, const ProgramCode &code, const Step &step,
               void *const *addresses);

private:
  struct Range {
    uint8_t *begin;
    uint8_t *end;
  };
  static void poison(Range range);

  std::vector<std::vector<Range>> dying; // by instruction
};

} // namespace dlm
