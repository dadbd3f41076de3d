// What a declared run keeps in memory: parameters, buffers, moments, loss terms and counters, and
// where in the flat buffers each parameter lies. The list of what a checkpoint holds is made from
// it. Parameters that one rule changes lie in flat buffers of their own, `params` of the first rule
// and `params.N` of the others; those that never change lie in `params.held`.
#pragma once

#include "dialects/train/FlatLayout.h"
#include "dialects/train/Train.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::expand {

/// A moment, and where in its flat buffer it lies for each parameter of its rule.
struct Moment {
  std::string name, buffer;
  mlir::RankedTensorType type; // for one parameter, or for all of them at once
  train::FlatLayout layout;
  mlir::RankedTensorType flatType;
  mlir::Region *init;
};

/// A parameter, and its place in the flat buffer of its group.
struct PlacedParameter {
  std::string path;
  mlir::RankedTensorType type;
  int64_t offset; // in elements
  mlir::Region *init;
  mlir::Location location;
};

/// One of the optimisations of a step. Where a step is just one, it has no name.
struct DeclaredUpdate {
  std::string name;
  std::optional<double> clipNorm;

  /// Its program of a kind: `grad`, or `grad_NAME`.
  std::string program(llvm::StringRef kind) const {
    return name.empty() ? kind.str() : (kind + "_" + name).str();
  }
  /// Where it is counted how often it was made: the steps, if a step is just it.
  std::string made() const { return name.empty() ? "state.step" : "state.made." + name; }
  /// Whether the step under way has reported numbers of it that are not finite: they stay.
  std::string told() const { return "state.told." + name; }
  bool has(llvm::StringRef term) const { return name.empty() || term.starts_with(name + "."); }

  /// Where it reports the norm of its gradient, or its learning rate.
  std::string report(llvm::StringRef what) const {
    return "report." + (name.empty() ? what.str() : (name + "." + what).str());
  }
};

/// Parameters that one rule changes, or none does, in one flat tensor.
struct ParameterGroup {
  /// The buffer `params` or `grads` of these parameters.
  std::string buffer(llvm::StringRef kind) const { return kind.str() + suffix; }

  mlir::Region *update = nullptr; // of the rule; null of those that never change
  bool isEach = false;            // it is written for one parameter
  size_t ofUpdate = 0;            // the number of the update whose rule it is
  std::string suffix;
  std::vector<PlacedParameter> parameters;
  train::FlatLayout layout;
  mlir::RankedTensorType flatType;
  std::vector<Moment> moments;
};

struct DeclaredState {
  explicit DeclaredState(train::RunOp run);

  /// The group of a parameter, and its number there; null if there is none of that path.
  std::pair<const ParameterGroup *, size_t> placeOf(llvm::StringRef path) const;

  /// Whether one of the terms is the loss as a whole.
  bool hasTotal() const { return llvm::is_contained(terms, "loss"); }

  /// The terms as people see them: the whole first, if it is not one of them.
  std::vector<std::string> publishedTerms() const;

  /// Where `grad` leaves the next value of a buffer: the sum of what the micro-batches gave, or
  /// what the last one did.
  static std::string nextBuffer(train::NextOp next);

  /// Where the updates of a step add up what they give a buffer, and how many values that is.
  static std::string sumBuffer(llvm::StringRef path) { return ("sum." + path).str(); }
  static std::string countBuffer(llvm::StringRef path) { return ("count." + path).str(); }

  /// Whether a rule of the update of this number tells its learning rate, as the result `Rate`.
  bool hasRate(size_t update);
  static constexpr const char *Rate = "report.lr";

  /// Where `grad` counts the samples of a step that it has seen, and `eval` those of an evaluation,
  /// if something asks for their numbers.
  static constexpr const char *Row = "state.row";
  static constexpr const char *EvaluationRow = "eval.row";
  bool countsRows();

  /// Where a step is several updates: how many have been performed, which their random numbers
  /// follow from, and whether all those of the step under way were taken.
  static constexpr const char *Updates = "state.updates";
  static constexpr const char *Sound = "state.sound";
  static constexpr const char *Made = "state.made"; // what a rule reads: see DeclaredUpdate::made
  bool hasSeveralUpdates() const { return !updates.front().name.empty(); }

  /// Writes the attributes `train.policy` and `dlm.state` of the module.
  void describe(mlir::ModuleOp module, llvm::ArrayRef<std::string> metrics);

  train::RunOp run;
  llvm::SmallVector<train::ParamOp> parameters;
  llvm::SmallVector<train::BufferOp> buffers;
  llvm::SmallVector<train::AverageOp> averages;
  std::vector<DeclaredUpdate> updates; // one at least
  std::vector<ParameterGroup> groups;
  llvm::SmallVector<train::NextOp> nexts; // what `grad` says of the buffers after the step
  std::vector<std::string> terms;
};

} // namespace dlm::expand
