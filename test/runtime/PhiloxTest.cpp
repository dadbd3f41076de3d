// Philox against the known answers of its authors, and the distribution of the values made of it.
#include "runtime/base/Philox.h"

#include <gtest/gtest.h>

using namespace dlm;

TEST(Philox, EqualsTheKnownAnswersOfRandom123) {
  EXPECT_EQ(philox4x32({0, 0, 0, 0}, {0, 0}),
            (PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox4x32({~0u, ~0u, ~0u, ~0u}, {~0u, ~0u}),
            (PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}),
            (PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(Philox, PlaceSelectsBlockAndWord) {
  RandomPlace place{0x299f31d0a4093822, 0x13198a2e, 0x03707344, 0};
  place.index = 0x85a308d3243f6a88ull * 4 + 2; // wraps in 64 bits, as the counter does
  PhiloxCounter block = philox4x32({uint32_t(place.index / 4), uint32_t(place.index / 4 >> 32),
                                    uint32_t(place.attempt), place.site},
                                   {0xa4093822, 0x299f31d0});
  EXPECT_EQ(randomBits(place), block[2]);
}

TEST(Philox, UniformIsInTheHalfOpenUnitInterval) {
  EXPECT_EQ(uniformFromBits(0), 0.0f);
  EXPECT_EQ(uniformFromBits(~0u), 1.0f - 0x1p-24f);
  EXPECT_EQ(uniformFromBits(0x80000000u), 0.5f);
  double sum = 0;
  constexpr uint64_t Count = 100000;
  for (uint64_t i = 0; i < Count; ++i)
    sum += randomUniform({1, 2, 3, i});
  EXPECT_NEAR(sum / Count, 0.5, 0.005);
}

TEST(Philox, NormalHasMeanZeroAndVarianceOne) {
  double sum = 0, squares = 0, products = 0;
  constexpr uint64_t Count = 100000;
  for (uint64_t i = 0; i < Count; i += 2) {
    double even = randomNormalExact({7, 0, 9, i}), odd = randomNormalExact({7, 0, 9, i + 1});
    sum += even + odd;
    squares += even * even + odd * odd;
    products += even * odd;
  }
  EXPECT_NEAR(sum / Count, 0, 0.02);
  EXPECT_NEAR(squares / Count, 1, 0.02);
  EXPECT_NEAR(products / Count, 0, 0.02);
}

TEST(Philox, FloatNormalFollowsTheExactOne) {
  struct CMath {
    float log(float x) const { return std::log(x); }
    float sin(float x) const { return std::sin(x); }
    float cos(float x) const { return std::cos(x); }
  };
  for (uint64_t i = 0; i < 1000; ++i)
    EXPECT_NEAR(randomNormal({3, 4, 5, i}, CMath()), randomNormalExact({3, 4, 5, i}), 2e-6);
}
