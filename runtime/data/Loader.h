// Training batches, made ahead of time. A run sees one endless sequence of samples: global sample
// g is place g mod n of the order of epoch g / n. So batches are always full and cross epochs, and
// the whole position is one number, attempt * batch: a resumed run starts there at once. Threads
// fill micro-batches into a ring of slots that are allocated once; which thread fills which has no
// say in what is in them.
#pragma once

#include "runtime/data/Dataset.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace dlm {

/// The sequence of samples of a run, as a pure function of the position.
struct SampleOrder {
  int64_t count; // of samples
  uint64_t seed;
  /// 0: each epoch in an order of its own. Otherwise the rows of a batch: row r of each batch is
  /// the sample behind row r of the batch before, and an epoch is what all rows can show.
  int64_t streams = 0;

  /// Samples that an epoch shows.
  int64_t epochSize() const { return streams ? count / streams * streams : count; }
  int64_t epoch(int64_t globalSample) const { return globalSample / epochSize(); }
  /// Writes the samples [first, first + rows) of the sequence to `out`.
  void fill(int64_t first, int64_t rows, int64_t *out) const;
};

/// One micro-batch: for each field of the dataset `rows` samples, packed.
struct MicroBatch {
  int64_t firstSample = 0; // global number of its first sample
  std::vector<std::vector<uint8_t>> fields;
};

/// How a loader works; none of it has a say in what it gives.
struct LoaderShape {
  int64_t rows;    // of a micro-batch
  int slots = 4;   // how many micro-batches may wait
  int threads = 1; // that make them
};

/// How many micro-batches of these fields may wait: 4 MB of them, and 4 to 256. Small models make
/// thousands of steps a second; the more of their batches are ready, the longer the loader's thread
/// may be kept from running by others.
int slotsOf(const std::vector<FieldSpec> &fields, int64_t rows);

class Loader {
public:
  /// Starts making micro-batches from global sample `firstSample` on. The dataset must outlive the
  /// loader.
  Loader(const Dataset &dataset, SampleOrder order, LoaderShape shape, int64_t firstSample);
  ~Loader();

  /// Waits for the next micro-batch. It stays valid until `release`. The first failure of the
  /// sequence comes out here when it is reached, and again at every later call. `stop`, if given
  /// and set, ends the waiting with `Interrupted`; a later call waits on.
  Expected<const MicroBatch *> next(const std::atomic<int> *stop = nullptr);

  /// Gives the micro-batch of the last `next` back.
  void release();

  /// Micro-batches that are ready.
  int64_t readyCount() const;
  /// How often `next` found none ready, after the first call.
  int64_t waitCount() const { return waits; }

private:
  struct Slot {
    MicroBatch batch;
    std::vector<int64_t> samples; // of the micro-batch that is being made
    std::vector<void *> targets;  // where its next sample goes, by field
    int64_t made = -1;            // number of the micro-batch that is ready here
    Status failure;
  };

  void work();
  Status fill(Slot &slot, int64_t first);
  Slot &slotOf(int64_t number) { return slots[size_t(number) % slots.size()]; }

  const Dataset &dataset;
  SampleOrder order;
  int64_t rows;
  int64_t firstSample;
  std::vector<Slot> slots;

  mutable std::mutex mutex;
  std::condition_variable filled, freed;
  int64_t claimedCount = 0, takenCount = 0; // micro-batches since the start
  int64_t waits = 0;
  bool stop = false;
  std::vector<std::thread> threads;
};

/// Copies samples [first, first + rows) of `dataset`, in order, to the buffers of its fields.
/// Rows past the end repeat the last sample and get weight 0, all others weight 1. `samples`
/// of the dataset must not be empty.
Status fillInOrder(const Dataset &dataset, int64_t first, int64_t rows, void *const *fields,
                   float *weights);

} // namespace dlm
