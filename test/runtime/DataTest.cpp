// Order, files and loading of data.
#include "runtime/data/FittedSamples.h"
#include "runtime/data/IdxSource.h"
#include "runtime/data/Loader.h"
#include "runtime/data/Permutation.h"
#include "runtime/data/formats/IdxFile.h"
#include "test/runtime/CountingDataset.h"
#include "test/runtime/IdxFolder.h"

#include <atomic>
#include <csignal>
#include <gtest/gtest.h>
#include <set>
#include <thread>

using namespace dlm;
using namespace dlm::test;

namespace {

class PermutationSizes : public testing::TestWithParam<int64_t> {};

TEST_P(PermutationSizes, IsABijection) {
  int64_t count = GetParam();
  for (uint64_t epoch : {uint64_t(0), uint64_t(1), uint64_t(1) << 40}) {
    Permutation permutation(count, 42, epoch);
    std::vector<bool> seen(size_t(count), false);
    for (int64_t place = 0; place < count; ++place) {
      int64_t sample = permutation(place);
      ASSERT_TRUE(sample >= 0 && sample < count);
      ASSERT_FALSE(seen[size_t(sample)]) << "sample " << sample << " twice";
      seen[size_t(sample)] = true;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OddSizes, PermutationSizes,
                         testing::Values(1, 2, 3, 4, 5, 7, 16, 17, 127, 1009, 4096, 4097, 60000,
                                         65537));

TEST(Permutation, ReachesAnyPlaceOfAHugeRange) {
  int64_t count = (int64_t(1) << 61) + 1;
  Permutation permutation(count, 1, 2);
  std::set<int64_t> seen;
  for (int64_t place = count - 1000; place < count; ++place)
    seen.insert(permutation(place));
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_TRUE(*seen.begin() >= 0 && *seen.rbegin() < count);
}

TEST(Permutation, DependsOnSeedAndEpoch) {
  auto order = [](uint64_t seed, uint64_t epoch) {
    Permutation permutation(1000, seed, epoch);
    std::vector<int64_t> samples;
    for (int64_t i = 0; i < 1000; ++i)
      samples.push_back(permutation(i));
    return samples;
  };
  EXPECT_EQ(order(1, 0), order(1, 0));
  EXPECT_NE(order(1, 0), order(1, 1));
  EXPECT_NE(order(1, 0), order(2, 0));
}

TEST(Permutation, LooksShuffled) {
  // The mean distance between the samples of neighbouring places is a third of the range.
  Permutation permutation(60000, 3, 0);
  double sum = 0;
  for (int64_t i = 1; i < 60000; ++i)
    sum += std::abs(double(permutation(i) - permutation(i - 1)));
  EXPECT_NEAR(sum / 59999 / 60000, 1.0 / 3, 0.01);
}

/// One IDX file of shape [3, 2] in a folder of its own.
class IdxFileTest : public testing::Test {
protected:
  IdxFileTest() : bytes(idxBytes({3, 2}, {1, 2, 3, 4, 5, 6})) {}

  Expected<IdxArray> read(const std::vector<uint8_t> &content) {
    writeTestFile(folder / "a", content);
    return readIdxArray(folder / "a");
  }
  std::string failure(const std::vector<uint8_t> &content) {
    Expected<IdxArray> array = read(content);
    EXPECT_FALSE(array.isOk());
    std::string message = array.status().message();
    EXPECT_NE(message.find(folder / "a"), std::string::npos) << message;
    return message;
  }
  bool failsWith(const std::vector<uint8_t> &content, const std::string &text) {
    return failure(content).find(text) != std::string::npos;
  }

  TemporaryFolder folder;
  std::vector<uint8_t> bytes;
};

TEST_F(IdxFileTest, ReadsPlainAndCompressedFilesAlike) {
  for (const std::vector<uint8_t> &content : {bytes, gzipBytes(bytes)}) {
    Expected<IdxArray> array = read(content);
    ASSERT_TRUE(array.isOk()) << array.status().message();
    EXPECT_EQ(array->shape, (std::vector<int64_t>{3, 2}));
    EXPECT_EQ(array->sampleSize(), 2);
    EXPECT_EQ(array->bytes[5], 6);
  }
}

TEST_F(IdxFileTest, ReadsSeveralGzipMembers) {
  std::vector<uint8_t> both = gzipBytes({bytes.begin(), bytes.begin() + 14});
  std::vector<uint8_t> rest = gzipBytes({bytes.begin() + 14, bytes.end()});
  both.insert(both.end(), rest.begin(), rest.end());
  EXPECT_TRUE(read(both).isOk());
}

TEST_F(IdxFileTest, RefusesAWrongMagic) {
  bytes[0] = 7;
  EXPECT_TRUE(failsWith(bytes, "it begins with the bytes 07 00 08 02"));
}

TEST_F(IdxFileTest, RefusesOtherElementTypes) {
  bytes[2] = 0x0D;
  EXPECT_TRUE(failsWith(bytes, "holds elements of the type 0d"));
}

TEST_F(IdxFileTest, RefusesAFileOfAnotherSizeThanItsHeaderSays) {
  std::vector<uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_TRUE(failsWith(longer, "is too long: its header says 3 x 2, 6 bytes, and 7 follow it"));
  EXPECT_TRUE(failsWith(gzipBytes(longer), "holds more than its header says"));
}

TEST_F(IdxFileTest, RefusesSizesThatCannotBeTrue) {
  EXPECT_TRUE(failsWith(idxBytes({4000000000u, 1000}, {1}), "is cut off"));
  EXPECT_TRUE(failsWith(gzipBytes(idxBytes({4000000000u, 1000}, {1})), "is cut off"));
  EXPECT_TRUE(
      failsWith(idxBytes({4000000000u, 4000000000u, 4000000000u}, {1}), "cannot be as large"));
}

TEST_F(IdxFileTest, NoticesEveryTruncationOfAPlainFile) {
  for (size_t size = 0; size < bytes.size(); ++size)
    failure({bytes.begin(), bytes.begin() + long(size)});
}

TEST_F(IdxFileTest, NoticesEveryTruncationOfACompressedFile) {
  std::vector<uint8_t> packed = gzipBytes(bytes);
  for (size_t size = 0; size < packed.size(); ++size)
    failure({packed.begin(), packed.begin() + long(size)});
}

TEST_F(IdxFileTest, NoticesEveryFlippedBitOfTheCompressedDataAndItsChecksum) {
  constexpr size_t GzipHeader = 10; // time and system in there mean nothing
  std::vector<uint8_t> packed = gzipBytes(bytes);
  int silent = 0;
  for (size_t bit = GzipHeader * 8; bit < packed.size() * 8; ++bit) {
    std::vector<uint8_t> damaged = packed;
    damaged[bit / 8] ^= uint8_t(1u << bit % 8);
    silent += read(damaged).isOk();
  }
  EXPECT_LE(silent, 7); // the blanks after the last code fill up a byte
}

TEST_F(IdxFileTest, NamesAMissingFile) {
  Expected<IdxArray> array = readIdxArray(folder / "none");
  EXPECT_EQ(array.status().code(), Code::NotFound);
}

DataSpec specOf(const TemporaryFolder &folder, int64_t train, int64_t validation, int64_t test) {
  DataSpec spec;
  spec.name = "images";
  spec.kind = "idx";
  spec.path = folder.path;
  spec.fields = {{"image", DType::U8, {4, 4}}, {"label", DType::I32, {}}};
  spec.counts[0] = train;
  spec.counts[1] = validation;
  spec.counts[2] = test;
  spec.classes = 10;
  return spec;
}

/// 30 training samples of 4 x 4, and 10 for the test.
class IdxSourceTest : public testing::Test {
protected:
  IdxSourceTest() {
    writeIdxPair(folder, "train", 30, 4, true);
    writeIdxPair(folder, "t10k", 10, 4, false);
  }
  Status statusOf(DataSpec spec, Split split) {
    Expected<std::unique_ptr<DataSource>> source = openDataSource(spec);
    return source ? (*source)->get(split).status() : source.status();
  }
  bool failsWith(DataSpec spec, Split split, const std::string &text) {
    std::string message = statusOf(spec, split).message();
    EXPECT_NE(message.find(text), std::string::npos) << message;
    return message.find(text) != std::string::npos;
  }
  TemporaryFolder folder;
};

TEST_F(IdxSourceTest, CutsTheValidationSplitFromTheEnd) {
  Expected<std::unique_ptr<DataSource>> whole = openDataSource(specOf(folder, 30, 0, 10));
  Expected<std::unique_ptr<DataSource>> cut = openDataSource(specOf(folder, 23, 7, 10));
  const Dataset *all = *(*whole)->get(Split::Train), *validation = *(*cut)->get(Split::Validation);
  EXPECT_EQ((*(*cut)->get(Split::Train))->size(), 23);
  ASSERT_EQ(validation->size(), 7);
  EXPECT_EQ((*(*cut)->get(Split::Test))->size(), 10);
  uint8_t a[16], b[16];
  int32_t labelA, labelB;
  for (int64_t i = 0; i < 7; ++i) {
    void *outA[] = {a, &labelA}, *outB[] = {b, &labelB};
    ASSERT_TRUE(all->read(23 + i, outA).isOk() && validation->read(i, outB).isOk());
    EXPECT_EQ(std::vector<uint8_t>(a, a + 16), std::vector<uint8_t>(b, b + 16));
    EXPECT_EQ(labelA, labelB);
  }
}

TEST_F(IdxSourceTest, ComparesCountsShapesAndClasses) {
  EXPECT_TRUE(failsWith(specOf(folder, 29, 0, 10), Split::Train, "holds 30 samples"));
  EXPECT_TRUE(failsWith(specOf(folder, 30, 0, 11), Split::Test, "holds 10 samples"));
  DataSpec spec = specOf(folder, 30, 0, 10);
  spec.fields[0].shape = {4, 5};
  EXPECT_TRUE(
      failsWith(spec, Split::Train, "of shape [4, 4], the program was compiled for [4, 5]"));
  spec = specOf(folder, 30, 0, 10);
  spec.classes = 2;
  EXPECT_TRUE(failsWith(spec, Split::Train, "the program was compiled for 2 classes"));
}

TEST_F(IdxSourceTest, ATestSplitThatIsBrokenDoesNotStopTheTrainingSplit) {
  writeTestFile(folder / "t10k-images-idx3-ubyte", {1, 2, 3});
  EXPECT_TRUE(statusOf(specOf(folder, 30, 0, 10), Split::Train).isOk());
  EXPECT_FALSE(statusOf(specOf(folder, 30, 0, 10), Split::Test).isOk());
}

TEST_F(IdxSourceTest, ImagesWithoutAsManyLabelsAreRefused) {
  writeIdxPair(folder, "t10k", 9, 4, false);
  TemporaryFolder other;
  writeIdxPair(other, "t10k", 10, 4, false);
  Expected<std::vector<uint8_t>> images = readFileBytes(other / "t10k-images-idx3-ubyte");
  writeTestFile(folder / "t10k-images-idx3-ubyte", *images);
  EXPECT_TRUE(failsWith(specOf(folder, 30, 0, 10), Split::Test, "t10k-labels-idx1-ubyte` holds 9"));
}

TEST_F(IdxSourceTest, NamesAKindItDoesNotKnow) {
  DataSpec spec = specOf(folder, 30, 0, 10);
  spec.kind = "parquet";
  EXPECT_TRUE(failsWith(spec, Split::Train, "of kind `parquet`"));
}

/// The first `batches` micro-batches of a loader, as one list of samples.
std::vector<int64_t> samplesOf(const Dataset &dataset, int64_t rows, int64_t first, int batches,
                               int threads = 1, int64_t streams = 0) {
  Loader loader(dataset, {dataset.size(), 5, streams}, {rows, 4, threads}, first);
  std::vector<int64_t> samples;
  for (int i = 0; i < batches; ++i) {
    Expected<const MicroBatch *> batch = loader.next();
    EXPECT_TRUE(batch.isOk());
    EXPECT_EQ((*batch)->firstSample, first + i * rows);
    const auto *values = reinterpret_cast<const int64_t *>((*batch)->fields[0].data());
    samples.insert(samples.end(), values, values + rows);
    loader.release();
  }
  return samples;
}

TEST_F(IdxSourceTest, SamplesThatSomethingWasFittedOnAreCompared) {
  TemporaryFolder plain;
  writeIdxPair(plain, "train", 30, 4, false);
  writeIdxPair(plain, "t10k", 10, 4, false);
  DataSpec spec = specOf(plain, 30, 0, 10);
  spec.fittedFields = {"image"};
  Expected<std::unique_ptr<DataSource>> source = openDataSource(spec);
  ASSERT_TRUE(source.isOk());
  Expected<const Dataset *> train = (*source)->get(Split::Train);
  ASSERT_TRUE(train.isOk());
  spec.fittedHash = *hashSamples(**train, spec.fittedFields);
  EXPECT_NE(spec.fittedHash, *hashSamples(**train, {"label"}));
  EXPECT_TRUE(statusOf(spec, Split::Train).isOk());
  std::string file = plain / "train-images-idx3-ubyte";
  Expected<std::vector<uint8_t>> bytes = readFileBytes(file);
  ASSERT_TRUE(bytes.isOk());
  bytes->back() ^= 1;
  writeTestFile(file, *bytes);
  EXPECT_TRUE(failsWith(spec, Split::Train, "are not those that `data.fit` saw"));
  EXPECT_TRUE(statusOf(spec, Split::Test).isOk()) << "nothing was fitted on these";
  spec.fittedFields = {"label"};
  spec.fittedHash = *hashSamples(**train, {"label"});
  EXPECT_TRUE(statusOf(spec, Split::Train).isOk()) << "nothing was fitted on images";
}

TEST(Loader, ShowsEverySampleOnceAnEpoch) {
  for (int64_t count : {1, 2, 3, 10, 31}) {
    CountingDataset dataset(count);
    std::vector<int64_t> samples = samplesOf(dataset, 4, 0, int(count)); // 4 epochs
    ASSERT_EQ(samples.size(), size_t(4 * count));
    for (int64_t epoch = 0; epoch < 4; ++epoch) {
      auto begin = samples.begin() + epoch * count;
      EXPECT_EQ(std::set<int64_t>(begin, begin + count).size(), size_t(count));
    }
  }
}

TEST(Loader, ResumesAtTheSampleAfterTheCheckpoint) {
  CountingDataset dataset(31);
  std::vector<int64_t> whole = samplesOf(dataset, 4, 0, 40);
  for (int64_t start : {1, 7, 8, 20}) {
    std::vector<int64_t> rest = samplesOf(dataset, 4, start * 4, int(40 - start));
    EXPECT_EQ(rest, std::vector<int64_t>(whole.begin() + start * 4, whole.end()));
  }
}

TEST(Loader, OrderDoesNotDependOnTheSplitIntoMicroBatches) {
  CountingDataset dataset(31);
  EXPECT_EQ(samplesOf(dataset, 1, 0, 64), samplesOf(dataset, 16, 0, 4));
}

TEST(Loader, OrderDoesNotDependOnThreads) {
  CountingDataset dataset(31);
  for (int threads : {2, 3, 8})
    EXPECT_EQ(samplesOf(dataset, 3, 6, 100), samplesOf(dataset, 3, 6, 100, threads));
}

TEST(Loader, StreamsContinueTheRowsOfTheBatchBefore) {
  CountingDataset dataset(11); // three rows of three samples, two are left over
  std::vector<int64_t> expected = {0, 3, 6, 1, 4, 7, 2, 5, 8, 0, 3, 6};
  EXPECT_EQ(samplesOf(dataset, 3, 0, 4, 1, 3), expected);
  EXPECT_EQ(samplesOf(dataset, 1, 0, 12, 2, 3), expected);
  EXPECT_EQ(samplesOf(dataset, 3, 6, 2, 1, 3), (std::vector<int64_t>{2, 5, 8, 0, 3, 6}));
}

TEST(Loader, AFailureComesOutAtNextAndStays) {
  for (int threads : {1, 4}) {
    CountingDataset dataset(8, 3);
    Loader loader(dataset, {8, 1}, {8, 2, threads}, 0);
    for (int i = 0; i < 2; ++i) {
      Expected<const MicroBatch *> batch = loader.next();
      ASSERT_FALSE(batch.isOk());
      EXPECT_EQ(batch.status().message(), "sample 3 is broken");
    }
  }
}

/// A dataset whose samples come when they are let through.
class Gated : public test::CountingDataset {
public:
  Gated() : CountingDataset(8) {}
  Status read(int64_t index, void *const *out) const override {
    while (!isOpen)
      std::this_thread::yield();
    return CountingDataset::read(index, out);
  }
  std::atomic<bool> isOpen{false};
};

TEST(Loader, AWaitCanBeInterruptedAndGoesOnLater) {
  Gated dataset;
  Loader loader(dataset, {8, 1}, {2, 2}, 0);
  std::atomic<int> stop{SIGINT};
  Expected<const MicroBatch *> batch = loader.next(&stop);
  ASSERT_FALSE(batch.isOk());
  EXPECT_EQ(batch.status().code(), Code::Interrupted);
  dataset.isOpen = true;
  stop = 0;
  EXPECT_TRUE(loader.next(&stop).isOk());
}

TEST(Loader, WhatComesBeforeAFailureIsGiven) {
  SampleOrder order{64, 1};
  std::vector<int64_t> sequence(64);
  order.fill(0, 64, sequence.data());
  CountingDataset dataset(64, sequence[37]);
  Loader loader(dataset, order, {4, 8, 3}, 0);
  for (int i = 0; i < 37 / 4; ++i) {
    ASSERT_TRUE(loader.next().isOk());
    loader.release();
  }
  EXPECT_FALSE(loader.next().isOk());
}

TEST(Loader, EndsWhileItsRingIsFull) {
  CountingDataset dataset(8);
  Loader loader(dataset, {8, 1}, {8, 2, 3}, 0);
}

TEST(Loader, CountsWhatIsReadyAndHowOftenNothingWas) {
  CountingDataset dataset(8);
  Loader loader(dataset, {8, 1}, {1, 4}, 0);
  while (loader.readyCount() < 4)
    std::this_thread::yield();
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(loader.next().isOk());
    loader.release();
  }
  EXPECT_EQ(loader.waitCount(), 0);
}

TEST(Evaluation, PadsTheLastBatchWithWeightZero) {
  CountingDataset dataset(10);
  int64_t values[4];
  float weights[4];
  void *fields[] = {values};
  int64_t counted = 0;
  for (int64_t first = 0; first < 10; first += 4) {
    ASSERT_TRUE(fillInOrder(dataset, first, 4, fields, weights).isOk());
    for (int i = 0; i < 4; ++i) {
      counted += weights[i] == 1;
      EXPECT_EQ(weights[i] == 1, first + i < 10);
      EXPECT_EQ(values[i], std::min<int64_t>(first + i, 9));
    }
  }
  EXPECT_EQ(counted, 10);
}

} // namespace
