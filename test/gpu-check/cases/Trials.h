// Which launches are tried on a device: those of the program, and more of the same device functions
// at small and odd sizes.
#pragma once

#include "dialects/kernel/Kernel.h"
#include "dialects/plan/Plan.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace dlm::gpucheck {

/// A matrix product as in `plan.contract`.
struct ProductSize {
  int64_t m = 0, n = 0, k = 0;
  bool transposeLhs = false, transposeRhs = false;
  int64_t batch = 1;
};

struct Trial {
  kernel::FuncOp kernel; // null: a product
  int64_t extent = 0;
  ProductSize product;
  /// Of the arguments, inputs first, with the extent in the place of `?`.
  std::vector<mlir::RankedTensorType> types;
  unsigned inputCount = 2;
  /// For each argument the input in whose memory it lies, or -1.
  std::vector<int> shares;

  /// `row_relu_6`; `product_nt` with a letter for each operand: n(ot) or t(ransposed);
  /// `products_nt` of several side by side.
  std::string kernelName() const;
  /// `64`; `64x512x784`.
  std::string sizeName() const;
};

/// Candidates for every kernel and product of a placed module.
std::vector<Trial> chooseTrials(mlir::ModuleOp placed);

/// Adds a program that launches the trials, in order, on buffers of their own. Returns it.
plan::ProgramOp addTrialProgram(mlir::ModuleOp module, const std::vector<Trial> &trials);

} // namespace dlm::gpucheck
