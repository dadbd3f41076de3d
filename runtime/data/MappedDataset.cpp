#include "runtime/data/MappedDataset.h"

#include "runtime/base/Philox.h"

#include <cstring>

namespace dlm {

SampleMakers::SampleMakers(std::vector<std::unique_ptr<SampleMaker>> given)
    : makers(std::move(given)) {
  DLM_ASSERT(!makers.empty(), "nobody makes samples");
  for (const std::unique_ptr<SampleMaker> &maker : makers)
    idle.push_back(maker.get());
}

SampleMaker &SampleMakers::take() {
  std::unique_lock<std::mutex> lock(mutex);
  given.wait(lock, [&] { return !idle.empty(); });
  SampleMaker *maker = idle.back();
  idle.pop_back();
  return *maker;
}

void SampleMakers::give(SampleMaker &maker) {
  {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(&maker); // there is room: it was here before
  }
  given.notify_one();
}

MappedDataset::MappedDataset(const Dataset &source, std::vector<FieldSpec> fields,
                             std::shared_ptr<SampleMakers> makers, int64_t firstSample)
    : source(source), specs(std::move(fields)), makers(std::move(makers)),
      firstSample(firstSample) {}

Status MappedDataset::read(int64_t index, void *const *out) const {
  SampleMaker &maker = makers->take();
  Status status = makeBy(maker, false, EvaluationEpoch, index, out);
  makers->give(maker);
  return status;
}

Status MappedDataset::readIn(uint32_t epoch, int64_t index, void *const *out) const {
  SampleMaker &maker = makers->take();
  Status status = makeBy(maker, true, epoch, index, out);
  makers->give(maker);
  return status;
}

Status MappedDataset::makeBy(SampleMaker &maker, bool isTraining, uint32_t epoch, int64_t index,
                             void *const *out) const {
  DLM_TRY(source.readIn(epoch, index, maker.inputs()));
  DLM_TRY(maker.make(isTraining, sampleDraw(uint64_t(firstSample + index), epoch)));
  for (size_t i = 0; i < specs.size(); ++i)
    std::memcpy(out[i], maker.outputs()[i], size_t(specs[i].sizeBytes()));
  return Status::ok();
}

namespace {

class MappedSource final : public DataSource {
public:
  MappedSource(std::unique_ptr<DataSource> source, const DataSpec &spec,
               std::vector<FieldSpec> fields, std::shared_ptr<SampleMakers> makers)
      : source(std::move(source)), fields(std::move(fields)), makers(std::move(makers)) {
    for (int split = 1; split < SplitCount; ++split)
      firstSamples[split] = firstSamples[split - 1] + spec.counts[split - 1];
  }

  Expected<const Dataset *> get(Split split, const std::atomic<int> *stop) override {
    Expected<const Dataset *> raw = source->get(split, stop);
    if (!raw) return raw.status();
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<MappedDataset> &dataset = datasets[int(split)];
    if (!dataset)
      dataset = std::make_unique<MappedDataset>(**raw, fields, makers, firstSamples[int(split)]);
    return static_cast<const Dataset *>(dataset.get());
  }

  std::vector<std::string> takeWarnings() override { return source->takeWarnings(); }

private:
  std::unique_ptr<DataSource> source; // first in, last out: the datasets read from it
  std::vector<FieldSpec> fields;
  std::shared_ptr<SampleMakers> makers;
  int64_t firstSamples[SplitCount] = {0, 0, 0};
  std::mutex mutex;
  std::unique_ptr<MappedDataset> datasets[SplitCount];
};

} // namespace

std::unique_ptr<DataSource> makeMappedSource(std::unique_ptr<DataSource> source,
                                             const DataSpec &spec, std::vector<FieldSpec> fields,
                                             std::shared_ptr<SampleMakers> makers) {
  return std::make_unique<MappedSource>(std::move(source), spec, std::move(fields),
                                        std::move(makers));
}

} // namespace dlm
