// Which parameters of a run change: those of the models that its `let`s hold, but not those of
// models that are frozen, copied or averaged. And what of another run belongs to it at all.
#pragma once

#include "compiler/sema/tensor/TensorWriter.h"
#include "compiler/sema/value/Scope.h"
#include "compiler/sema/value/Value.h"

#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace dlm::sema {

/// The value without what `precise` and `recompute` say of it.
const Value &unmarked(const Value &value);

/// Advice to name a model of a module, such as `start.net` where `start` was written; empty if the
/// value is no module that has one.
std::string modelAdvice(const Value &value, std::string_view written);

/// Gathers the parameters that belong to values: those of instances, also of instances in lists and
/// of those that were given to a model.
class ParameterSearch {
public:
  explicit ParameterSearch(TensorWriter &tensors) : tensors(tensors) {}

  void look(const Value &value) { look(value, Use::Trained); }
  /// Another run that is used as a whole: any of its models may be.
  void lookAtRun(const ModuleObject &run);

  /// What is found only in models that are not trained.
  std::set<std::string> held() const;

  std::set<std::string> trained; // found in a model that is
  std::set<std::string> found;   // parameters and buffers that anything of the run can reach

private:
  /// How a run has something: it trains it, it has it in a model that is not trained, or it can
  /// only reach it, as a function reaches what stands around it.
  enum class Use { Trained, Held, Mentioned };

  void look(const Value &value, Use use);
  void lookAtTensor(const Tensor &tensor, Use use);
  void lookAtScope(const Scope &scope, Use use);

  TensorWriter &tensors;
  std::set<std::string> inHeld;
  std::set<std::pair<const Scope *, Use>> seen;
};

} // namespace dlm::sema
