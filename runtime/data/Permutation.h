// The order of the samples: a bijection of [0, count) that is computed, not stored.
//
// A Feistel network scrambles the index inside the next power of four and is applied again while
// the result lies outside the range (cycle walking; at most four rounds are expected). Each epoch
// has its own keys, derived from (seed, epoch). So the order costs no memory, any position can be
// reached at once, and what has been consumed is one number.
#pragma once

#include <array>
#include <cstdint>

namespace dlm {

class Permutation {
public:
  /// The order of epoch `epoch` of the run with seed `seed` over `count` >= 1 samples.
  Permutation(int64_t count, uint64_t seed, uint64_t epoch);

  int64_t count() const { return countValue; }

  /// The sample at place `place` of the epoch; 0 <= place < count.
  int64_t operator()(int64_t place) const;

private:
  static constexpr int Rounds = 8;

  uint64_t scramble(uint64_t index) const;

  int64_t countValue;
  int halfBits; // each half of the index has this many bits
  std::array<uint32_t, Rounds> keys;
};

} // namespace dlm
