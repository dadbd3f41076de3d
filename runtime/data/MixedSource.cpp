// Samples stand in a part in the order of the file, so predictions for it can be laid beside it.
#include "runtime/data/MixedSource.h"

#include "runtime/base/Assert.h"
#include "runtime/data/FittedSamples.h"
#include "runtime/data/SampleParts.h"

#include <mutex>
#include <optional>

namespace dlm {

namespace {

class PartView : public Dataset {
public:
  PartView(const Dataset &whole, std::vector<int64_t> samples)
      : whole(whole), samples(std::move(samples)) {}

  int64_t size() const override { return int64_t(samples.size()); }
  const std::vector<FieldSpec> &fields() const override { return whole.fields(); }
  bool isInMemory() const override { return whole.isInMemory(); }
  Status read(int64_t index, void *const *out) const override {
    DLM_ASSERT(index >= 0 && index < size(), "a sample outside its split");
    return whole.read(samples[size_t(index)], out);
  }

private:
  const Dataset &whole;
  std::vector<int64_t> samples;
};

class MixedSource : public DataSource {
public:
  MixedSource(const DataSpec &spec, std::unique_ptr<DataSource> files)
      : spec(spec), files(std::move(files)), parts(SampleParts::ofTrainingFile(spec)) {}

  Expected<const Dataset *> get(Split split, const std::atomic<int> *stop) override {
    if (split != Split::Train && spec.pathOf(split) != spec.path) return files->get(split, stop);
    Expected<const Dataset *> whole = files->get(Split::Train, stop);
    if (!whole) return whole.status();
    std::lock_guard<std::mutex> lock(mutex);
    std::unique_ptr<PartView> &view = views[int(split)];
    if (!view) view = std::make_unique<PartView>(**whole, parts.samplesOf(split));
    if (split == Split::Train && !checked) checked = checkFitted(spec, *view, cancel);
    if (split == Split::Train && !checked->isOk())
      return checked->withContext("data `" + spec.name + "`");
    return static_cast<const Dataset *>(view.get());
  }

  std::vector<std::string> takeWarnings() override { return files->takeWarnings(); }

private:
  DataSpec spec;
  std::unique_ptr<DataSource> files;
  SampleParts parts;
  std::mutex mutex;
  std::unique_ptr<PartView> views[SplitCount];
  std::optional<Status> checked; // whether the training samples are those that were fitted on
  const std::atomic<bool> cancel{false};
};

} // namespace

Expected<std::unique_ptr<DataSource>>
makeMixedSource(const DataSpec &spec,
                Expected<std::unique_ptr<DataSource>> (*open)(const DataSpec &spec)) {
  DataSpec whole = spec;
  whole.arePartsMixed = false;
  whole.fittedHash.clear(); // it is that of a part
  for (Split split : {Split::Validation, Split::Test}) {
    if (spec.pathOf(split) != spec.path) continue;
    whole.counts[int(Split::Train)] += spec.counts[int(split)];
    whole.counts[int(split)] = 0;
  }
  Expected<std::unique_ptr<DataSource>> files = open(whole);
  if (!files) return files.status();
  return std::unique_ptr<DataSource>(std::make_unique<MixedSource>(spec, files.take()));
}

} // namespace dlm
