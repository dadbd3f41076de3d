// What counts as equal, and how errors are measured.
#include "test/gpu-check/check/Agreement.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

using namespace dlm;
using namespace dlm::gpucheck;

namespace {

constexpr float NaN = std::numeric_limits<float>::quiet_NaN();
constexpr float Infinity = std::numeric_limits<float>::infinity();

std::vector<uint8_t> bytesOf(const std::vector<float> &values) {
  std::vector<uint8_t> bytes(values.size() * sizeof(float));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

ErrorFigure errorOf(const std::vector<float> &values, const std::vector<double> &exact) {
  return gpucheck::errorOf(bytesOf(values), exact.data(), exact.size());
}

TEST(Differences, AreElementsWithOtherBits) {
  auto expected = bytesOf({1, 0.0f, NaN, 2, NaN});
  EXPECT_EQ(countDifferences(DType::F32, bytesOf({1, 0.0f, NaN, 2, NaN}), expected.data()), 0u);
  EXPECT_EQ(countDifferences(DType::F32, bytesOf({1, 0.0f, -NaN, 2, NaN}), expected.data()), 0u);
  EXPECT_EQ(countDifferences(DType::F32, bytesOf({1, -0.0f, NaN, 3, 1}), expected.data()), 3u);
  uint8_t integers[] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(countDifferences(DType::I32, {1, 2, 3, 4, 5, 6, 7, 9}, integers), 1u);
  EXPECT_EQ(countDifferences(DType::U8, {1, 0, 3, 0, 5, 6, 7, 9}, integers), 3u);
}

TEST(Errors, AreInLastPlacesAndRelativeToTheLargest) {
  ErrorFigure figure = errorOf({1 + 0x1p-22f, 100}, {1, 100});
  EXPECT_DOUBLE_EQ(figure.ulp, 2);
  EXPECT_DOUBLE_EQ(figure.relative, 0x1p-22 / 100);
}

TEST(Errors, OfSmallElementsAreMeasuredAtAThousandth) {
  EXPECT_LT(errorOf({1, 1e-7f}, {1, 0}).ulp, 1000);
  EXPECT_LT(errorOf({1e-8f}, {0}).relative, 1e-4);
  EXPECT_GT(errorOf({1e-4f}, {0}).relative, 1e-3);
}

TEST(Errors, OfWhatIsNotFiniteAreInfinite) {
  EXPECT_EQ(errorOf({NaN}, {1}).relative, Infinity);
  EXPECT_EQ(errorOf({1}, {Infinity}).relative, Infinity);
  EXPECT_EQ(errorOf({Infinity, NaN}, {Infinity, NaN}).relative, 0);
}

} // namespace
