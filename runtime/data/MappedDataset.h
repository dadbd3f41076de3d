// Samples that a program makes of those of a source (`data.map`), on whichever thread asks for
// them. What is made is a function of the source's sample, the seed, the epoch and the number of
// the sample, so threads and batches have no say in it.
#pragma once

#include "runtime/data/Dataset.h"

#include <condition_variable>
#include <mutex>

namespace dlm {

/// Makes samples, one at a time: what one thread needs for it. Nothing is allocated in between.
class SampleMaker {
public:
  virtual ~SampleMaker() = default;

  /// Where the fields of the source's sample go.
  virtual void *const *inputs() const = 0;

  /// Makes the sample of what lies there. `draw` tells random numbers which sample it is, and when.
  virtual Status make(bool isTraining, uint64_t draw) = 0;

  /// The fields of the sample that was made, until the next one is.
  virtual const void *const *outputs() const = 0;
};

/// Makers that threads take for a sample, and give back. With as many makers as threads nobody
/// waits for one.
class SampleMakers {
public:
  explicit SampleMakers(std::vector<std::unique_ptr<SampleMaker>> makers);

  SampleMaker &take();
  void give(SampleMaker &maker);

private:
  const std::vector<std::unique_ptr<SampleMaker>> makers;
  std::mutex mutex;
  std::condition_variable given;
  std::vector<SampleMaker *> idle;
};

class MappedDataset final : public Dataset {
public:
  /// `fields` are those of the samples that are made. `firstSample` is the number of the first
  /// sample among all of the data, so that parts do not draw the same random numbers. `source` must
  /// outlive the dataset.
  MappedDataset(const Dataset &source, std::vector<FieldSpec> fields,
                std::shared_ptr<SampleMakers> makers, int64_t firstSample);

  int64_t size() const override { return source.size(); }
  bool isInMemory() const override { return false; }
  const std::vector<FieldSpec> &fields() const override { return specs; }

  /// As an evaluation sees it.
  Status read(int64_t index, void *const *out) const override;
  Status readIn(uint32_t epoch, int64_t index, void *const *out) const override;

private:
  Status makeBy(SampleMaker &maker, bool isTraining, uint32_t epoch, int64_t index,
                void *const *out) const;

  const Dataset &source;
  std::vector<FieldSpec> specs;
  std::shared_ptr<SampleMakers> makers;
  int64_t firstSample;
};

/// A source whose samples are made of those of `source`, which was opened for `spec`.
std::unique_ptr<DataSource> makeMappedSource(std::unique_ptr<DataSource> source,
                                             const DataSpec &spec, std::vector<FieldSpec> fields,
                                             std::shared_ptr<SampleMakers> makers);

} // namespace dlm
