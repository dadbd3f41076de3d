// Everything is measured as a graph, so that the host's part of a launch does not count.
#include "test/gpu-check/check/Times.h"

#include <algorithm>

namespace dlm::gpucheck {

namespace {

double medianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

/// Captures what `enqueue` puts on the stream.
template <class F> Expected<std::unique_ptr<cuda::Graph>> capture(Machine &machine, F enqueue) {
  DLM_TRY(machine.stream().beginCapture());
  DLM_TRY(enqueue());
  return machine.stream().endCapture();
}

/// Milliseconds of each of `count` replays, after one that does not count.
Expected<std::vector<double>> timeReplays(Machine &machine, const cuda::Graph &graph,
                                          unsigned count) {
  std::vector<double> times;
  for (unsigned i = 0; i <= count; ++i) {
    Expected<double> ms = machine.measure([&] { return machine.stream().launch(graph); });
    if (!ms) return ms.status();
    if (i > 0) times.push_back(*ms);
  }
  return times;
}

Status measureStep(PlanOnDevice &plan, const TimeOptions &options, StepTime &time) {
  const plan::Program *init = plan.findProgram("init");
  const plan::Program *grad = plan.findProgram("grad"), *update = plan.findProgram("update");
  if (!init || !grad || !update) return corrupt("the plan has no training step");
  const plan::Recipe &recipe = *plan.plan().recipe();
  uint32_t microBatches = std::max(1u, recipe.batch() / std::max(1u, recipe.micro()));
  DLM_TRY(plan.enqueue(*init));
  Machine &machine = plan.machine();
  auto graph = capture(machine, [&] {
    for (uint32_t micro = 0; micro < microBatches; ++micro)
      DLM_TRY(plan.enqueue(*grad));
    return plan.enqueue(*update);
  });
  if (!graph) return graph.status();
  Expected<std::vector<double>> times = timeReplays(machine, **graph, options.steps);
  if (!times) return times.status();
  Expected<double> all = machine.measure([&] {
    for (unsigned step = 0; step < options.steps; ++step)
      DLM_TRY(machine.stream().launch(**graph));
    return Status::ok();
  });
  if (!all) return all.status();
  time.steps = options.steps;
  time.medianUs = medianOf(*times) * 1e3;
  time.leastUs = *std::min_element(times->begin(), times->end()) * 1e3;
  time.pipelinedUs = *all / options.steps * 1e3;
  return Status::ok();
}

Status measureInstructions(PlanOnDevice &plan, const plan::Program &program,
                           const TimeOptions &options, std::vector<InstructionTime> &times) {
  for (const plan::Instruction *instruction : *program.code()) {
    InstructionTime time;
    time.work = workOf(plan.plan(), *instruction);
    if (time.work.name.empty()) continue;
    time.program = program.name()->str();
    auto graph = capture(plan.machine(), [&] {
      for (unsigned i = 0; i < options.launches; ++i)
        DLM_TRY(plan.enqueue(*instruction));
      return Status::ok();
    });
    if (!graph) return graph.status();
    auto replays = timeReplays(plan.machine(), **graph, options.replays);
    if (!replays) return replays.status();
    time.medianUs = medianOf(*replays) / options.launches * 1e3;
    times.push_back(std::move(time));
  }
  return Status::ok();
}

Status measureCopy(Machine &machine, const TimeOptions &options, double &bytesPerSecond) {
  auto from = machine.device().allocate(options.copyBytes, "the bandwidth of copies");
  if (!from) return from.status();
  auto to = machine.device().allocate(options.copyBytes, "the bandwidth of copies");
  if (!to) return to.status();
  auto graph = capture(machine, [&] {
    return machine.stream().copy(to->address(), from->address(), options.copyBytes);
  });
  if (!graph) return graph.status();
  auto times = timeReplays(machine, **graph, options.replays);
  if (!times) return times.status();
  double ms = medianOf(*times);
  bytesPerSecond = ms > 0 ? 2.0 * double(options.copyBytes) / ms * 1e3 : 0;
  return Status::ok();
}

} // namespace

Expected<Times> measureTimes(Machine &machine, const plan::Plan &plan, const TimeOptions &options) {
  Times times;
  auto onDevice = PlanOnDevice::create(machine, plan);
  if (!onDevice) return onDevice.status();
  DLM_TRY(measureStep(**onDevice, options, times.step).withContext("timing a step"));
  for (const plan::Program *program : *plan.programs())
    DLM_TRY(measureInstructions(**onDevice, *program, options, times.instructions)
                .withContext("timing `" + program->name()->str() + "`"));
  DLM_TRY(measureCopy(machine, options, times.copyBytesPerSecond).withContext("timing a copy"));
  return times;
}

} // namespace dlm::gpucheck
