// Looking names up.
#include "compiler/sema/value/Scope.h"

namespace dlm::sema {

Binding *Scope::find(const std::string &name) {
  for (Scope *scope = this; scope; scope = scope->parent.get()) {
    auto found = scope->bindings.find(name);
    if (found != scope->bindings.end()) return &found->second;
  }
  return nullptr;
}

std::vector<std::string> Scope::names() const {
  std::vector<std::string> result;
  for (const Scope *scope = this; scope; scope = scope->parent.get())
    for (const auto &entry : scope->bindings)
      result.push_back(entry.first);
  return result;
}

const char *declaredWord(Declared declared) {
  static const char *const words[] = {
      "a library function", "a module",    "an option",      "a `let`", "a function", "a model",
      "an optimizer",       "a parameter", "a stored tensor"};
  return words[static_cast<int>(declared)];
}

} // namespace dlm::sema
