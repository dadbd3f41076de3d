// Copies regions of a declared run into a program. On the way every op that only a declaration has
// is replaced:
//
//   a leaf                 the argument that is read from its buffer
//   train.parameter        a segment of the buffer of its group
//   train.batch_squares    evaluation: stays
//   train.batch_reduce     training: a plain reduction over the micro-batch, whose sum over the
//                          micro-batches `grad` accumulates; evaluation: stays
//   train.sample_count     training: `batch.size`; evaluation: stays
//   train.share            training: x * rows / batch.size; evaluation: x
//   train.next             noted: what `grad` leaves for the buffer
//   train.ambient "row"    how many samples of the step (`state.row`), or of the evaluation
//                          (`eval.row`), the program has seen before
//   train.ambient "made"   how many updates the rule has made (`state.step`, or `state.made.NAME`)
//
// A sample has buffers of its own, `sample.in.FIELD`, `sample.option.NAME` and so on, of which each
// thread that makes samples has a copy.
#pragma once

#include "compiler/transforms/expand/DeclaredState.h"
#include "compiler/transforms/expand/Program.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/StringMap.h"

namespace dlm::expand {

enum class Purpose { Training, Evaluation, Sample };

/// Copies regions into one program.
class RegionCopy {
public:
  RegionCopy(Program &program, DeclaredState &state, Purpose purpose)
      : program(program), state(state), purpose(purpose) {}

  /// Returns what the region yields, by name.
  std::vector<NamedResult> copy(mlir::Region &region);

  /// The one of several updates whose loss is copied: only what it gives buffers is noted.
  std::string update;

  /// What the regions copied so far give buffers as their next values.
  std::vector<NamedResult> nexts;

  /// What stands for leaves of these buffers, instead of arguments.
  llvm::StringMap<mlir::Value> given;

  /// Where it is counted how often the rule that is copied was followed.
  std::string counter = "state.step";

  /// Whose random numbers they are: the path of the parameter that a rule is followed for.
  std::string drawnFor;

  /// The present value of a parameter.
  mlir::Value parameter(llvm::StringRef path);

private:
  mlir::Value replacement(mlir::Operation &op, mlir::IRMapping &mapping);
  void keyDraw(mlir::Operation *op);
  mlir::Value sampleCount(train::SampleCountOp op);
  mlir::Value reduction(train::BatchReduceOp op, mlir::Value operand);
  mlir::Value share(train::ShareOp op, mlir::Value operand);

  Program &program;
  DeclaredState &state;
  Purpose purpose;
  llvm::StringMap<mlir::Value> parameters;
};

} // namespace dlm::expand
