// The observers that need more than a line.
#include "runtime/executor/Observers.h"

#include "runtime/base/Clock.h"
#include "runtime/executor/Executor.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace dlm {

TimingObserver::TimingObserver(const ProgramCode &code, unsigned workerCount)
    : workers(workerCount) {
  for (WorkerTimes &times : workers)
    times.sumNs.assign(code.instructionCount, 0);
}

void TimingObserver::begin(unsigned worker, const Step &step) {
  workers[worker].startNs = monotonicNs();
}

void TimingObserver::end(unsigned worker, const Step &step) {
  WorkerTimes &times = workers[worker];
  times.sumNs[step.instruction] += monotonicNs() - times.startNs;
}

int64_t TimingObserver::instructionNs(uint32_t instruction) const {
  int64_t sum = 0;
  for (const WorkerTimes &times : workers)
    sum += times.sumNs[instruction];
  return sum;
}

/// "`NAME`", or the number of a buffer without one.
static std::string bufferText(const plan::Buffer &buffer, uint32_t id) {
  if (buffer.name() && buffer.name()->size()) return "`" + buffer.name()->str() + "`";
  return "buffer " + std::to_string(id);
}

int64_t firstNotFinite(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    if (!std::isfinite(values[i])) return i;
  return -1;
}

std::optional<NotFiniteWrite> notFiniteWrite(const Executor &executor, const ProgramCode &code,
                                             const Step &step, void *const *addresses) {
  for (uint32_t i = 0; i < step.refCount; ++i) {
    const StepRef &ref = code.refs[step.firstRef + i];
    const plan::Buffer &buffer = *executor.plan().buffers()->Get(ref.buffer);
    if (!ref.written || buffer.dtype() != plan::DType::F32) continue;
    const auto *values = static_cast<const float *>(addresses[i]);
    int64_t found = firstNotFinite(values, int64_t(ref.sizeBytes / sizeof(float)));
    if (found >= 0) return NotFiniteWrite{ref.buffer, values, found};
  }
  return std::nullopt;
}

Status CheckObserver::after(const Executor &executor, const ProgramCode &code, const Step &step,
                            void *const *addresses) {
  std::optional<NotFiniteWrite> found = notFiniteWrite(executor, code, step, addresses);
  if (!found) return Status::ok();
  const plan::Buffer &buffer = *executor.plan().buffers()->Get(found->buffer);
  return Status::error(Code::NotFinite,
                       describeInstruction(executor.plan(), code, step.instruction) + ": element " +
                           std::to_string(found->element) + " of what it wrote to " +
                           bufferText(buffer, found->buffer) + " is " +
                           std::to_string(found->first[found->element]));
}

Status DumpObserver::after(const Executor &executor, const ProgramCode &code, const Step &step,
                           void *const *addresses) {
  for (uint32_t i = 0; i < step.refCount; ++i) {
    const StepRef &ref = code.refs[step.firstRef + i];
    if (ref.written)
      DLM_TRY(sink({code, step.instruction, *executor.plan().buffers()->Get(ref.buffer),
                    static_cast<const uint8_t *>(addresses[i]), ref.sizeBytes}));
  }
  return Status::ok();
}

namespace {

constexpr uint32_t PoisonWord = 0x7fc00bad; // a quiet NaN that is easy to recognise

/// When a program uses a buffer, in instruction numbers. What a loop uses lives from its beginning
/// to the instruction after it, because a trip may read what the one before wrote.
struct Lifetime {
  uint32_t first = UINT32_MAX;
  uint32_t last = 0;
  bool owned = false; // used by the program and not persistent
};

std::vector<Lifetime> lifetimesOf(const plan::Plan &plan, const ProgramCode &code) {
  std::vector<Lifetime> lifetimes(plan.buffers() ? plan.buffers()->size() : 0);
  uint32_t loopBegin = 0, afterLoop = 0; // of the outermost loop around the step
  for (const Step &step : code.steps) {
    if (step.kind == Step::Kind::LoopBegin && step.depth == 0) {
      loopBegin = step.instruction;
      for (uint32_t at = 0; at < step.partner; ++at)
        afterLoop = std::max(afterLoop, code.steps[at].instruction + 1);
    }
    for (uint32_t i = 0; i < step.refCount; ++i) {
      uint32_t buffer = code.refs[step.firstRef + i].buffer;
      Lifetime &lifetime = lifetimes[buffer];
      lifetime.owned = !plan.buffers()->Get(buffer)->persistent();
      lifetime.first = std::min(lifetime.first, step.depth ? loopBegin : step.instruction);
      lifetime.last = std::max(lifetime.last, step.depth ? afterLoop : step.instruction);
    }
  }
  return lifetimes;
}

} // namespace

PoisonObserver::PoisonObserver(const Executor &executor, const ProgramCode &code)
    : dying(code.instructionCount) {
  const plan::Plan &plan = executor.plan();
  std::vector<Lifetime> lifetimes = lifetimesOf(plan, code);
  auto rangeOf = [&](uint32_t id) {
    uint8_t *begin = executor.bufferAddress(id);
    return Range{begin, begin + plan.buffers()->Get(id)->size_bytes()};
  };
  for (uint32_t id = 0; id < lifetimes.size(); ++id) {
    if (!lifetimes[id].owned || lifetimes[id].last >= code.instructionCount) continue;
    // Pieces of the range that no buffer living on needs; an output in place is such a buffer.
    std::vector<Range> pieces{rangeOf(id)};
    for (uint32_t other = 0; other < lifetimes.size(); ++other) {
      bool persistent = plan.buffers()->Get(other)->persistent();
      bool lives = lifetimes[other].owned && lifetimes[other].first <= lifetimes[id].last &&
                   lifetimes[other].last > lifetimes[id].last;
      if (other == id || !(persistent || lives)) continue;
      Range taken = rangeOf(other);
      std::vector<Range> left;
      for (Range piece : pieces) {
        if (piece.begin < std::min(piece.end, taken.begin))
          left.push_back({piece.begin, std::min(piece.end, taken.begin)});
        if (std::max(piece.begin, taken.end) < piece.end)
          left.push_back({std::max(piece.begin, taken.end), piece.end});
      }
      pieces = left;
    }
    for (Range piece : pieces)
      dying[lifetimes[id].last].push_back(piece);
  }
  for (const std::vector<Range> &ranges : dying)
    for (Range range : ranges)
      poison(range);
}

void PoisonObserver::poison(Range range) {
  for (uint8_t *at = range.begin; at + sizeof(PoisonWord) <= range.end; at += sizeof(PoisonWord))
    std::memcpy(at, &PoisonWord, sizeof(PoisonWord));
}

Status PoisonObserver::after(const Executor &executor, const ProgramCode &code, const Step &step,
                             void *const *addresses) {
  for (Range range : dying[step.instruction])
    poison(range);
  return Status::ok();
}

} // namespace dlm
