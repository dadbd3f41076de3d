// See Facts.h.
#include "compiler/lsp/Facts.h"

#include "compiler/sema/builtins/Builtin.h"
#include "compiler/sema/evaluate/Evaluator.h"

#include <algorithm>

namespace dlm::lsp {

using namespace sema;

namespace {

constexpr size_t valuesMax = 4;   // different values shown for a name
constexpr unsigned countMax = 64; // evaluations looked at; a comprehension may make a million
constexpr size_t partsMax = 24;

const char *wordOf(Declared declared) {
  static const char *const words[] = {"library", "module",    "option",    "let",  "fn",
                                      "model",   "optimizer", "parameter", "param"};
  return words[static_cast<int>(declared)];
}

std::string valueText(const Value &value) {
  switch (value.kind()) {
  case ValueKind::Poison:
  case ValueKind::Module:
    return "";
  case ValueKind::Tensor:
    return ": " + typeText(value.asTensor().type);
  case ValueKind::Data:
    return ": data source";
  case ValueKind::Batch:
    return ": batch";
  case ValueKind::Function:
    return value.asFunction().name.empty() ? ": fn" : " = " + value.text();
  default:
    return value.text().empty() ? "" : " = " + value.text();
  }
}

void addParameters(const InstanceObject &instance, const std::string &path,
                   std::vector<std::string> &parts) {
  for (const auto &[name, binding] : instance.scope->bindings) {
    if (parts.size() > partsMax) return;
    const Value &value = binding.value;
    if (binding.declared == Declared::Stored && value.is(ValueKind::Tensor))
      parts.push_back(path + name + ": " + typeText(value.asTensor().type));
    if (binding.declared != Declared::Let) continue;
    if (value.is(ValueKind::Instance)) addParameters(value.asInstance(), path + name + ".", parts);
    if (!value.is(ValueKind::List)) continue;
    for (size_t i = 0; i < value.asList().size() && parts.size() <= partsMax; ++i)
      if (value.asList()[i].is(ValueKind::Instance))
        addParameters(value.asList()[i].asInstance(), path + name + "." + std::to_string(i) + ".",
                      parts);
  }
}

void addParts(const Value &value, std::vector<std::string> &parts) {
  if (value.is(ValueKind::Instance)) addParameters(value.asInstance(), "", parts);
  bool isBatch = value.is(ValueKind::Batch);
  if (isBatch || value.is(ValueKind::Data))
    for (const Field &field : value.asData().fields)
      parts.push_back(field.name + ": " + typeText(field.type));
  if (value.is(ValueKind::Data) && value.asData().trainCount > 0)
    parts.push_back("count = " + std::to_string(value.asData().trainCount));
  if (parts.size() > partsMax) {
    parts.resize(partsMax);
    parts.push_back("...");
  }
}

/// As it is called: initialisers have the names of some functions of `random`.
std::string builtinText(const Builtin &builtin) {
  const BuiltinTable &drawn = randomBuiltins();
  bool isDrawn = std::any_of(drawn.begin(), drawn.end(),
                             [&](const Builtin &each) { return &each == &builtin; });
  return std::string(isDrawn ? "random." : "") + builtin.name + "(" + builtin.signature.text + ")";
}

/// The beginning of a module's file; not valid if no text declares anything in it.
Span textOf(const ModuleObject &module) {
  for (const auto &[name, binding] : module.scope->bindings)
    if (binding.span.isValid()) return {binding.span.file, 0, 0};
  return {};
}

} // namespace

Fact describe(const std::string &name, const Binding *binding, const Value &value) {
  Fact fact;
  fact.name = name;
  if (binding) {
    fact.word = wordOf(binding->declared);
    fact.declared = binding->span;
  }
  if (value.is(ValueKind::BuiltinFunction)) fact.builtin = builtinText(value.asBuiltin());
  if (value.is(ValueKind::Function)) fact.meaning = value.asFunction().declared;
  if (value.is(ValueKind::Module)) fact.text = textOf(value.asModule());
  if (value.is(ValueKind::ModelType)) fact.meaning = value.asModelType().declaration->name.span;
  if (value.is(ValueKind::OptimizerType)) fact.meaning = value.asOptimizer().declaration->name.span;
  if (std::string text = valueText(value); !text.empty()) fact.values.push_back(std::move(text));
  addParts(value, fact.parts);
  return fact;
}

void FactCollector::add(Span place, const std::string &name, const Binding *binding,
                        const Value &value) {
  if (!place.isValid() || place.file < first) return;
  auto [entry, isNew] = facts.try_emplace({place.file, place.begin});
  Fact &fact = entry->second;
  if (++fact.count > countMax) return;
  if (isNew || (fact.values.empty() && !value.isPoison())) {
    unsigned count = fact.count;
    fact = describe(name, binding, value);
    fact.place = place;
    fact.count = count;
    return;
  }
  std::string text = valueText(value);
  bool isKnown = text.empty() || std::count(fact.values.begin(), fact.values.end(), text);
  if (!isKnown && fact.values.size() <= valuesMax)
    fact.values.push_back(fact.values.size() < valuesMax ? text : " ...");
}

void FactCollector::name(const ast::Expr &expr, const ScopePtr &scope, const Binding *binding,
                         const Value &value) {
  add(expr.span, expr.text, binding, value);
}

void FactCollector::member(const ast::Expr &expr, const Value &base, const Value &value) {
  const Binding *binding = nullptr;
  const Scope *scope = base.is(ValueKind::Module)     ? base.asModule().scope.get()
                       : base.is(ValueKind::Instance) ? base.asInstance().scope.get()
                                                      : nullptr;
  if (scope) {
    auto found = scope->bindings.find(expr.text);
    if (found != scope->bindings.end()) binding = &found->second;
  }
  add(expr.nameSpan, expr.text, binding, value);
}

void FactCollector::call(const Signature &signature, const std::vector<CallArgument> &arguments) {
  for (const CallArgument &argument : arguments) {
    if (argument.name.empty() || !argument.nameSpan.isValid()) continue;
    add(argument.nameSpan, argument.name, nullptr, argument.operand.value);
    auto found = facts.find({argument.nameSpan.file, argument.nameSpan.begin});
    if (found == facts.end()) continue;
    found->second.word = "parameter";
    found->second.callee = signature.declared;
  }
}

void FactCollector::scope(const Scope &scope) {
  // The scope of a file may be told for every branch of an `if` in it.
  constexpr size_t largeMin = 64;
  size_t &told = toldCounts[&scope];
  if (told == scope.bindings.size() && told >= largeMin) return;
  told = scope.bindings.size();
  for (const auto &[name, binding] : scope.bindings)
    if (binding.span.isValid() && binding.state == Binding::Ready)
      add(binding.span, name, &binding, binding.value);
  if (!library.empty()) return;
  const Scope *outermost = &scope;
  while (outermost->parent)
    outermost = outermost->parent.get();
  if (outermost == &scope) return;
  for (const auto &[name, binding] : outermost->bindings)
    library.push_back({name, describe(name, &binding, binding.value)});
}

void mergeFacts(FactCollector::Facts &into, FactCollector::Facts &&from) {
  for (auto &[place, fact] : from) {
    auto [entry, isNew] = into.try_emplace(place, fact);
    if (isNew) continue;
    Fact &known = entry->second;
    if (known.values.empty()) known = fact;
    for (const std::string &text : fact.values)
      if (!std::count(known.values.begin(), known.values.end(), text) &&
          known.values.size() < valuesMax)
        known.values.push_back(text);
  }
}

std::vector<Candidate> membersOf(const Value &value) {
  std::vector<Candidate> result;
  auto addNames = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      result.push_back({name, describe(name, nullptr, Value())});
  };
  auto addFields = [&](bool isBatch) {
    for (const Field &field : value.asData().fields) {
      Candidate entry{field.name, describe(field.name, nullptr, Value())};
      entry.fact.values.push_back(": " + typeText(field.type));
      if (isBatch) result.push_back(std::move(entry));
    }
  };
  if (value.is(ValueKind::Module) || value.is(ValueKind::Instance)) {
    bool isModule = value.is(ValueKind::Module);
    const Scope &scope = isModule ? *value.asModule().scope : *value.asInstance().scope;
    for (const auto &[name, binding] : scope.bindings)
      if (binding.declared != Declared::Module)
        result.push_back({name, describe(name, &binding, binding.value)});
  }
  if (value.is(ValueKind::Record))
    for (const auto &[name, part] : value.asRecord().fields)
      if (!name.empty()) result.push_back({name, describe(name, nullptr, part)});
  if (value.is(ValueKind::Tensor)) addNames({"T", "dtype", "rank", "shape"});
  if (value.is(ValueKind::Data)) addNames({"classes", "count", "test_count", "validation_count"});
  if (value.is(ValueKind::Batch)) {
    addFields(true);
    addNames({"size"});
  }
  return result;
}

} // namespace dlm::lsp
