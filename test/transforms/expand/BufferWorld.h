// Named buffers and programs that run on them: what a driver and an executor are to a plan, for
// programs that are still IR. The interpreter computes.
#pragma once

#include "compiler/reference/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

#include <map>
#include <string>
#include <vector>

namespace dlm::test {

class BufferWorld {
public:
  BufferWorld(mlir::ModuleOp module, reference::Mode mode) : module(module), mode(mode) {}

  /// Runs a program: reads its arguments' buffers, then writes its results' buffers. A buffer that
  /// is read before anything wrote it is a test failure.
  void run(const std::string &program);

  /// Sets a buffer of f32 (in mode F64: of f64), i32, i64 or u8 elements.
  void set(const std::string &buffer, std::vector<int64_t> shape,
           const std::vector<double> &numbers, DType dtype = DType::F32);

  /// The elements of a buffer as doubles.
  std::vector<double> get(const std::string &buffer) const;
  double scalar(const std::string &buffer) const { return get(buffer).at(0); }

  std::map<std::string, reference::Tensor> buffers;

private:
  mlir::ModuleOp module;
  reference::Mode mode;
};

} // namespace dlm::test
