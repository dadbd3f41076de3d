// Integer divisions that a GPU survives and the host would not.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/InstrTypes.h"

namespace dlm::emulate {

/// True for the integer divisions and remainders that could end the program.
bool canTrap(const llvm::Instruction &instruction);

/// Makes the division one that always has a result: x / 0 has all bits set, x % 0 is x, and the
/// least number over -1 is itself, remainder 0.
void guardDivision(llvm::BinaryOperator &division);

} // namespace dlm::emulate
