// Follows the rule of an optimizer for a parameter: its pattern, its states, its `update`.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <optional>
#include <string>
#include <vector>

namespace dlm::sema {

class RuleFollower {
public:
  /// `optimizer` is an optimizer with its arguments. `parameter` is null for the row of all
  /// parameters.
  RuleFollower(Evaluator &evaluator, const Operand &optimizer, const Parameter *parameter);

  /// The rule for a parameter of this type; nothing if something was reported.
  std::optional<OptimizerRule> follow(const TensorType &type);

private:
  bool matchesPattern(const TensorType &type);
  Value target(const TensorType &type);
  bool addMembers();
  bool addState(const ast::Stored &state);
  void warnOfUnchanged();
  std::optional<TensorType> stateType(const ast::TypeRef &type);
  std::optional<Graph> stateInit(const ast::Stored &state, const TensorType &type);
  void followRate();
  bool followUpdate(const ast::Function &update, const TensorType &type, GraphBuilder &graph);
  bool addResult(GraphBuilder &graph, const ast::Function &update, const std::string &name,
                 const Value &value, const TensorType &type);

  Evaluator &evaluator;
  Reporter &report;
  const Operand &operand;
  const OptimizerObject &object;
  const ast::Optimizer &declaration;
  const Parameter *parameter;
  ScopePtr inner;
  std::vector<Dim> ellipsis; // what `...` of the pattern stands for
  OptimizerRule rule;
};

/// Whether the rule computes each element of the parameter from that element alone.
bool isElementwise(const OptimizerRule &rule, const TensorType &type);
/// Whether two rules do the same, whatever the shapes they were followed for.
bool isSameRule(const OptimizerRule &a, const OptimizerRule &b);
/// An elementwise rule of a parameter of this type, as one for the row of all parameters.
OptimizerRule flattened(const OptimizerRule &rule, const TensorType &type);

} // namespace dlm::sema
