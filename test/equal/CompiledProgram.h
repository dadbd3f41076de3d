// Pinned tensor programs made into something that runs, by the way an executable takes: fuse,
// place, codegen, the plan's bytes verified and opened by the executor.
#pragma once

#include "compiler/pipeline/Backend.h"
#include "compiler/reference/Interpreter.h"
#include "runtime/executor/Executor.h"

#include <map>
#include <memory>
#include <string>

namespace dlm::test {

using NamedTensors = std::map<std::string, reference::Tensor>;

class RunnableProgram {
public:
  /// Compiles a copy of `module`; null, and the test has failed, if that is impossible.
  static std::unique_ptr<RunnableProgram> create(mlir::ModuleOp module,
                                                 const BackendOptions &options);

  /// Runs one program with `workers` threads: writes the inputs into their buffers first, returns
  /// what all buffers of `outputs` hold afterwards.
  NamedTensors run(const std::string &program, const NamedTensors &inputs,
                   const std::vector<std::string> &outputs, unsigned workers);

private:
  CompiledProgram bytes;
  std::vector<uint64_t> aligned; // the plan's bytes at an address that suits it
  std::unique_ptr<KernelLibrary> kernels;
  const plan::Plan *plan = nullptr;
};

/// Values for every argument of `function`, in [-1, 1) or small integers, from `seed`.
NamedTensors someInputs(mlir::func::FuncOp function, uint32_t seed);

/// Replaces about `share` of the f32 elements by NaN, infinities, zeros of both signs and numbers
/// at the ends of the range. From a tenth on the first rows of a matrix become all NaN, all
/// -inf and all zeros: what a row makes of nothing else.
void putSpecialValues(NamedTensors &inputs, float share);

/// What the interpreter says the function does to its buffers: every argument and result by name.
NamedTensors interpretBuffers(mlir::func::FuncOp function, const NamedTensors &inputs);

/// "" if both hold the same bits (any two NaNs are the same), else where they differ first.
std::string firstDifference(const NamedTensors &expected, const NamedTensors &actual);

} // namespace dlm::test
