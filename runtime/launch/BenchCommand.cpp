// `bench`: where the time of a training step goes. Runs steps on one batch of real data, first
// unwatched, for the time of a step, then under the timing observer, for the median of every
// instruction. An instruction's time is what its workers were busy with it, added up, so the rates
// are those of one worker; what is missing to the time of the step was spent waiting.
#include "runtime/launch/Commands.h"

#include "runtime/base/Clock.h"
#include "runtime/data/Loader.h"
#include "runtime/executor/Observers.h"
#include "runtime/launch/ResumePoint.h"
#include "runtime/metrics/JsonLines.h"

#include <algorithm>
#include <cstring>

namespace dlm {

namespace {

constexpr int64_t BenchSteps = 200, WarmUpSteps = 10;

/// What is known of an instruction without running it.
struct Work {
  std::string name;
  double flops = 0, bytes = 0;
};

/// What an instruction costs.
struct Cost {
  const ProgramCode *code;
  uint32_t instruction;
  Work work;
  double medianNs = 0, leastNs = 0;

  double perNs(double amount) const { return medianNs > 0 ? amount / medianNs : 0; }
};

double medianOf(std::vector<int64_t> &values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(middle), values.end());
  return double(values[middle]);
}

double leastOf(const std::vector<int64_t> &values) {
  return double(*std::min_element(values.begin(), values.end()));
}

double sumOf(const flatbuffers::Vector<uint64_t> *values) {
  double sum = 0;
  for (uint32_t i = 0; values && i < values->size(); ++i)
    sum += double(values->Get(i));
  return sum;
}

Work workOf(const plan::Plan &plan, const plan::Instruction &instruction) {
  Work work;
  if (const plan::Launch *launch = instruction.action_as_Launch()) {
    const plan::Kernel *kernel = plan.kernels()->Get(launch->kernel());
    work.name = kernel->symbol()->str();
    work.flops = double(kernel->flops()) * double(launch->items());
    work.bytes = sumOf(launch->arg_bytes());
  } else if (const plan::Library *library = instruction.action_as_Library()) {
    const auto &shape = *library->descriptor();
    auto side = [&](unsigned rows, unsigned columns, unsigned transposed) {
      bool turned = shape.Get(transposed) != 0;
      return std::to_string(shape.Get(turned ? columns : rows)) + "x" +
             std::to_string(shape.Get(turned ? rows : columns)) + (turned ? "^T" : "");
    };
    work.name = "contract " + side(0, 2, 3) + " * " + side(2, 1, 4);
    work.flops = 2.0 * double(shape.Get(0)) * double(shape.Get(1)) * double(shape.Get(2));
    work.bytes = sumOf(library->arg_bytes());
  } else if (const plan::Copy *copy = instruction.action_as_Copy()) {
    work = {"copy", 0, 2 * double(copy->size_bytes())};
  } else if (const plan::Fill *fill = instruction.action_as_Fill()) {
    work = {"fill", 0, double(fill->size_bytes())};
  } else {
    work.name = plan::EnumNameAction(instruction.action_type());
  }
  return work;
}

/// Appends the work of a list of instructions in the order in which the executor counts them.
void addWork(const plan::Plan &plan,
             const flatbuffers::Vector<flatbuffers::Offset<plan::Instruction>> *list, double trips,
             std::vector<Work> &out) {
  for (uint32_t i = 0; list && i < list->size(); ++i) {
    Work work = workOf(plan, *list->Get(i));
    work.flops *= trips;
    work.bytes *= trips;
    out.push_back(std::move(work));
    if (const plan::Loop *loop = list->Get(i)->action_as_Loop())
      addWork(plan, loop->code(), trips * double(loop->trips()), out);
  }
}

/// "FILE:LINE", as far as it is known.
std::string placeOf(const plan::Plan &plan, const Cost &cost) {
  uint32_t id = cost.code->instructionLocations[cost.instruction];
  if (!plan.locations() || id >= plan.locations()->size()) return "";
  const plan::Location *location = plan.locations()->Get(id);
  if (!location->file() || location->line() == 0) return "";
  return location->file()->str() + ":" + std::to_string(location->line());
}

/// One program under the observer: runs it and notes how long each instruction took.
class WatchedProgram {
public:
  WatchedProgram(Executor &executor, const std::string &name)
      : executor(executor), number(executor.findProgram(name)),
        code(executor.programs()[size_t(number)]), observer(code, executor.workerCount()),
        before(code.instructionCount, 0), samples(code.instructionCount) {}

  Status run() {
    DLM_TRY(executor.run(number, observer));
    for (uint32_t i = 0; i < code.instructionCount; ++i) {
      int64_t now = observer.instructionNs(i);
      samples[i].push_back(now - before[i]);
      before[i] = now;
    }
    return Status::ok();
  }

  /// Appends the costs of the instructions; `times` is how often a step runs the program.
  void addCosts(int64_t times, std::vector<Cost> &costs) {
    const plan::Plan &plan = executor.plan();
    std::vector<Work> work;
    addWork(plan, plan.programs()->Get(unsigned(number))->code(), 1, work);
    for (uint32_t i = 0; i < code.instructionCount; ++i) {
      Cost cost{&code, i, work[i], medianOf(samples[i]) * double(times),
                leastOf(samples[i]) * double(times)};
      cost.work.flops *= double(times);
      cost.work.bytes *= double(times);
      costs.push_back(std::move(cost));
    }
  }

private:
  Executor &executor;
  int number;
  const ProgramCode &code;
  TimingObserver observer;
  std::vector<int64_t> before; // the observer's sums before the last run
  std::vector<std::vector<int64_t>> samples;
};

/// The times of a step and of its parts.
struct Bench {
  unsigned threads = 0;
  int64_t steps = 0, batch = 0;
  double stepNs = 0, leastNs = 0;
  std::vector<Cost> costs; // the most expensive first
};

/// Copies the first micro-batch of the run to where `grad` reads it.
Status loadBatch(Session &session, const Dataset &samples, uint64_t seed) {
  Expected<BatchTarget> target = session.trainingTarget(samples.fields());
  if (!target) return target.status();
  Loader loader(samples, seed, target->rows, 0, 1);
  Expected<const MicroBatch *> batch = loader.next();
  if (!batch) return batch.status();
  for (size_t i = 0; i < target->fields.size(); ++i) {
    if (target->fields[i])
      std::memcpy(target->fields[i], (*batch)->fields[i].data(), target->fieldBytes[i]);
  }
  return Status::ok();
}

Status measure(Session &session, int64_t microBatches, const std::atomic<int> &stop, Bench &bench) {
  auto interrupted = [&] { return Status::error(Code::Interrupted, "interrupted"); };
  std::vector<int64_t> stepNs;
  for (int64_t step = -WarmUpSteps; step < bench.steps; ++step) {
    if (stop) return interrupted();
    int64_t start = monotonicNs();
    for (int64_t micro = 0; micro < microBatches; ++micro)
      session.runGrad();
    session.runUpdate();
    if (step >= 0) stepNs.push_back(monotonicNs() - start);
  }
  bench.leastNs = leastOf(stepNs);
  bench.stepNs = medianOf(stepNs);
  WatchedProgram grad(session.executor(), "grad"), update(session.executor(), "update");
  for (int64_t step = 0; step < bench.steps; ++step) {
    if (stop) return interrupted();
    for (int64_t micro = 0; micro < microBatches; ++micro)
      DLM_TRY(grad.run());
    DLM_TRY(update.run());
  }
  grad.addCosts(microBatches, bench.costs);
  update.addCosts(1, bench.costs);
  std::sort(bench.costs.begin(), bench.costs.end(),
            [](const Cost &a, const Cost &b) { return a.medianNs > b.medianNs; });
  return Status::ok();
}

void printBench(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  double busyNs = 0;
  for (const Cost &cost : bench.costs)
    busyNs += cost.medianNs;
  std::fprintf(out, "a step of %lld samples on %u thread%s, median of %lld: %.1f us (least %.1f)\n",
               static_cast<long long>(bench.batch), bench.threads, bench.threads == 1 ? "" : "s",
               static_cast<long long>(bench.steps), bench.stepNs / 1e3, bench.leastNs / 1e3);
  std::fprintf(out, "busy in instructions, all threads: %.1f us\n\n", busyNs / 1e3);
  std::fprintf(out, "%10s %10s %6s %9s %8s  %-7s %-36s %s\n", "us", "least", "share", "GFLOP/s",
               "GB/s", "program", "instruction", "source");
  for (const Cost &cost : bench.costs)
    std::fprintf(out, "%10.2f %10.2f %5.1f%% %9.2f %8.2f  %-7s %-36s %s\n", cost.medianNs / 1e3,
                 cost.leastNs / 1e3, busyNs > 0 ? 100 * cost.medianNs / busyNs : 0,
                 cost.perNs(cost.work.flops), cost.perNs(cost.work.bytes), cost.code->name.c_str(),
                 cost.work.name.c_str(), placeOf(plan, cost).c_str());
}

void printBenchJson(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  for (const Cost &cost : bench.costs) {
    std::string text = "{\"program\":" + jsonText(cost.code->name);
    text += ",\"instruction\":" + std::to_string(cost.instruction);
    text += ",\"name\":" + jsonText(cost.work.name);
    text += ",\"source\":" + jsonText(placeOf(plan, cost));
    text += ",\"us\":" + jsonNumber(cost.medianNs / 1e3);
    text += ",\"least_us\":" + jsonNumber(cost.leastNs / 1e3);
    text += ",\"flops\":" + jsonNumber(cost.work.flops);
    text += ",\"bytes\":" + jsonNumber(cost.work.bytes);
    text += ",\"gflops_per_s\":" + jsonNumber(cost.perNs(cost.work.flops));
    text += ",\"gb_per_s\":" + jsonNumber(cost.perNs(cost.work.bytes)) + "}\n";
    std::fputs(text.c_str(), out);
  }
  std::string text = "{\"step\":{\"us\":" + jsonNumber(bench.stepNs / 1e3);
  text += ",\"least_us\":" + jsonNumber(bench.leastNs / 1e3);
  text += ",\"samples\":" + std::to_string(bench.batch);
  text += ",\"threads\":" + std::to_string(bench.threads);
  text += ",\"steps\":" + std::to_string(bench.steps) + "}}\n";
  std::fputs(text.c_str(), out);
}

} // namespace

Status benchCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<DataSpec> spec = dataSpecOf(recipe, context.line.data);
  if (!spec) return spec.status();
  Expected<std::unique_ptr<DataSource>> data = openDataSource(*spec);
  if (!data) return data.status();
  Bench bench;
  bench.threads = threadCount(context.line);
  bench.steps = context.line.steps.value_or(BenchSteps);
  Expected<std::unique_ptr<Session>> session =
      Session::open(context.plan, context.kernels, bench.threads);
  if (!session) return session.status();
  ResumePoint start = startOf({recipe, context.options, context.line, ""});
  std::string rounding;
  Expected<RunSchedule> schedule =
      makeSchedule(recipe, start.overrides, recipe.data->train_count, rounding);
  if (!schedule) return schedule.status();
  bench.batch = schedule->batch;
  DLM_TRY((*session)->initialise(start.seed, start.options));
  (*session)->setBatchSize(schedule->batch);
  (*session)->setRunLength(schedule->steps);
  Expected<const Dataset *> samples = (*data)->get(Split::Train);
  if (!samples) return samples.status();
  DLM_TRY(loadBatch(**session, **samples, start.seed));
  DLM_TRY(measure(**session, schedule->microBatches, context.stop, bench));
  if (context.line.json)
    printBenchJson(context.surroundings.out, context.plan, bench);
  else
    printBench(context.surroundings.out, context.plan, bench);
  return Status::ok();
}

} // namespace dlm
