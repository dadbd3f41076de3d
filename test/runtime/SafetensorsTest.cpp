// The reader believes nothing; what is written comes back.
#include "runtime/base/Safetensors.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace dlm;

namespace {
std::vector<uint8_t> fileOf(const std::string &header, size_t dataBytes) {
  std::vector<uint8_t> bytes(8 + header.size() + dataBytes);
  uint64_t length = header.size();
  std::memcpy(bytes.data(), &length, 8);
  std::memcpy(bytes.data() + 8, header.data(), header.size());
  return bytes;
}

std::string failureOf(const std::string &header, size_t dataBytes) {
  return Safetensors::parse(fileOf(header, dataBytes)).status().message();
}
} // namespace

TEST(Safetensors, RoundTripsTensorsAndMetadata) {
  std::vector<float> floats{1, -0.0f, 3, 4, 5, 6};
  std::vector<uint8_t> bools{1, 0, 1};
  int64_t scalar = -7;
  std::vector<SafeTensor> tensors{
      {"flag", DType::Bool, {3}, bools.data(), 3},
      {"w", DType::F32, {2, 3}, reinterpret_cast<uint8_t *>(floats.data()), 24},
      {"n", DType::I64, {}, reinterpret_cast<uint8_t *>(&scalar), 8},
      {"none", DType::F32, {0, 4}, nullptr, 0}};
  Expected<std::vector<uint8_t>> bytes = writeSafetensors(tensors, {{"step", "12"}});
  ASSERT_TRUE(bytes);
  Expected<Safetensors> file = Safetensors::parse(*bytes);
  ASSERT_TRUE(file) << file.status().message();
  EXPECT_EQ(file->metadata().at("step"), "12");
  ASSERT_EQ(file->tensors().size(), 4u);
  const SafeTensor *w = file->find("w");
  ASSERT_TRUE(w);
  EXPECT_EQ(w->shape, (std::vector<int64_t>{2, 3}));
  EXPECT_EQ(std::memcmp(w->data, floats.data(), 24), 0);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(w->data) % 4, 0u);
  EXPECT_EQ(std::memcmp(file->find("n")->data, &scalar, 8), 0);
  EXPECT_EQ(file->find("flag")->data[2], 1);
  EXPECT_EQ(file->find("absent"), nullptr);
  Expected<std::vector<uint8_t>> again = writeSafetensors(tensors, {{"step", "12"}});
  EXPECT_EQ(*again, *bytes);
}

TEST(Safetensors, EveryCutOfAFileIsRefused) {
  float value = 1;
  std::vector<uint8_t> bytes =
      *writeSafetensors({{"w", DType::F32, {}, reinterpret_cast<uint8_t *>(&value), 4}});
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_FALSE(Safetensors::parse({bytes.begin(), bytes.begin() + long(size)})) << size;
}

TEST(Safetensors, EveryDamagedHeaderByteIsRefusedOrHarmless) {
  float value = 1;
  std::vector<uint8_t> bytes =
      *writeSafetensors({{"w", DType::F32, {1, 1}, reinterpret_cast<uint8_t *>(&value), 4}});
  for (size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::vector<uint8_t> damaged = bytes;
      damaged[at] ^= uint8_t(1 << bit);
      Expected<Safetensors> file = Safetensors::parse(damaged);
      if (file && !file->tensors().empty()) {
        EXPECT_EQ(file->tensors()[0].sizeBytes, 4u);
      }
    }
  }
}

TEST(Safetensors, RangesMustCoverTheDataExactlyOnce) {
  std::string a = R"("a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]})";
  EXPECT_EQ(failureOf("{" + a + "}", 4), "");
  EXPECT_NE(failureOf("{" + a + "}", 8).find("end at byte 4 of 8"), std::string::npos);
  EXPECT_NE(failureOf("{" + a + "}", 3).find("bytes 0 to 4 of 3"), std::string::npos);
  EXPECT_NE(failureOf("{" + a + R"(,"b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", 4)
                .find("starts at byte 0"),
            std::string::npos);
  EXPECT_NE(failureOf("{" + a + R"(,"b":{"dtype":"U8","shape":[1],"data_offsets":[5,6]}})", 6)
                .find("starts at byte 5"),
            std::string::npos);
}

TEST(Safetensors, ClaimsThatDoNotFitAreRefused) {
  auto entry = [](const char *dtype, const char *shape, const char *offsets) {
    return std::string(R"({"a":{"dtype":)") + dtype + R"(,"shape":)" + shape +
           R"(,"data_offsets":)" + offsets + "}}";
  };
  EXPECT_EQ(failureOf(entry(R"("F32")", "[2]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F33")", "[2]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry("1", "[2]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[3]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[-2]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[2.0]", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "2", "[0,8]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[4611686018427387904,4611686018427387904]", "[0,8]"), 8),
            "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[2]", "[8,0]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[2]", "[0,8,9]"), 8), "");
  EXPECT_NE(failureOf(entry(R"("F32")", "[2]", "[0,18446744073709551615]"), 8), "");
}

TEST(Safetensors, MalformedHeadersAreRefused) {
  EXPECT_NE(failureOf("", 0), "");
  EXPECT_NE(failureOf("[]", 0), "");
  EXPECT_NE(failureOf("{", 0), "");
  EXPECT_NE(failureOf(R"({"__metadata__":{"a":1}})", 0), "");
  EXPECT_NE(failureOf(R"({"__metadata__":3})", 0), "");
  EXPECT_NE(failureOf(R"({"a":{}})", 0), "");
  EXPECT_NE(failureOf(R"({"a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]},)"
                      R"("a":{"dtype":"U8","shape":[0],"data_offsets":[0,0]}})",
                      0)
                .find("twice"),
            std::string::npos);
  EXPECT_NE(failureOf(std::string(100000, '['), 0), "");
  EXPECT_EQ(failureOf("{}", 0), "");
}

TEST(Safetensors, WriterRefusesWhatDisagrees) {
  uint8_t byte = 0;
  EXPECT_FALSE(writeSafetensors({{"a", DType::U8, {2}, &byte, 1}}));
  EXPECT_FALSE(
      writeSafetensors({{"a", DType::U8, {1}, &byte, 1}, {"a", DType::U8, {1}, &byte, 1}}));
  EXPECT_FALSE(writeSafetensors({{"__metadata__", DType::U8, {1}, &byte, 1}}));
}

TEST(Safetensors, FileFailureNamesTheFile) {
  Status status = Safetensors::read(testing::TempDir() + "no-such.safetensors").status();
  EXPECT_NE(status.message().find("no-such.safetensors"), std::string::npos);
}
