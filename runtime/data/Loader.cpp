// The prefetch threads. They sleep until half of the ring is free and then fill all of it: with
// more threads than cores, one long visit disturbs the workers less than many short ones. A thread
// claims the number of the next micro-batch under the lock and makes it outside; a failure stays in
// its slot until its turn comes, so that what a run sees before it does not depend on threads
// either.
#include "runtime/data/Loader.h"

#include "runtime/data/Permutation.h"

#include <algorithm>

namespace dlm {

namespace {
constexpr std::chrono::milliseconds WaitBetweenLooks(50); // at a signal
} // namespace

void SampleOrder::fill(int64_t first, int64_t rows, int64_t *out) const {
  if (streams > 0) {
    int64_t length = count / streams;
    for (int64_t i = 0; i < rows; ++i)
      out[i] = (first + i) % streams * length + (first + i) / streams % length;
    return;
  }
  for (int64_t i = 0; i < rows;) {
    int64_t place = (first + i) % count;
    Permutation permutation(count, seed, uint64_t(epoch(first + i)));
    for (; i < rows && place < count; ++i, ++place)
      out[i] = permutation(place);
  }
}

int slotsOf(const std::vector<FieldSpec> &fields, int64_t rows) {
  constexpr size_t RingBytes = size_t(4) << 20;
  constexpr int64_t SlotsMin = 4, SlotsMax = 256;
  size_t bytes = 1;
  for (const FieldSpec &field : fields)
    bytes += size_t(field.sizeBytes()) * size_t(rows);
  return int(std::clamp(int64_t(RingBytes / bytes), SlotsMin, SlotsMax));
}

Loader::Loader(const Dataset &dataset, SampleOrder order, LoaderShape shape, int64_t firstSample)
    : dataset(dataset), order(order), rows(shape.rows), firstSample(firstSample),
      slots(size_t(std::max(shape.slots, 2))) {
  DLM_ASSERT(order.epochSize() > 0 && rows > 0 && firstSample >= 0, "nothing to load");
  for (Slot &slot : slots) {
    slot.samples.resize(size_t(rows));
    slot.targets.resize(dataset.fields().size());
    for (const FieldSpec &field : dataset.fields())
      slot.batch.fields.emplace_back(size_t(field.sizeBytes()) * size_t(rows));
  }
  for (int i = 0; i < std::max(shape.threads, 1); ++i)
    threads.emplace_back([this] { work(); });
}

Loader::~Loader() {
  {
    std::lock_guard<std::mutex> lock(mutex);
    stop = true;
  }
  freed.notify_all();
  for (std::thread &thread : threads)
    thread.join();
}

Expected<const MicroBatch *> Loader::next(const std::atomic<int> *stop) {
  std::unique_lock<std::mutex> lock(mutex);
  Slot &slot = slotOf(takenCount);
  waits += takenCount > 0 && slot.made != takenCount;
  while (!filled.wait_for(lock, WaitBetweenLooks, [&] { return slot.made == takenCount; }))
    if (stop && *stop) return Status::error(Code::Interrupted, "loading was interrupted");
  if (!slot.failure.isOk()) return slot.failure;
  return static_cast<const MicroBatch *>(&slot.batch);
}

void Loader::release() {
  bool wake;
  {
    std::lock_guard<std::mutex> lock(mutex);
    DLM_ASSERT(slotOf(takenCount).made == takenCount, "a micro-batch was released, and not taken");
    ++takenCount;
    wake = claimedCount - takenCount <= int64_t(slots.size()) / 2;
  }
  if (wake) freed.notify_all();
}

int64_t Loader::readyCount() const {
  std::lock_guard<std::mutex> lock(mutex);
  int64_t count = 0;
  for (const Slot &slot : slots)
    count += slot.made >= takenCount;
  return count;
}

void Loader::work() {
  int64_t slotCount = int64_t(slots.size());
  std::unique_lock<std::mutex> lock(mutex);
  for (;;) {
    freed.wait(lock, [&] { return stop || claimedCount - takenCount <= slotCount / 2; });
    while (!stop && claimedCount - takenCount < slotCount) {
      int64_t number = claimedCount++;
      Slot &slot = slotOf(number);
      lock.unlock();
      Status status = fill(slot, firstSample + number * rows);
      lock.lock();
      slot.failure = status;
      slot.made = number;
      filled.notify_one();
      if (!status.isOk()) return; // nothing behind it is ever asked for
    }
    if (stop) return;
  }
}

Status Loader::fill(Slot &slot, int64_t first) {
  slot.batch.firstSample = first;
  order.fill(first, rows, slot.samples.data());
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < slot.targets.size(); ++i)
      slot.targets[i] = slot.batch.fields[i].data() + size_t(row) * dataset.fields()[i].sizeBytes();
    auto epoch = uint32_t(order.epoch(first + row));
    DLM_TRY(dataset.readIn(epoch, slot.samples[size_t(row)], slot.targets.data()));
  }
  return Status::ok();
}

Status fillInOrder(const Dataset &dataset, int64_t first, int64_t rows, void *const *fields,
                   float *weights) {
  const std::vector<FieldSpec> &specs = dataset.fields();
  DLM_ASSERT(dataset.size() > 0, "there are no samples");
  std::vector<void *> targets(specs.size());
  for (int64_t row = 0; row < rows; ++row) {
    for (size_t i = 0; i < specs.size(); ++i)
      targets[i] = static_cast<uint8_t *>(fields[i]) + size_t(row) * specs[i].sizeBytes();
    DLM_TRY(dataset.read(std::min(first + row, dataset.size() - 1), targets.data()));
    if (weights) weights[row] = first + row < dataset.size() ? 1.0f : 0.0f;
  }
  return Status::ok();
}

} // namespace dlm
