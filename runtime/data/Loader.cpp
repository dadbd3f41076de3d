// The prefetch thread. It sleeps until half of the ring is free and then fills all of it: with more
// threads than cores, one long visit disturbs the workers less than many short ones.
#include "runtime/data/Loader.h"

#include "runtime/data/Permutation.h"

#include <algorithm>

namespace dlm {

void SampleOrder::fill(int64_t first, int64_t rows, int64_t *out) const {
  for (int64_t i = 0; i < rows;) {
    int64_t place = (first + i) % count;
    Permutation permutation(count, seed, uint64_t(epoch(first + i)));
    for (; i < rows && place < count; ++i, ++place)
      out[i] = permutation(place);
  }
}

Loader::Loader(const Dataset &dataset, uint64_t seed, int64_t rows, int64_t firstSample, int slots)
    : dataset(dataset), order{dataset.size(), seed}, rows(rows), firstSample(firstSample),
      slots(size_t(std::max(slots, 2))), samples(size_t(rows)), targets(dataset.fields().size()) {
  DLM_ASSERT(dataset.size() > 0 && rows > 0 && firstSample >= 0, "nothing to load");
  for (MicroBatch &slot : this->slots) {
    for (const FieldSpec &field : dataset.fields())
      slot.fields.emplace_back(size_t(field.sizeBytes()) * size_t(rows));
  }
  thread = std::thread([this] { work(); });
}

Loader::~Loader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  freed.notify_one();
  thread.join();
}

Expected<const MicroBatch *> Loader::next() {
  std::unique_lock<std::mutex> lock(mutex);
  filled.wait(lock, [&] { return madeCount > takenCount || !failure.isOk(); });
  if (madeCount == takenCount) return failure;
  return static_cast<const MicroBatch *>(&slots[size_t(takenCount) % slots.size()]);
}

void Loader::release() {
  bool wake;
  {
    std::lock_guard<std::mutex> lock(mutex);
    DLM_ASSERT(madeCount > takenCount, "a micro-batch was released that was not taken");
    ++takenCount;
    wake = madeCount - takenCount <= int64_t(slots.size()) / 2;
  }
  if (wake) freed.notify_one();
}

void Loader::work() {
  int64_t slotCount = int64_t(slots.size());
  for (;;) {
    int64_t freeCount;
    {
      std::unique_lock<std::mutex> lock(mutex);
      freed.wait(lock, [&] { return stop || madeCount - takenCount <= slotCount / 2; });
      if (stop) return;
      freeCount = slotCount - (madeCount - takenCount);
    }
    for (; freeCount > 0; --freeCount) {
      // Only this thread changes madeCount, so it may read it without the lock.
      Status status = fill(slots[size_t(madeCount % slotCount)], firstSample + madeCount * rows);
      std::lock_guard<std::mutex> lock(mutex);
      if (status.isOk())
        ++madeCount;
      else
        failure = status;
      filled.notify_one();
      if (!status.isOk() || stop) return;
    }
  }
}

Status Loader::fill(MicroBatch &slot, int64_t first) {
  slot.firstSample = first;
  order.fill(first, rows, samples.data());
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < targets.size(); ++i)
      targets[i] = slot.fields[i].data() + size_t(row) * dataset.fields()[i].sizeBytes();
    DLM_TRY(dataset.read(samples[size_t(row)], targets.data()));
  }
  return Status::ok();
}

Status fillInOrder(const Dataset &dataset, int64_t first, int64_t rows, void *const *fields,
                   float *weights) {
  constexpr size_t FieldsMax = 16;
  const std::vector<FieldSpec> &specs = dataset.fields();
  DLM_ASSERT(specs.size() <= FieldsMax && dataset.size() > 0, "fields or samples out of range");
  void *targets[FieldsMax];
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < specs.size(); ++i)
      targets[i] = static_cast<uint8_t *>(fields[i]) + size_t(row) * specs[i].sizeBytes();
    DLM_TRY(dataset.read(std::min(first + row, dataset.size() - 1), targets));
    if (weights) weights[row] = first + row < dataset.size() ? 1.0f : 0.0f;
  }
  return Status::ok();
}

} // namespace dlm
