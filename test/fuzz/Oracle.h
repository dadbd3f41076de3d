// What must hold for every text whatsoever: it goes through the compiler, and all that is said
// about it is looked at.
#pragma once

#include "test/fuzz/Mutate.h"

#include <bitset>

namespace dlm::fuzz {

/// How far an input came, and what was reached on the way.
struct Verdict {
  std::string failure; // empty if everything held
  bool parses = false;
  bool checks = false;
  bool lowers = false;
  std::bitset<256> messages;    // kinds that were reported
  uint64_t expressionKinds = 0; // bits of ast::ExprKind
};

/// Runs the input; files are looked up in, and written to, the current folder. `isThorough` goes
/// behind `check` and repeats it.
Verdict judge(const Input &input, bool isThorough);

} // namespace dlm::fuzz
