// The walk over a program's steps, for every kind of observer. Included where an observer of one's
// own is used; those of Observers.h are compiled in Executor.cpp.
#pragma once

#include "runtime/executor/Executor.h"
#include "runtime/executor/Observers.h"

namespace dlm {

template <class Observer>
void Executor::walk(const ProgramCode &code, unsigned worker, Observer &observer) {
  WorkerState &state = states[worker];
  state.sequence = 0;
  const Step *steps = code.steps.data();
  const size_t stepCount = code.steps.size();
  for (size_t at = 0; at < stepCount; ++at) {
    const Step &step = steps[at];
    if (step.kind == Step::Kind::LoopBegin) {
      state.trips[step.depth] = 0;
      if (step.trips == 0) at = step.partner;
      continue;
    }
    if (step.kind == Step::Kind::LoopEnd) {
      if (++state.trips[step.depth] < step.trips) at = step.partner;
      continue;
    }
    if (step.barrier && !Observer::Alone) team->barrier();
    if constexpr (Observer::Timed) observer.begin(worker, step);
    void *const *addresses = resolve(code, step, state);
    runStep(code, step, addresses, state);
    if constexpr (Observer::Timed) observer.end(worker, step);
    if constexpr (Observer::Alone) {
      team->barrier();
      if (worker == 0 && step.last) failure = observer.after(*this, code, step, addresses);
      team->barrier();
      if (!failure.isOk()) return;
    }
  }
}

template <class Observer> Status Executor::run(int program, Observer &observer) {
  const ProgramCode &code = codes[size_t(program)];
  failure = Status::ok();
  claimed.store(0, std::memory_order_relaxed);
  // Whoever watches alone meets all workers, who find nothing to do here.
  if (code.isAlone && !Observer::Alone)
    walk(code, 0, observer);
  else
    team->run([&](unsigned worker) { walk(code, worker, observer); });
  return failure;
}

} // namespace dlm
