// The orders in which things run that the program does not order: permutations, from a seed.
#pragma once

#include "runtime/device/emulator/Emulator.h"

namespace dlm::emulator {

/// Gives, turn after turn, the numbers 0 to count - 1 in the wanted order.
class Turns {
public:
  /// `stream` tells the permutations of one place from those of another.
  void reset(Order order, uint64_t seed, uint64_t stream, uint32_t count);

  /// The next turn; valid until the one after it.
  const std::vector<uint32_t> &next();

private:
  Order order = Order::Sequential;
  uint64_t state = 0;
  std::vector<uint32_t> numbers;
};

} // namespace dlm::emulator
