// `bench`: where the time of a training step goes. Runs steps on one batch of real data, first
// unwatched, for the time of a step, then instruction by instruction. On the processor an
// instruction's time is what its workers were busy with it, added up, so the rates are those of one
// worker; what is missing to the time of the step was spent waiting. On a device it is the time
// from one event to the next.
#include "runtime/launch/Commands.h"

#include "runtime/abi/PlanTargets.h"
#include "runtime/data/Loader.h"
#include "runtime/launch/BenchTimes.h"
#include "runtime/launch/ResumePoint.h"
#include "runtime/metrics/JsonLines.h"

#include <algorithm>
#include <cstring>

namespace dlm {

namespace {

constexpr int64_t BenchSteps = 200;

/// What is known of an instruction without running it.
struct Work {
  std::string name;
  double flops = 0, bytes = 0;
  uint32_t location = 0;
};

/// What an instruction costs.
struct Cost {
  std::string program;
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
    work.location = list->Get(i)->location();
    work.flops *= trips;
    work.bytes *= trips;
    out.push_back(std::move(work));
    if (const plan::Loop *loop = list->Get(i)->action_as_Loop())
      addWork(plan, loop->code(), trips * double(loop->trips()), out);
  }
}

/// "FILE:LINE", as far as it is known.
std::string placeOf(const plan::Plan &plan, const Cost &cost) {
  uint32_t id = cost.work.location;
  if (!plan.locations() || id >= plan.locations()->size()) return "";
  const plan::Location *location = plan.locations()->Get(id);
  if (!location->file() || location->line() == 0) return "";
  return location->file()->str() + ":" + std::to_string(location->line());
}

/// The times of a step and of its parts.
struct Bench {
  unsigned threads = 0;
  std::string device; // empty: the processor
  int64_t steps = 0, batch = 0;
  double stepNs = 0, leastNs = 0;
  std::vector<Cost> costs; // the most expensive first
};

/// Copies the first micro-batch of the run to where `grad` reads it.
Status loadBatch(Session &session, const Dataset &samples, uint64_t seed) {
  Expected<BatchTarget> target = session.trainingTarget(samples.fields());
  if (!target) return target.status();
  Loader loader(samples, {samples.size(), seed}, {target->rows}, 0);
  Expected<const MicroBatch *> batch = loader.next();
  if (!batch) return batch.status();
  DLM_TRY(session.stage(*target));
  for (size_t i = 0; i < target->fields.size(); ++i) {
    if (target->buffers[i] >= 0)
      std::memcpy(target->fields[i], (*batch)->fields[i].data(), target->fieldBytes[i]);
  }
  return Status::ok();
}

/// Appends the costs of a program's instructions; `times` is how often a step runs the program.
void addCosts(const plan::Plan &plan, InstructionTimes &times, const std::string &program,
              int64_t runs, std::vector<Cost> &costs) {
  std::vector<Work> work;
  for (const plan::Program *entry : *plan.programs())
    if (entry->name()->str() == program) addWork(plan, entry->code(), 1, work);
  for (uint32_t i = 0; i < work.size(); ++i) {
    Cost cost{program, i, work[i], medianOf(times.samples[i]) * double(runs),
              leastOf(times.samples[i]) * double(runs)};
    cost.work.flops *= double(runs);
    cost.work.bytes *= double(runs);
    costs.push_back(std::move(cost));
  }
}

Status measure(Session &session, int64_t microBatches, const std::atomic<int> &stop, Bench &bench) {
  BenchTimes times;
  DLM_TRY(measureSteps(session, microBatches, bench.steps, stop, times));
  bench.leastNs = leastOf(times.stepNs);
  bench.stepNs = medianOf(times.stepNs);
  const plan::Plan &plan = session.engine().plan();
  addCosts(plan, times.grad, "grad", microBatches, bench.costs);
  addCosts(plan, times.update, "update", 1, bench.costs);
  std::sort(bench.costs.begin(), bench.costs.end(),
            [](const Cost &a, const Cost &b) { return a.medianNs > b.medianNs; });
  return Status::ok();
}

void printBench(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  double busyNs = 0;
  for (const Cost &cost : bench.costs)
    busyNs += cost.medianNs;
  std::string where = std::to_string(bench.threads) + (bench.threads == 1 ? " thread" : " threads");
  if (!bench.device.empty()) where = bench.device;
  std::fprintf(out, "a step of %lld samples on %s, median of %lld: %.1f us (least %.1f)\n",
               static_cast<long long>(bench.batch), where.c_str(),
               static_cast<long long>(bench.steps), bench.stepNs / 1e3, bench.leastNs / 1e3);
  std::fprintf(out, "%s: %.1f us\n\n",
               bench.device.empty() ? "busy in instructions, all threads"
                                    : "instructions one by one, without a graph",
               busyNs / 1e3);
  std::fprintf(out, "%10s %10s %6s %9s %8s  %-7s %-36s %s\n", "us", "least", "share", "GFLOP/s",
               "GB/s", "program", "instruction", "source");
  for (const Cost &cost : bench.costs)
    std::fprintf(out, "%10.2f %10.2f %5.1f%% %9.2f %8.2f  %-7s %-36s %s\n", cost.medianNs / 1e3,
                 cost.leastNs / 1e3, busyNs > 0 ? 100 * cost.medianNs / busyNs : 0,
                 cost.perNs(cost.work.flops), cost.perNs(cost.work.bytes), cost.program.c_str(),
                 cost.work.name.c_str(), placeOf(plan, cost).c_str());
}

void printBenchJson(std::FILE *out, const plan::Plan &plan, const Bench &bench) {
  for (const Cost &cost : bench.costs) {
    std::string text = "{\"program\":" + jsonText(cost.program);
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
  if (!bench.device.empty()) text += ",\"device\":" + jsonText(bench.device);
  text += ",\"steps\":" + std::to_string(bench.steps) + "}}\n";
  std::fputs(text.c_str(), out);
}

} // namespace

Status benchCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<std::unique_ptr<DataSource>> data = openData(context, recipe);
  if (!data) return data.status();
  Bench bench;
  bench.threads = threadCount(context.line);
  bench.steps = context.line.steps.value_or(BenchSteps);
  Expected<std::unique_ptr<Session>> session = openSession(context);
  if (!session) return session.status();
  if (isDevicePlan(context.plan)) bench.device = (*session)->engine().description();
  ResumePoint start = startOf({recipe, context.options, context.line, ""});
  std::string rounding;
  Expected<RunSchedule> schedule =
      makeSchedule(recipe, start.overrides, recipe.data->train_count, rounding);
  if (!schedule) return schedule.status();
  bench.batch = schedule->batch;
  DLM_TRY((*session)->initialise(start.seed, start.options));
  (*session)->setBatchSize(schedule->batch);
  (*session)->setRunLength(schedule->steps);
  DLM_TRY((*session)->commit());
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
