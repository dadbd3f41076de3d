// Ids against the tables and classes that they are for: what is out of range is named before it is
// a number that is none.
#include "runtime/data/IdBounds.h"

#include "runtime/data/SampleParts.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace dlm;

namespace {

const std::vector<FieldSpec> Fields = {{"ids", DType::I32, {4}},
                                       {"grid", DType::I64, {2, 3}},
                                       {"label", DType::I32, {}},
                                       {"real", DType::F32, {}}};

/// Samples as a test writes them.
class Written final : public Dataset {
public:
  struct Sample {
    int32_t ids[4] = {0, 1, 2, 3};
    int64_t grid[6] = {0, 1, 2, 3, 4, 5};
    int32_t label = 0;
    float real = 0;
  };
  explicit Written(std::vector<Sample> samples) : samples(std::move(samples)) {}
  int64_t size() const override { return int64_t(samples.size()); }
  const std::vector<FieldSpec> &fields() const override { return Fields; }
  bool isInMemory() const override { return isKept; }
  Status read(int64_t index, void *const *out) const override {
    const Sample &sample = samples[size_t(index)];
    std::memcpy(out[0], sample.ids, sizeof sample.ids);
    std::memcpy(out[1], sample.grid, sizeof sample.grid);
    std::memcpy(out[2], &sample.label, sizeof sample.label);
    std::memcpy(out[3], &sample.real, sizeof sample.real);
    return Status::ok();
  }
  std::vector<Sample> samples;
  bool isKept = true;
};

/// What reading a sample says.
std::string readOf(const Dataset &dataset, int64_t index) {
  Written::Sample sample;
  void *out[] = {sample.ids, sample.grid, &sample.label, &sample.real};
  Status status = dataset.read(index, out), again = dataset.readIn(3, index, out);
  EXPECT_EQ(status.message(), again.message());
  return status.isOk() ? "" : status.message();
}

IdChecker checkerOf(const std::vector<IdBound> &bounds) {
  Expected<IdChecker> checker = IdChecker::make(Fields, bounds);
  EXPECT_TRUE(checker.isOk()) << checker.status().message();
  return checker.take();
}

std::string nameOf(int64_t index) { return "`x.npz`: sample " + std::to_string(index); }

TEST(IdBounds, P16_AnIdOutOfRangeIsNamedWithItsSampleValueAndBound) {
  Written samples({{}, {{0, 9, 10, 3}}, {{0, -1, 2, 3}}});
  CheckedDataset checked(samples, checkerOf({{"ids", {}, {}, 10, {}, "the table of 10 rows"}}),
                         nameOf);
  EXPECT_EQ(readOf(checked, 0), "");
  EXPECT_EQ(readOf(checked, 1), "`x.npz`: sample 1: element 2 of `ids` is 10, and the table of 10 "
                                "rows takes ids from 0 to 9");
  EXPECT_EQ(readOf(checked, 2), "`x.npz`: sample 2: element 1 of `ids` is -1, and the table of 10 "
                                "rows takes ids from 0 to 9");
  EXPECT_EQ(checked.checkAll().code(), Code::Corrupt);
  samples.isKept = false; // each in its turn
  EXPECT_TRUE(checked.checkAll().isOk());
}

TEST(IdBounds, AnIgnoredIdMayStandAnywhere) {
  Written samples({{{-1, 1, -1, 3}}, {{-2, 1, 2, 3}}});
  CheckedDataset checked(samples, checkerOf({{"ids", {}, {}, 10, -1, "the loss of 10 classes"}}),
                         nameOf);
  EXPECT_EQ(readOf(checked, 0), "");
  EXPECT_NE(readOf(checked, 1).find("element 0 of `ids` is -2"), std::string::npos);
}

TEST(IdBounds, HoldForAPartOfAField) {
  Written samples(std::vector<Written::Sample>(1));
  auto read = [&](IdBound bound) {
    return readOf(CheckedDataset(samples, checkerOf({std::move(bound)}), nameOf), 0);
  };
  EXPECT_EQ(read({"ids", {0}, {2}, 2, {}, "t"}), "");
  EXPECT_NE(read({"ids", {1}, {2}, 2, {}, "t"}).find("element 2 of `ids` is 2"), std::string::npos);
  EXPECT_EQ(read({"grid", {0, 0}, {2, 2}, 5, {}, "t"}), ""); // 0 1 3 4
  EXPECT_NE(read({"grid", {1, 1}, {1, 2}, 5, {}, "t"}).find("element [1, 2] of `grid` is 5"),
            std::string::npos);
  EXPECT_NE(read({"label", {}, {}, 0, {}, "t"}).find("`label` is 0, and t"), std::string::npos);
}

TEST(IdBounds, ThatFitNoFieldAreAFaultOfThePlan) {
  EXPECT_TRUE(checkerOf({{"other", {}, {}, 3, {}, "t"}}).isEmpty());
  for (const IdBound &bound :
       {IdBound{"real", {}, {}, 3, {}, "t"}, IdBound{"ids", {3}, {2}, 3, {}, "t"},
        IdBound{"ids", {0, 0}, {1, 1}, 3, {}, "t"}, IdBound{"ids", {-1}, {2}, 3, {}, "t"},
        IdBound{"ids", {1}, {INT64_MAX}, 3, {}, "t"}})
    EXPECT_EQ(IdChecker::make(Fields, {bound}).status().code(), Code::Corrupt);
}

/// A source of one dataset for all splits.
class OneDataset final : public DataSource {
public:
  explicit OneDataset(Written &samples) : samples(samples) {}
  Expected<const Dataset *> get(Split, const std::atomic<int> *) override {
    return static_cast<const Dataset *>(&samples);
  }

private:
  Written &samples;
};

TEST(IdBounds, OfASourceAreLookedAtBeforeTheFirstSampleIsUsed) {
  Written samples({{}, {}, {{0, 1, 2, 30}}});
  DataSpec spec;
  spec.path = "x.npz";
  spec.counts[0] = 40;
  spec.counts[1] = 3;
  Expected<std::unique_ptr<DataSource>> source =
      makeCheckedSource(std::make_unique<OneDataset>(samples), spec, Fields,
                        {{"ids", {}, {}, 10, {}, "the table of 10 rows at p.dlm:3"}});
  ASSERT_TRUE(source.isOk());
  Expected<const Dataset *> validation = (*source)->get(Split::Validation);
  ASSERT_FALSE(validation.isOk());
  EXPECT_EQ(validation.status().message(),
            "`x.npz`: sample 42 (2 of validation): element 3 of `ids` is 30, and the table of 10 "
            "rows at p.dlm:3 takes ids from 0 to 9");
  samples.samples[2].ids[3] = 0;
  EXPECT_TRUE((*source)->get(Split::Validation).isOk());
}

TEST(IdBounds, ASampleIsNamedByItsPlaceInItsFile) {
  DataSpec spec;
  spec.path = "x.csv";
  spec.counts[0] = 6, spec.counts[1] = 3, spec.counts[2] = 2;
  EXPECT_EQ(nameOfSample(spec, Split::Train, 4), "`x.csv`: sample 4");
  EXPECT_EQ(nameOfSample(spec, Split::Test, 1), "`x.csv`: sample 10 (1 of test)");
  spec.testPath = "t.csv";
  EXPECT_EQ(nameOfSample(spec, Split::Validation, 1), "`x.csv`: sample 7 (1 of validation)");
  EXPECT_EQ(nameOfSample(spec, Split::Test, 1), "`t.csv`: sample 1");
}

TEST(IdBounds, ASampleOfAMixedPartIsNamedByItsPlaceInItsFile) {
  DataSpec spec;
  spec.path = "x.csv";
  spec.testPath = "t.csv";
  spec.arePartsMixed = true;
  spec.counts[0] = 40, spec.counts[1] = 10, spec.counts[2] = 5;
  std::vector<int64_t> validation = SampleParts::ofTrainingFile(spec).samplesOf(Split::Validation);
  ASSERT_LT(validation[3], 40) << "these parts are not mixed";
  EXPECT_EQ(nameOfSample(spec, Split::Validation, 3),
            "`x.csv`: sample " + std::to_string(validation[3]) + " (3 of validation)");
  EXPECT_EQ(nameOfSample(spec, Split::Test, 1), "`t.csv`: sample 1");
}

} // namespace
