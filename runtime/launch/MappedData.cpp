// Each maker of samples is an executor of one worker over the arenas of which every thread has its
// own. The executor runs on the thread that asks, so there are as many as threads that may.
#include "runtime/launch/MappedData.h"

#include "runtime/data/MappedDataset.h"
#include "runtime/executor/Executor.h"
#include "runtime/launch/OptionUse.h"
#include "runtime/launch/PlanWork.h"

namespace dlm {

namespace {

using Fields = flatbuffers::Vector<flatbuffers::Offset<plan::Field>>;

FieldSpec specOf(const plan::Field &field) {
  FieldSpec spec{field.name()->str(), static_cast<DType>(uint8_t(field.dtype())), {}};
  if (field.shape()) spec.shape.assign(field.shape()->begin(), field.shape()->end());
  return spec;
}

/// What goes in and out, and who makes the one of the other.
struct SampleTask {
  std::vector<FieldSpec> from, to;
  const char *trainProgram = "sample_train";
  const char *evalProgram = "sample_eval";
};

class ProgramMaker final : public SampleMaker {
public:
  static Expected<std::unique_ptr<SampleMaker>> open(const plan::Plan &plan,
                                                     const KernelLibrary &kernels,
                                                     const SampleTask &task,
                                                     const SampleSettings &settings) {
    ExecutorOptions options;
    options.perThread = true;
    Expected<std::unique_ptr<Executor>> executor = Executor::open(plan, kernels, options);
    if (!executor) return executor.status();
    std::unique_ptr<ProgramMaker> maker(new ProgramMaker(executor.take()));
    DLM_TRY(maker->bind(task, settings));
    return std::unique_ptr<SampleMaker>(std::move(maker));
  }

  void *const *inputs() const override { return ins.data(); }
  const void *const *outputs() const override { return outs.data(); }

  Status make(bool isTraining, uint64_t draw) override {
    if (drawn) *drawn = int64_t(draw);
    executor->run(isTraining ? trainProgram : evalProgram);
    return Status::ok();
  }

private:
  explicit ProgramMaker(std::unique_ptr<Executor> executor) : executor(std::move(executor)) {}

  Status bind(const SampleTask &task, const SampleSettings &settings) {
    trainProgram = executor->findProgram(task.trainProgram);
    evalProgram = executor->findProgram(task.evalProgram);
    if (trainProgram < 0 || evalProgram < 0) return corrupt("the plan has no programs for samples");
    for (const FieldSpec &field : task.from) {
      if (BufferView view = executor->find("sample.in." + field.name)) {
        if (view.sizeBytes != field.sizeBytes())
          return corrupt("the plan's `sample.in." + field.name + "` does not hold a sample's");
        ins.push_back(view.data);
        continue;
      }
      unread.emplace_back(size_t(field.sizeBytes()));
      ins.push_back(unread.back().data());
    }
    for (const FieldSpec &field : task.to) {
      BufferView view = executor->find("sample.out." + field.name);
      if (!view) return corrupt("the plan makes no field `" + field.name + "`");
      outs.push_back(view.data);
    }
    if (BufferView view = executor->find("sample.seed"))
      *view.as<int64_t>() = int64_t(settings.seed);
    if (BufferView view = executor->find("sample.draw")) drawn = view.as<int64_t>();
    const auto *options = executor->plan().options();
    for (uint32_t i = 0; options && i < options->size(); ++i)
      setOption(*options->Get(i), settings);
    return Status::ok();
  }

  void setOption(const plan::Option &option, const SampleSettings &settings) {
    BufferView view = executor->find("sample.option." + option.name()->str());
    if (!view) return;
    auto given = settings.options.find(option.name()->str());
    double value = given == settings.options.end() ? option.value() : given->second;
    if (view.dtype == plan::DType::F32)
      *view.as<float>() = float(value);
    else if (view.dtype == plan::DType::I64)
      *view.as<int64_t>() = int64_t(value);
    else
      *view.as<int32_t>() = int32_t(value);
  }

  std::unique_ptr<Executor> executor;
  int trainProgram = -1, evalProgram = -1;
  std::vector<void *> ins;
  std::vector<const void *> outs;
  std::vector<std::vector<uint8_t>> unread; // fields that no map reads
  int64_t *drawn = nullptr;                 // none if nothing is drawn
};

/// As many makers as threads may ask.
Expected<std::shared_ptr<SampleMakers>> makersOf(const plan::Plan &plan,
                                                 const KernelLibrary *kernels,
                                                 const SampleTask &task,
                                                 const SampleSettings &settings, int64_t count) {
  if (!kernels) return corrupt("the program has no code for the processor, which makes samples");
  std::vector<std::unique_ptr<SampleMaker>> makers;
  for (int64_t i = 0; i < count; ++i) {
    Expected<std::unique_ptr<SampleMaker>> maker =
        ProgramMaker::open(plan, *kernels, task, settings);
    if (!maker) return maker.status().withContext("what makes samples");
    makers.push_back(maker.take());
  }
  return std::make_shared<SampleMakers>(std::move(makers));
}

const Fields *mappedFields(const plan::Plan &plan) {
  return plan.recipe() && plan.recipe()->data() ? plan.recipe()->data()->mapped() : nullptr;
}

/// The fields of samples that the program `predict` reads.
std::vector<FieldSpec> predictedFields(const plan::Plan &plan) {
  std::vector<FieldSpec> fields;
  const plan::Program *predict = findProgram(plan, "predict");
  if (!predict || !predict->signature()) return fields;
  for (const plan::Field *field : *mappedFields(plan))
    for (const plan::Field *read : *predict->signature())
      if (read->name()->str() == field->name()->str()) fields.push_back(specOf(*field));
  return fields;
}

} // namespace

bool isMapped(const plan::Plan &plan) {
  const Fields *mapped = mappedFields(plan);
  return mapped && mapped->size() > 0;
}

std::vector<FieldSpec> predictedFrom(const plan::Plan &plan) {
  std::vector<FieldSpec> fields;
  const plan::Program *program = findProgram(plan, "sample_predict");
  if (!program || !program->code()) return fields;
  for (const plan::Field *field : *plan.recipe()->data()->fields()) {
    if (field->buffer() >= plan.buffers()->size()) continue;
    const plan::Buffer &buffer = *plan.buffers()->Get(field->buffer());
    bool isOwn = buffer.name() && buffer.name()->str() == "sample.in." + field->name()->str();
    if (isOwn && touchesBuffer(*program, field->buffer())) fields.push_back(specOf(*field));
  }
  return fields;
}

Expected<std::unique_ptr<DataSource>> mapData(std::unique_ptr<DataSource> source,
                                              const plan::Plan &plan, const DataSpec &spec,
                                              const KernelLibrary *kernels,
                                              const SampleSettings &settings) {
  if (!isMapped(plan)) return std::move(source);
  SampleTask task;
  for (const plan::Field *field : *plan.recipe()->data()->fields())
    task.from.push_back(specOf(*field));
  for (const plan::Field *field : *mappedFields(plan))
    task.to.push_back(specOf(*field));
  // The loader's threads, and the one that evaluates while they go on.
  Expected<std::shared_ptr<SampleMakers>> makers =
      makersOf(plan, kernels, task, settings, settings.loaderThreads + 1);
  if (!makers) return makers.status();
  return makeMappedSource(std::move(source), spec, task.to, makers.take());
}

Expected<std::unique_ptr<Dataset>> mapPredicted(const Dataset &samples, const plan::Plan &plan,
                                                const KernelLibrary *kernels,
                                                const SampleSettings &settings,
                                                int64_t firstSample) {
  SampleTask task{samples.fields(), predictedFields(plan), "sample_predict", "sample_predict"};
  Expected<std::shared_ptr<SampleMakers>> makers = makersOf(plan, kernels, task, settings, 1);
  if (!makers) return makers.status();
  return std::unique_ptr<Dataset>(
      std::make_unique<MappedDataset>(samples, task.to, makers.take(), firstSample));
}

} // namespace dlm
