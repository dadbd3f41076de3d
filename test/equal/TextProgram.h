// IR text as something a test can run, and tensors as something it can write down.
#pragma once

#include "compiler/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <string>
#include <vector>

namespace dlm::test {

using reference::Mode;
using reference::Tensor;

/// A parsed module. A text that does not parse fails the test and gives an empty module.
class TextProgram {
public:
  explicit TextProgram(const std::string &text);

  mlir::MLIRContext &context() { return mlirContext; }
  mlir::ModuleOp module() { return *parsed; }
  mlir::func::FuncOp func(const std::string &name);

  /// Runs @f; a failure fails the test and gives no results.
  std::vector<Tensor> run(const std::vector<Tensor> &arguments, Mode mode = Mode::F32);

private:
  mlir::MLIRContext mlirContext;
  mlir::OwningOpRef<mlir::ModuleOp> parsed;
};

/// Runs a module whose only function is
/// `func.func @f(%a0: types[0], ...) -> resultType { return OP }`, and returns its result.
Tensor runOp(const std::string &op, const std::vector<std::string> &types,
             const std::string &resultType, const std::vector<Tensor> &arguments,
             Mode mode = Mode::F32);

/// The text of that module.
std::string moduleOf(const std::string &op, const std::vector<std::string> &types,
                     const std::string &resultType);

template <class T>
Tensor makeTensor(DType dtype, std::vector<int64_t> shape, const std::vector<T> &values) {
  Tensor tensor = Tensor::zeros(dtype, std::move(shape));
  std::copy(values.begin(), values.end(), tensor.as<T>());
  return tensor;
}

Tensor floats(const std::vector<float> &values);
Tensor floats(std::vector<int64_t> shape, const std::vector<float> &values);

template <class T> std::vector<T> valuesOf(const Tensor &tensor) {
  return std::vector<T>(tensor.as<T>(), tensor.as<T>() + tensor.elementCount());
}

/// Deterministic values in [low, high): no two runs differ.
std::vector<float> someFloats(int64_t count, uint32_t site, float low = -1, float high = 1);

} // namespace dlm::test
