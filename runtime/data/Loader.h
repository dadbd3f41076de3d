// Training batches, made ahead of time. A run sees one endless sequence of samples: global sample
// g is place g mod n of the permutation of epoch g / n. So batches are always full and cross
// epochs, and the whole position is one number, attempt * batch: a resumed run starts there at
// once. One thread fills micro-batches into a ring of slots that are allocated once.
#pragma once

#include "runtime/data/Dataset.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace dlm {

/// The sequence of samples of a run, as a pure function of the position.
struct SampleOrder {
  int64_t count;
  uint64_t seed;

  int64_t epoch(int64_t globalSample) const { return globalSample / count; }
  /// Writes the samples [first, first + rows) of the sequence to `out`.
  void fill(int64_t first, int64_t rows, int64_t *out) const;
};

/// One micro-batch: for each field of the dataset `rows` samples, packed.
struct MicroBatch {
  int64_t firstSample = 0; // global number of its first sample
  std::vector<std::vector<uint8_t>> fields;
};

class Loader {
public:
  /// Starts making micro-batches of `rows` samples from global sample `firstSample` on. `slots` is
  /// how many may wait. The dataset must outlive the loader.
  Loader(const Dataset &dataset, uint64_t seed, int64_t rows, int64_t firstSample, int slots);
  ~Loader();

  /// Waits for the next micro-batch. It stays valid until `release`. A failure in the loader's
  /// thread comes out here, and again at every later call.
  Expected<const MicroBatch *> next();

  /// Gives the micro-batch of the last `next` back.
  void release();

private:
  void work();
  Status fill(MicroBatch &slot, int64_t firstSample);

  const Dataset &dataset;
  SampleOrder order;
  int64_t rows;
  int64_t firstSample;
  std::vector<MicroBatch> slots;
  std::vector<int64_t> samples; // of the micro-batch that is being made
  std::vector<void *> targets;  // where its next sample goes, by field

  std::mutex mutex;
  std::condition_variable filled, freed;
  int64_t madeCount = 0, takenCount = 0; // micro-batches since the start
  bool stop = false;
  Status failure;
  std::thread thread;
};

/// Copies samples [first, first + rows) of `dataset`, in order, to the buffers of its fields.
/// Rows past the end repeat the last sample and get weight 0, all others weight 1. `samples`
/// of the dataset must not be empty.
Status fillInOrder(const Dataset &dataset, int64_t first, int64_t rows, void *const *fields,
                   float *weights);

} // namespace dlm
