// Scalar text made ready to run on many elements. A text is a function of `arith` and `math` ops on
// scalars; it becomes a list of instructions over registers, and each instruction runs over a block
// of elements before the next one starts, so that the cost of decoding is shared. Every op rounds
// by itself: nothing is fused, reordered or vectorised with other semantics.
#pragma once

#include "compiler/reference/Interpreter.h"

namespace dlm::reference {

/// Applies one op to `count` elements: result[i] = f(sources[0][i], sources[1][i], ...).
using ScalarFunction = void (*)(void *result, const void *const *sources, int64_t count);

/// The implementation of a scalar op in a mode, or null if there is none.
ScalarFunction selectScalarFunction(mlir::Operation *op, Mode mode);

class ScalarProgram {
public:
  /// Compiles the body of `text`, a function of one block. Elementary functions are taken as they
  /// stand: expand them before (ScalarText.h).
  static Expected<ScalarProgram> compile(mlir::func::FuncOp text, Mode mode);

  /// Computes the text's only result for `count` elements.
  void run(llvm::ArrayRef<const void *> inputs, void *output, int64_t count) const;

  /// Element types as they lie in memory.
  DType resultDType() const { return registers[result].dtype; }

private:
  static constexpr int64_t BlockSize = 512;

  struct Register {
    DType dtype = DType::F32;
    std::vector<uint8_t> constant; // the bytes of one element, if it is a constant
  };
  struct Instruction {
    ScalarFunction function;
    unsigned result;
    std::vector<unsigned> sources;
  };

  std::vector<Register> registers; // the inputs come first
  std::vector<Instruction> instructions;
  unsigned result = 0;
};

} // namespace dlm::reference
