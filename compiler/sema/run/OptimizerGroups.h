// Which rule changes which parameter: one optimizer for all, or a function of the parameter.
// Parameters that change by the same rule make a group.
#pragma once

#include "compiler/sema/run/OptimizerRule.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dlm::sema {

/// What stands at `optimizer =`, or `fn optimizer(p)`.
struct OptimizerChoice {
  Operand value;
  const ast::Function *function = nullptr;
};

class OptimizerGroups {
public:
  OptimizerGroups(Evaluator &evaluator, ScopePtr scope)
      : evaluator(evaluator), report(evaluator.report), scope(std::move(scope)) {}

  /// Follows the rules for these parameters; afterwards `groups` and `constants` hold all of them.
  /// False if something was reported.
  bool check(const OptimizerChoice &choice, const std::vector<const Parameter *> &parameters);

  std::vector<OptimizerGroup> groups;
  std::vector<std::string> constants; // paths of parameters that get no optimizer

private:
  /// Parameters that no branch gives an optimizer, while a written `none` says that it is meant.
  bool checkLeftOut(const ast::Function &function, size_t count);

  /// A rule followed for a shape, and the optimizer, which lives as long as its scope is a key.
  struct Followed {
    Operand optimizer;
    std::optional<OptimizerRule> rule;
  };

  std::optional<Operand> choose(const ast::Function &function, const Parameter &parameter);
  bool flatten(OptimizerGroup &group, const Operand &optimizer);
  bool add(const Operand &optimizer, const Parameter &parameter);
  const OptimizerRule *ruleOf(const Operand &optimizer, const Parameter &parameter);

  Evaluator &evaluator;
  Reporter &report;
  ScopePtr scope;
  std::map<std::pair<const Scope *, std::string>, Followed> followed;
  std::vector<Operand> optimizers;        // of the groups
  std::vector<std::string> leftOut;       // of `constants`, those that no branch gave `none`
  const ast::Expr *withoutElse = nullptr; // the `if` that gave the first of them nothing
};

/// Warns of texts that `fn optimizer(p)` compares with `p.path` or `p.name`, or seeks in them, and
/// that no parameter of the run has.
void warnOfUnknownPaths(Evaluator &evaluator, const ast::Function &function);

/// Reports a value that is no optimizer with its arguments. True if it is one.
bool checkOptimizerValue(Evaluator &evaluator, const Operand &operand);

} // namespace dlm::sema
