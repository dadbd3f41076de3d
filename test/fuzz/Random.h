// Choices of the fuzzer. The same seed and number give the same input, on every machine.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace dlm::fuzz {

class Random {
public:
  /// The stream of choices for one input of a run.
  Random(uint64_t seed, uint64_t number)
      : engine(seed * 0x9E3779B97F4A7C15ull + number * 0xBF58476D1CE4E5B9ull) {}

  /// A number from 0 to `count - 1`; `count` is not 0.
  size_t below(size_t count) { return size_t(engine() % count); }
  /// True once in `count` times.
  bool oneIn(size_t count) { return below(count) == 0; }
  template <class T> const T &pick(const std::vector<T> &items) {
    return items[below(items.size())];
  }

private:
  std::mt19937_64 engine;
};

} // namespace dlm::fuzz
