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

void ParameterSearch::look(const Value &marked, bool isHeld) {
  const Value &value = unmarked(marked);
  switch (value.kind()) {
  case ValueKind::Tensor:
    if (value.asTensor().graph == 0) {
      const Node &node = tensors.free().node(value.asTensor().node);
      if (node.op == "parameter") (isHeld ? inHeld : trained).insert(node.text);
    }
    break;
  case ValueKind::Instance: {
    isHeld |= value.asInstance().marker >= 0;
    const ScopePtr &scope = value.asInstance().scope;
    if (!seen.emplace(scope.get(), isHeld).second) break;
    for (const auto &entry : scope->bindings)
      look(entry.second.value, isHeld);
    break;
  }
  case ValueKind::List:
    for (const Value &item : value.asList())
      look(item, isHeld);
    break;
  case ValueKind::Record:
    for (const auto &field : value.asRecord().fields)
      look(field.second, isHeld);
    break;
  default:
    break;
  }
}

std::set<std::string> ParameterSearch::held() const {
  std::set<std::string> result;
  std::set_difference(inHeld.begin(), inHeld.end(), trained.begin(), trained.end(),
                      std::inserter(result, result.end()));
  return result;
}

} // namespace dlm::sema
