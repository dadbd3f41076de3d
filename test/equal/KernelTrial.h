// One kernel on one size: inputs, what a naive evaluation makes of them, and the comparison with
// what generated code makes.
#pragma once

#include "test/equal/KernelCases.h"
#include "test/equal/KernelEvaluator.h"

#include "mlir/IR/BuiltinOps.h"

#include <random>
#include <string>

/// What fills the inputs: ordinary values, or with NaNs, infinities, zeros and denormals among
/// them, or zeros of both signs, whose maximum tells the order in which they were compared.
enum class Filling { Ordinary, Special, Zeros };

/// Those that can tell right from wrong in a case.
std::vector<Filling> getFillings(const KernelCase &kernelCase);

/// The text of a case with its size put in.
std::string makeKernelText(const KernelCase &kernelCase, int64_t size);

/// Elements that differ, the first of them printed; all NaNs are one value.
int64_t countDifferences(mlir::Type elementType, const Buffer &expected, const Buffer &actual);

class KernelTrial {
public:
  KernelTrial(mlir::MLIRContext &context, const KernelCase &kernelCase, int64_t size);

  /// Null if the text is wrong.
  mlir::ModuleOp getModule() { return *module; }
  kernel::FuncOp getFunc() { return *expanded->getOps<kernel::FuncOp>().begin(); }
  int64_t getSize() const { return size; }
  int64_t getExtent() const { return extent; }
  int64_t getItems() { return getFunc().getSpace().getItems(size); }

  /// Fills the arguments and evaluates.
  void fill(Filling filling);
  /// All arguments as they are before the kernel runs.
  const std::vector<Buffer> &getBuffers() const { return buffers; }

  /// Compares all arguments after a run with the evaluation.
  void check(const std::vector<Buffer> &actual, const std::string &what);
  /// The same where the first output was in the memory of the first input, `actual`.
  void checkInPlace(const Buffer &actual, const std::string &what);

private:
  Buffer fillOne(mlir::RankedTensorType type, Filling filling, std::mt19937 &random);

  int64_t size, extent = 0;
  mlir::OwningOpRef<mlir::ModuleOp> module, expanded;
  std::vector<Buffer> buffers, expected;
};
