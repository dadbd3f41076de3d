// For editors: evaluates what no run reaches (the functions of a module, a model that nothing makes
// yet, a loss whose data is not there), so that names in it can be explained as well. Arguments are
// poison, since they could be anything: what depends on them stays unknown, and silent.
#pragma once

#include "compiler/sema/evaluate/Evaluator.h"

#include <vector>

namespace dlm::sema {

class Survey {
public:
  explicit Survey(Evaluator &evaluator) : evaluator(evaluator) {}

  /// Everything a file declares, but its train blocks.
  void file(const ast::File &file, const ScopePtr &scope);
  /// The functions of a train block.
  void items(const std::vector<ast::Item> &items, const ScopePtr &scope);

private:
  void function(const ast::Function &function, const ScopePtr &outer);
  void model(const ast::Model &model, const ScopePtr &outer);
  void optimizer(const ast::Optimizer &optimizer, const ScopePtr &outer);
  void bind(const std::vector<ast::Param> &params, Scope &scope, const ScopePtr &inner);
  void bindSizes(const ast::TypeRef &type, Scope &scope);
  static void bindUnknown(const ast::Name &name, Scope &scope);

  Evaluator &evaluator;
};

} // namespace dlm::sema
