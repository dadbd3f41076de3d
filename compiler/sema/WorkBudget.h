// How much work checking a program may be. The language has no unbounded loop, but lists in lists
// and functions that call functions multiply: a few lines can ask for more than a machine can do.
// Nobody writes such a program on purpose, so it ends in a message instead of in the memory.
#pragma once

#include <cstdint>

namespace dlm::sema {

class WorkBudget {
public:
  /// Expressions evaluated and elements of lists made, over all passes; a program of 10,000 lines
  /// needs a few hundred thousand.
  static constexpr int64_t stepsMax = 4'000'000;
  /// Operations on tensors. A layer of a network is some tens.
  static constexpr int64_t nodesMax = 200'000;

  /// Takes steps; false once there are none left.
  bool spend(int64_t count = 1) {
    steps += count;
    return steps <= stepsMax;
  }
  bool isSpent() const { return steps > stepsMax; }
  /// Leaves nothing.
  void exhaust() { steps = stepsMax + 1; }

  bool isReported = false;

private:
  int64_t steps = 0;
};

} // namespace dlm::sema
