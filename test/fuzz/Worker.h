// Inputs run in a child process, so that whatever one does to it, the fuzzer goes on and knows
// which input it was.
#pragma once

#include "test/fuzz/Oracle.h"

#include <array>
#include <functional>
#include <optional>

namespace dlm::fuzz {

/// What the inputs of a run had in common, gathered over all children.
struct Tally {
  uint64_t inputs = 0;
  uint64_t parsed = 0;
  uint64_t checked = 0;
  uint64_t lowered = 0;
  std::array<bool, 256> messages = {};
  uint64_t expressionKinds = 0;
};

struct Limits {
  double inputSeconds = 2;              // of processor time
  double stuckSeconds = 60;             // of waiting
  size_t memoryBytes = size_t(3) << 30; // of address space; not in sanitized programs
};

/// The limits for this build: sanitizers make everything slower and larger.
Limits limitsOfBuild();

class Worker {
public:
  Worker();
  ~Worker();
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  /// Runs inputs `begin`, `begin + 1`, ... made by `make` in one child until one fails, `end` is
  /// reached or the child has run for `seconds`. Returns why the last one failed; `next` becomes
  /// the number to go on with. Thorough checks are made for every fourth input, or all of them.
  std::optional<std::string> run(const std::function<Input(uint64_t)> &make, uint64_t begin,
                                 uint64_t end, double seconds, bool isAlwaysThorough,
                                 uint64_t &next);

  /// Runs one input thoroughly and returns why it failed.
  std::optional<std::string> runOne(const Input &input);

  const Tally &tally() const;

private:
  struct Board;
  Board *board; // memory shared with the child
};

} // namespace dlm::fuzz
