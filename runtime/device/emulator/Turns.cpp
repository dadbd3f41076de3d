// Sequential and Reverse keep one list, the others shuffle it for each turn (Fisher and Yates).
#include "runtime/device/emulator/Turns.h"

#include <numeric>
#include <utility>

namespace dlm::emulator {

namespace {

/// SplitMix64 (Steele, Lea, Flood 2014): cheap, and any state is as good as another.
uint64_t nextRandom(uint64_t &state) {
  uint64_t mixed = state += 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31);
}

} // namespace

void Turns::reset(Order newOrder, uint64_t seed, uint64_t stream, uint32_t count) {
  bool isFixed = newOrder == Order::Sequential || newOrder == Order::Reverse;
  if (isFixed && order == newOrder && numbers.size() == count) return;
  order = newOrder;
  state = seed;
  state = nextRandom(state) ^ stream;
  numbers.resize(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  if (order == Order::Reverse)
    for (uint32_t i = 0; i < count; ++i)
      numbers[i] = count - 1 - i;
}

const std::vector<uint32_t> &Turns::next() {
  if (order == Order::Random || order == Order::WarpSkew)
    for (size_t i = numbers.size(); i > 1; --i)
      std::swap(numbers[i - 1], numbers[nextRandom(state) % i]);
  return numbers;
}

} // namespace dlm::emulator
