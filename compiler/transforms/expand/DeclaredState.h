// What a declared run keeps in memory: parameters, buffers, moments, loss terms and counters, and
// where in the flat buffers each parameter lies. The list of what a checkpoint holds is made from
// it.
#pragma once

#include "dialects/train/FlatLayout.h"
#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"

#include <string>
#include <vector>

namespace dlm::expand {

struct DeclaredState {
  explicit DeclaredState(train::RunOp run);

  /// Fails if the optimizer's rule is not written for the flat size of the parameters.
  mlir::LogicalResult verify();

  size_t indexOf(llvm::StringRef path) const;

  /// Whether one of the terms is the loss as a whole.
  bool hasTotal() const { return llvm::is_contained(terms, "loss"); }

  /// The terms as people see them: the whole first, if it is not one of them.
  std::vector<std::string> publishedTerms() const;

  /// Where `grad` leaves the next value of a buffer: the sum of what the micro-batches gave, or
  /// what the last one did.
  static std::string nextBuffer(train::NextOp next);

  /// Whether the optimizer tells its learning rate, as the result `Rate`.
  bool hasRate();
  static constexpr const char *Rate = "report.lr";

  /// Where `grad` counts the samples of a step that it has seen, and `eval` those of an evaluation,
  /// if something asks for their numbers.
  static constexpr const char *Row = "state.row";
  static constexpr const char *EvaluationRow = "eval.row";
  bool countsRows();

  /// Writes the attributes `train.policy` and `dlm.state` of the module.
  void describe(mlir::ModuleOp module, llvm::ArrayRef<std::string> metrics);

  train::RunOp run;
  llvm::SmallVector<train::ParamOp> parameters;
  llvm::SmallVector<train::BufferOp> buffers;
  llvm::SmallVector<train::MomentOp> moments;
  llvm::SmallVector<train::NextOp> nexts; // what `grad` says of the buffers after the step
  std::vector<std::string> terms;
  train::FlatLayout layout;
  mlir::RankedTensorType flatType;
};

} // namespace dlm::expand
