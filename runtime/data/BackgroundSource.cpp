#include "runtime/data/BackgroundSource.h"

#include "runtime/data/FittedSamples.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace dlm {

namespace {

constexpr std::chrono::milliseconds BetweenLooks(20); // at a signal

class EmptyDataset : public Dataset {
public:
  explicit EmptyDataset(std::vector<FieldSpec> fields) : specs(std::move(fields)) {}
  int64_t size() const override { return 0; }
  const std::vector<FieldSpec> &fields() const override { return specs; }
  Status read(int64_t, void *const *) const override {
    return internalError("a sample of an empty dataset was asked for");
  }

private:
  std::vector<FieldSpec> specs;
};

class BackgroundSource : public DataSource {
public:
  BackgroundSource(const DataSpec &spec, SplitReader read, std::shared_ptr<WarningList> warnings)
      : spec(spec), read(std::move(read)), warnings(std::move(warnings)) {
    thread = std::thread([this] { readAll(); });
  }

  ~BackgroundSource() override {
    cancel = true;
    thread.join();
  }

  Expected<const Dataset *> get(Split split, const std::atomic<int> *stop) override {
    Part &part = parts[int(split)];
    std::unique_lock<std::mutex> lock(mutex);
    while (!ready.wait_for(lock, BetweenLooks, [&] { return part.isReady; }))
      if (stop && *stop)
        return Status::error(Code::Interrupted, "data `" + spec.name + "`: interrupted");
    if (!part.status.isOk()) return part.status.withContext("data `" + spec.name + "`");
    return static_cast<const Dataset *>(part.dataset.get());
  }

  std::vector<std::string> takeWarnings() override {
    return warnings ? warnings->take() : std::vector<std::string>();
  }

private:
  struct Part {
    std::unique_ptr<Dataset> dataset;
    Status status;
    bool isReady = false;
  };

  void readAll() {
    for (int split = 0; split < SplitCount; ++split) {
      Part part;
      part.isReady = true;
      if (spec.counts[split] > 0)
        part.status = fill(Split(split), part.dataset);
      else
        part.dataset = std::make_unique<EmptyDataset>(spec.fields);
      std::lock_guard<std::mutex> lock(mutex);
      parts[split] = std::move(part);
      ready.notify_all();
    }
  }

  Status fill(Split split, std::unique_ptr<Dataset> &dataset) {
    Expected<std::unique_ptr<Dataset>> got = read(split, cancel);
    if (!got) return got.status();
    dataset = got.take();
    int64_t wanted = spec.counts[int(split)];
    if (dataset->size() == wanted)
      return split == Split::Train ? checkFitted(spec, *dataset, cancel) : Status::ok();
    return invalidArgument("the " + std::string(splitName(split)) + " part holds " +
                           std::to_string(dataset->size()) +
                           " samples, the program was compiled for " + std::to_string(wanted));
  }

  DataSpec spec;
  SplitReader read;
  std::shared_ptr<WarningList> warnings;
  std::atomic<bool> cancel{false};
  std::mutex mutex;
  std::condition_variable ready;
  Part parts[SplitCount];
  std::thread thread;
};

} // namespace

std::unique_ptr<DataSource> makeBackgroundSource(const DataSpec &spec, SplitReader read,
                                                 std::shared_ptr<WarningList> warnings) {
  return std::make_unique<BackgroundSource>(spec, std::move(read), std::move(warnings));
}

} // namespace dlm
