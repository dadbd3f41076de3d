// The loops of `bench`.
#include "runtime/launch/BenchTimes.h"

#include "runtime/base/Clock.h"
#include "runtime/executor/DeviceExecutor.h"
#include "runtime/executor/Executor.h"
#include "runtime/executor/Observers.h"
#include "runtime/launch/PlanWork.h"

#include <memory>

namespace dlm {

namespace {

constexpr int64_t WarmUpSteps = 10;

Status interrupted() { return Status::error(Code::Interrupted, "interrupted"); }

/// A step that makes all its updates.
Status runStep(Session &session, int64_t microBatches) {
  const auto &updates = session.recipe().updates;
  for (size_t i = 0; i < session.updateCount(); ++i) {
    for (int64_t r = 0; r < (updates.empty() ? 1 : int64_t(updates[i]->repeat)); ++r) {
      for (int64_t micro = 0; micro < microBatches; ++micro)
        DLM_TRY(session.startGrad(i));
      if (!updates.empty()) DLM_TRY(session.startPartUpdate(i));
    }
  }
  return session.startUpdate();
}

/// Steps on the processor, each ended before the next begins.
Status timeSteps(Session &session, int64_t microBatches, int64_t steps,
                 const std::atomic<int> &stop, std::vector<int64_t> &stepNs) {
  for (int64_t step = -WarmUpSteps; step < steps; ++step) {
    if (stop) return interrupted();
    int64_t start = monotonicNs();
    DLM_TRY(runStep(session, microBatches));
    DLM_TRY(session.takeUpdate());
    if (step >= 0) stepNs.push_back(monotonicNs() - start);
  }
  return Status::ok();
}

/// Steps in flight as in training, with a mark on the device after each.
Status timeSteps(DeviceExecutor &device, Session &session, int64_t microBatches, int64_t steps,
                 const std::atomic<int> &stop, std::vector<int64_t> &stepNs) {
  DLM_TRY(device.makeMarks(size_t(steps) + 1));
  int64_t inFlight = 0;
  for (int64_t step = -WarmUpSteps; step < steps; ++step) {
    if (stop) return interrupted();
    if (step == 0) DLM_TRY(device.mark(0));
    if (inFlight == device.depth()) {
      DLM_TRY(session.takeUpdate());
      --inFlight;
    }
    DLM_TRY(runStep(session, microBatches));
    ++inFlight;
    if (step >= 0) DLM_TRY(device.mark(size_t(step) + 1));
  }
  for (; inFlight > 0; --inFlight)
    DLM_TRY(session.takeUpdate());
  for (int64_t step = 0; step < steps; ++step) {
    Expected<float> ms = device.msBetween(size_t(step), size_t(step) + 1);
    if (!ms) return ms.status();
    stepNs.push_back(int64_t(double(*ms) * 1e6));
  }
  return Status::ok();
}

/// One program on the processor under the observer.
class WatchedProgram {
public:
  WatchedProgram(Executor &executor, const std::string &name, InstructionTimes &times)
      : executor(executor), number(executor.findProgram(name)),
        code(executor.programs()[size_t(number)]), observer(code, executor.workerCount()),
        before(code.instructionCount, 0), times(times) {
    times.samples.resize(code.instructionCount);
  }

  Status run() {
    DLM_TRY(executor.run(number, observer));
    for (uint32_t i = 0; i < code.instructionCount; ++i) {
      int64_t now = observer.instructionNs(i);
      times.samples[i].push_back(now - before[i]);
      before[i] = now;
    }
    return Status::ok();
  }

private:
  Executor &executor;
  int number;
  const ProgramCode &code;
  TimingObserver observer;
  std::vector<int64_t> before; // the observer's sums before the last run
  InstructionTimes &times;
};

/// One program on a device, command by command.
class MarkedProgram {
public:
  MarkedProgram(DeviceExecutor &device, const std::string &name, InstructionTimes &times)
      : device(device), number(device.findProgram(name)), times(times) {}

  Status run() {
    std::vector<double> ms;
    DLM_TRY(device.runTimed(number, ms));
    times.samples.resize(ms.size());
    for (size_t i = 0; i < ms.size(); ++i)
      times.samples[i].push_back(int64_t(ms[i] * 1e6));
    return Status::ok();
  }

private:
  DeviceExecutor &device;
  int number;
  InstructionTimes &times;
};

template <class Program, class SomeEngine>
Status timeInstructions(SomeEngine &engine, int64_t microBatches, int64_t steps,
                        const std::atomic<int> &stop, BenchTimes &times) {
  std::vector<StepProgram> step = programsOfStep(engine.plan().recipe(), microBatches);
  times.programs.resize(step.size());
  std::vector<std::unique_ptr<Program>> programs;
  for (size_t i = 0; i < step.size(); ++i)
    programs.push_back(std::make_unique<Program>(engine, step[i].name, times.programs[i]));
  for (int64_t number = 0; number < steps; ++number) {
    if (stop) return interrupted();
    for (size_t i = 0; i < step.size(); ++i)
      for (int64_t run = 0; run < step[i].runs; ++run)
        DLM_TRY(programs[i]->run());
  }
  return Status::ok();
}

} // namespace

Status measureSteps(Session &session, int64_t microBatches, int64_t steps,
                    const std::atomic<int> &stop, BenchTimes &times) {
  if (auto *device = dynamic_cast<DeviceExecutor *>(&session.engine())) {
    DLM_TRY(timeSteps(*device, session, microBatches, steps, stop, times.stepNs));
    return timeInstructions<MarkedProgram>(*device, microBatches, steps, stop, times);
  }
  auto *executor = dynamic_cast<Executor *>(&session.engine());
  if (!executor) return unsupported("this engine cannot be timed");
  DLM_TRY(timeSteps(session, microBatches, steps, stop, times.stepNs));
  return timeInstructions<WatchedProgram>(*executor, microBatches, steps, stop, times);
}

} // namespace dlm
