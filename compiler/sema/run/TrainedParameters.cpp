// See TrainedParameters.h.
#include "compiler/sema/run/TrainedParameters.h"

#include "compiler/sema/tensor/GraphBuilder.h"

#include <algorithm>
#include <iterator>

namespace dlm::sema {

const Value &unmarked(const Value &value) {
  const Value *inner = &value;
  while (inner->is(ValueKind::Marked) && inner->asMarked().marker < 0)
    inner = inner->asMarked().inner.get();
  return *inner;
}

std::string modelAdvice(const Value &value, std::string_view written) {
  if (!value.is(ValueKind::Module)) return "";
  for (const auto &[name, binding] : value.asModule().scope->bindings)
    if (binding.value.is(ValueKind::Instance))
      return "name a model of it: `" + std::string(written) + "." + name + "`";
  return "";
}

void ParameterSearch::lookAtTensor(const Tensor &tensor, Use use) {
  if (tensor.graph != 0) return;
  const GraphBuilder &graph = tensors.free();
  for (const Node *leaf : tensors.leavesOf(tensor))
    if (leaf->op == "parameter" || leaf->op == "buffer") found.insert(leaf->text);
  const Node *node = &graph.node(tensor.node);
  if (node->op == "stop_gradient" && use == Use::Trained) { // of a frozen model
    use = Use::Held;
    node = &graph.node(node->operands[0]);
  }
  if (node->op != "parameter" || use == Use::Mentioned) return;
  (use == Use::Held ? inHeld : trained).insert(node->text);
}

void ParameterSearch::lookAtScope(const Scope &scope, Use use) {
  if (!seen.emplace(&scope, use).second) return;
  for (const auto &entry : scope.bindings)
    look(entry.second.value, use);
}

void ParameterSearch::look(const Value &marked, Use use) {
  const Value &value = unmarked(marked);
  switch (value.kind()) {
  case ValueKind::Tensor:
    lookAtTensor(value.asTensor(), use);
    break;
  case ValueKind::Instance: {
    bool isHeld = use == Use::Trained && value.asInstance().marker >= 0;
    lookAtScope(*value.asInstance().scope, isHeld ? Use::Held : use);
    break;
  }
  case ValueKind::List:
    for (const Value &item : value.asList())
      look(item, use);
    break;
  case ValueKind::Record:
    for (const auto &field : value.asRecord().fields)
      look(field.second, use);
    break;
  case ValueKind::Marked: // a function of a model that something was made of
    look(*value.asMarked().inner, Use::Mentioned);
    break;
  case ValueKind::Function:
    for (const Scope *scope = value.asFunction().scope.get(); scope; scope = scope->parent.get())
      lookAtScope(*scope, Use::Mentioned);
    break;
  default:
    break;
  }
}

void ParameterSearch::lookAtRun(const ModuleObject &run) {
  lookAtScope(*run.scope, Use::Mentioned);
}

std::set<std::string> ParameterSearch::held() const {
  std::set<std::string> result;
  std::set_difference(inHeld.begin(), inHeld.end(), trained.begin(), trained.end(),
                      std::inserter(result, result.end()));
  return result;
}

} // namespace dlm::sema
