// Samples that are made of others: which one is made, by whom, and with what it draws.
#include "runtime/base/Philox.h"
#include "runtime/data/Loader.h"
#include "runtime/data/MappedDataset.h"
#include "test/runtime/CountingDataset.h"

#include <atomic>
#include <gtest/gtest.h>
#include <set>

using namespace dlm;

namespace {

/// Sample i holds 10 i; one may be broken.
class Tens : public test::CountingDataset {
public:
  explicit Tens(int64_t count, int64_t broken = -1) : CountingDataset(count, broken, 10) {}
};

/// Gives what it was given plus one, and how it was asked.
class PlusOne final : public SampleMaker {
public:
  void *const *inputs() const override { return ins; }
  const void *const *outputs() const override { return outs; }
  Status make(bool isTraining, uint64_t draw) override {
    EXPECT_FALSE(isBusy.exchange(true)) << "two threads use one maker";
    sum = number + 1;
    drawn = draw;
    trained = isTraining;
    isBusy = false;
    return Status::ok();
  }

private:
  std::atomic<bool> isBusy{false};
  int64_t number = 0, sum = 0;
  uint64_t drawn = 0;
  bool trained = false;
  void *ins[1] = {&number};
  const void *outs[3] = {&sum, &drawn, &trained};
};

const std::vector<FieldSpec> Fields = {
    {"sum", DType::I64, {}}, {"drawn", DType::I64, {}}, {"trained", DType::Bool, {}}};

std::shared_ptr<SampleMakers> makers(int count) {
  std::vector<std::unique_ptr<SampleMaker>> list;
  for (int i = 0; i < count; ++i)
    list.push_back(std::make_unique<PlusOne>());
  return std::make_shared<SampleMakers>(std::move(list));
}

struct Made {
  int64_t sum = 0, drawn = 0;
  bool trained = false;
};

Made readMade(const Dataset &dataset, int64_t index, int64_t epoch = -1) {
  Made made;
  void *out[] = {&made.sum, &made.drawn, &made.trained};
  Status status =
      epoch < 0 ? dataset.read(index, out) : dataset.readIn(uint32_t(epoch), index, out);
  EXPECT_TRUE(status.isOk()) << status.message();
  return made;
}

TEST(Mapped, TrainingSeesTheEpochAndAnEvaluationDoesNot) {
  Tens source(8);
  MappedDataset dataset(source, Fields, makers(1), 0);
  EXPECT_EQ(dataset.size(), 8);
  Made trained = readMade(dataset, 3, 2), measured = readMade(dataset, 3);
  EXPECT_EQ(trained.sum, 31);
  EXPECT_TRUE(trained.trained);
  EXPECT_EQ(measured.sum, 31);
  EXPECT_FALSE(measured.trained);
  std::set<int64_t> draws;
  for (int64_t index = 0; index < 8; ++index) {
    draws.insert(readMade(dataset, index).drawn);
    for (int64_t epoch = 0; epoch < 5; ++epoch)
      draws.insert(readMade(dataset, index, epoch).drawn);
  }
  EXPECT_EQ(draws.size(), 8u * 6);
}

TEST(Mapped, PartsDoNotDrawTheSame) {
  Tens source(4);
  MappedDataset train(source, Fields, makers(1), 0), test(source, Fields, makers(1), 4);
  EXPECT_NE(readMade(train, 1).drawn, readMade(test, 1).drawn);
  EXPECT_EQ(readMade(train, 1).sum, readMade(test, 1).sum);
}

TEST(Mapped, TheDrawTellsApartAllSamplesAndEpochs) {
  std::set<uint64_t> draws;
  for (uint64_t sample : {uint64_t(0), uint64_t(1), uint64_t(0xFFFFFFFF)})
    for (uint32_t epoch : {0u, 1u, EvaluationEpoch})
      draws.insert(sampleDraw(sample, epoch));
  EXPECT_EQ(draws.size(), 9u);
  // The words of the counter: the sample beside the element's, the epoch in that of the attempt.
  RandomPlace place{7, sampleDraw(5, 3), 9, 6};
  EXPECT_EQ(randomBits(place), philox4x32({1, 5, 3, 9}, {7, 0})[2]);
}

TEST(Mapped, LoadersOfAnyNumberOfThreadsGiveTheSame) {
  Tens source(31);
  std::vector<std::vector<uint8_t>> first;
  for (int threads : {1, 2, 4}) {
    MappedDataset dataset(source, Fields, makers(2), 0); // fewer than threads: they wait
    Loader loader(dataset, {31, 5}, {3, 4, threads}, 0);
    std::vector<std::vector<uint8_t>> all;
    for (int batch = 0; batch < 40; ++batch) {
      Expected<const MicroBatch *> next = loader.next();
      ASSERT_TRUE(next.isOk());
      for (const std::vector<uint8_t> &field : (*next)->fields)
        all.push_back(field);
      loader.release();
    }
    if (threads == 1) first = all;
    EXPECT_EQ(all, first) << threads;
  }
}

TEST(Mapped, WhatIsBrokenInTheSourceIsSaidAsBefore) {
  Tens source(8, 3);
  MappedDataset dataset(source, Fields, makers(1), 0);
  Made made;
  void *out[] = {&made.sum, &made.drawn, &made.trained};
  EXPECT_EQ(dataset.readIn(0, 3, out).message(), "sample 3 is broken");
  EXPECT_EQ(readMade(dataset, 4, 0).sum, 41); // its maker was given back
}

} // namespace
