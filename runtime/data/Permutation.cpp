// The Feistel network behind the order of the samples.
#include "runtime/data/Permutation.h"

#include "runtime/base/Assert.h"
#include "runtime/base/Philox.h"

namespace dlm {

namespace {

constexpr uint32_t OrderSite = 0x4F524452; // keeps the keys apart from other uses of the seed

/// The round function: any mixing does, since a Feistel network is a bijection whatever it is.
uint32_t mixHalf(uint32_t half, uint32_t key) {
  uint32_t x = half ^ key;
  x *= 0x9E3779B1u;
  x ^= x >> 15;
  x *= 0x85EBCA77u;
  x ^= x >> 13;
  x *= 0xC2B2AE3Du;
  return x ^ (x >> 16);
}

} // namespace

Permutation::Permutation(int64_t count, uint64_t seed, uint64_t epoch)
    : countValue(count), halfBits(1) {
  DLM_ASSERT(count >= 1, "a permutation of nothing");
  while (halfBits < 31 && (uint64_t(1) << (2 * halfBits)) < uint64_t(count))
    ++halfBits;
  if ((uint64_t(1) << (2 * halfBits)) < uint64_t(count)) halfBits = 32;
  for (uint32_t block = 0; block < Rounds / 4; ++block) {
    PhiloxCounter words = philox4x32({block, uint32_t(epoch), uint32_t(epoch >> 32), OrderSite},
                                     {uint32_t(seed), uint32_t(seed >> 32)});
    for (uint32_t word = 0; word < 4; ++word)
      keys[block * 4 + word] = words[word];
  }
}

uint64_t Permutation::scramble(uint64_t index) const {
  uint32_t mask = halfBits == 32 ? ~0u : (1u << halfBits) - 1;
  uint32_t left = uint32_t(index >> halfBits) & mask, right = uint32_t(index) & mask;
  for (uint32_t key : keys) {
    uint32_t next = (left ^ mixHalf(right, key)) & mask;
    left = right;
    right = next;
  }
  return uint64_t(left) << halfBits | right;
}

int64_t Permutation::operator()(int64_t place) const {
  DLM_ASSERT(place >= 0 && place < countValue, "a place outside the epoch");
  uint64_t index = uint64_t(place);
  do {
    index = scramble(index);
  } while (index >= uint64_t(countValue));
  return int64_t(index);
}

} // namespace dlm
