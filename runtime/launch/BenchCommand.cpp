// `bench`: where the time of a training step goes. Runs steps on one batch of real data, first
// unwatched, for the time of a step, then instruction by instruction. On the processor an
// instruction's time is what its workers were busy with it, added up, so the rates are those of one
// worker; what is missing to the time of the step was spent waiting. On a device it is the time
// from one event to the next.
#include "runtime/launch/Commands.h"

#include "runtime/abi/PlanTargets.h"
#include "runtime/data/Loader.h"
#include "runtime/launch/BenchReport.h"
#include "runtime/launch/BenchTimes.h"
#include "runtime/launch/PlanWork.h"
#include "runtime/launch/ResumePoint.h"

#include <algorithm>
#include <cstring>

namespace dlm {

namespace {

constexpr int64_t BenchSteps = 200;
constexpr int64_t LoadedMax = 200;                // batches
constexpr int64_t LoadingNs = int64_t(300) << 20; // after which no batch is begun

double medianOf(std::vector<int64_t> &values) {
  size_t middle = values.size() / 2;
  std::nth_element(values.begin(), values.begin() + ptrdiff_t(middle), values.end());
  return double(values[middle]);
}

double leastOf(const std::vector<int64_t> &values) {
  return double(*std::min_element(values.begin(), values.end()));
}

/// Copies the first micro-batch of the run to where the updates read it.
Status loadBatch(Session &session, const Dataset &samples, uint64_t seed) {
  for (size_t update = 0; update < session.updateCount(); ++update) {
    Expected<BatchTarget> target = session.trainingTarget(samples.fields(), update);
    if (!target) return target.status();
    Loader loader(samples, {samples.size(), seed}, {target->rows}, 0);
    Expected<const MicroBatch *> batch = loader.next();
    if (!batch) return batch.status();
    DLM_TRY(session.stage(*target));
    for (size_t i = 0; i < target->fields.size(); ++i) {
      if (target->buffers[i] >= 0)
        std::memcpy(target->fields[i], (*batch)->fields[i].data(), target->fieldBytes[i]);
    }
  }
  return Status::ok();
}

/// Appends the costs of a program's instructions; `times` is how often a step runs the program.
void addCosts(const plan::Plan &plan, InstructionTimes &times, const std::string &program,
              int64_t runs, std::vector<Cost> &costs) {
  std::vector<Work> work = workOf(plan, *findProgram(plan, program));
  for (uint32_t i = 0; i < work.size(); ++i) {
    Cost cost{program, i, work[i], medianOf(times.samples[i]) * double(runs),
              leastOf(times.samples[i]) * double(runs)};
    cost.work.flops *= double(runs);
    cost.work.read *= double(runs);
    cost.work.written *= double(runs);
    costs.push_back(std::move(cost));
  }
}

/// How long one thread takes to make a batch ready, in the order of the run.
Status measureLoading(const Dataset &samples, uint64_t seed, Clock &clock,
                      const std::atomic<int> &stop, Bench &bench) {
  SampleOrder order{samples.size(), seed};
  std::vector<int64_t> batch(size_t(bench.batch), 0);
  std::vector<std::vector<uint8_t>> fields;
  std::vector<void *> out;
  for (const FieldSpec &field : samples.fields())
    fields.emplace_back(size_t(field.sizeBytes()));
  for (std::vector<uint8_t> &field : fields)
    out.push_back(field.data());
  std::vector<int64_t> times;
  int64_t begin = clock.monotonicNs();
  for (int64_t first = 0; !stop; first += bench.batch) {
    int64_t before = clock.monotonicNs();
    if (times.size() >= size_t(LoadedMax) || (!times.empty() && before - begin > LoadingNs)) break;
    order.fill(first, bench.batch, batch.data());
    for (int64_t row = 0; row < bench.batch; ++row)
      DLM_TRY(samples.readIn(uint32_t(order.epoch(first + row)), batch[size_t(row)], out.data()));
    times.push_back(clock.monotonicNs() - before);
  }
  if (times.empty()) return Status::error(Code::Interrupted, "the measurement was interrupted");
  bench.loadedBatches = int64_t(times.size());
  bench.loadNs = medianOf(times);
  return Status::ok();
}

Status measure(Session &session, int64_t microBatches, const std::atomic<int> &stop, Bench &bench) {
  BenchTimes times;
  DLM_TRY(measureSteps(session, microBatches, bench.steps, stop, times));
  bench.leastNs = leastOf(times.stepNs);
  bench.stepNs = medianOf(times.stepNs);
  const plan::Plan &plan = session.engine().plan();
  std::vector<StepProgram> step = programsOfStep(plan.recipe(), microBatches);
  for (size_t i = 0; i < step.size(); ++i)
    addCosts(plan, times.programs[i], step[i].name, step[i].runs, bench.costs);
  std::sort(bench.costs.begin(), bench.costs.end(),
            [](const Cost &a, const Cost &b) { return a.medianNs > b.medianNs; });
  return Status::ok();
}

} // namespace

Status benchCommand(const CommandContext &context) {
  plan::RecipeT recipe;
  context.plan.recipe()->UnPackTo(&recipe);
  Expected<std::unique_ptr<DataSource>> data = openData(context, recipe);
  if (!data) return data.status();
  Bench bench;
  bench.steps = context.line.steps.value_or(BenchSteps);
  Expected<std::unique_ptr<Session>> session = openSession(context);
  if (!session) return session.status();
  bench.threads = (*session)->workerCount();
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
  DLM_TRY(mapSamples(context, start.seed, start.options, *data));
  Expected<const Dataset *> samples = (*data)->get(Split::Train, &context.stop);
  if (!samples) return samples.status();
  DLM_TRY(loadBatch(**session, **samples, start.seed));
  DLM_TRY(measureLoading(**samples, start.seed, *context.surroundings.clock, context.stop, bench));
  DLM_TRY(measure(**session, schedule->microBatches, context.stop, bench));
  if (context.line.json)
    printBenchJson(context.surroundings.out, context.plan, bench);
  else
    printBench(context.surroundings.out, context.plan, bench);
  return Status::ok();
}

} // namespace dlm
