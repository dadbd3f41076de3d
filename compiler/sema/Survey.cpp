// See Survey.h.
#include "compiler/sema/Survey.h"

namespace dlm::sema {

void Survey::bindUnknown(const ast::Name &name, Scope &scope) {
  Binding binding;
  binding.span = name.span;
  binding.declared = Declared::Parameter;
  scope.bindings[name.text] = std::move(binding);
}

/// The sizes that a parameter's type would bind.
void Survey::bindSizes(const ast::TypeRef &type, Scope &scope) {
  for (const ast::Dim &dim : type.dims) {
    if (!dim.size || dim.size->kind != ast::ExprKind::Name || dim.size->text == "batch") continue;
    Binding *known = scope.find(dim.size->text);
    if (!known || known->declared == Declared::Library)
      bindUnknown({dim.size->text, dim.size->span}, scope);
  }
  for (const ast::Param &field : type.fields)
    if (field.type) bindSizes(*field.type, scope);
  for (const ast::TypeRefPtr &operand : type.operands)
    bindSizes(*operand, scope);
}

void Survey::bind(const std::vector<ast::Param> &params, Scope &scope, const ScopePtr &inner) {
  for (const ast::Param &param : params) {
    if (param.value) evaluator.eval(*param.value, inner);
    if (param.type) bindSizes(*param.type, scope);
    bindUnknown(param.name, scope);
  }
}

void Survey::function(const ast::Function &function, const ScopePtr &outer) {
  if (evaluator.followed.count(&function.body)) return;
  ContextScope saved(evaluator);
  evaluator.context.functionDepth++;
  for (bool training : {true, false}) {
    evaluator.context.training = training;
    ScopePtr inner = evaluator.makeScope(outer);
    bind(function.params, *inner, inner);
    evaluator.evalBlock(function.body, inner);
  }
}

void Survey::model(const ast::Model &model, const ScopePtr &outer) {
  if (evaluator.followed.count(&model)) return;
  InstanceObject instance;
  instance.declaration = &model;
  instance.scope = evaluator.makeScope(outer);
  instance.path = model.name.text;
  instance.text = model.name.text;
  instance.createdAt = model.name.span;
  ContextScope saved(evaluator);
  evaluator.context.isInRun = true;
  evaluator.context.path = model.name.text;
  bind(model.params, *instance.scope, instance.scope);
  for (const ast::Member &member : model.members)
    evaluator.addMember(member, instance.scope, instance);
  for (const ast::Member &member : model.members)
    if (member.kind == ast::Member::Fn) function(*member.function, instance.scope);
  evaluator.observer->scope(*instance.scope);
}

void Survey::optimizer(const ast::Optimizer &optimizer, const ScopePtr &outer) {
  if (evaluator.followed.count(&optimizer)) return;
  ScopePtr inner = evaluator.makeScope(outer);
  bind(optimizer.params, *inner, inner);
  bindUnknown(optimizer.target.name, *inner);
  if (optimizer.target.type) bindSizes(*optimizer.target.type, *inner);
  for (const ast::Member &member : optimizer.members) {
    if (member.kind == ast::Member::StoredValue) bindUnknown(member.stored->name, *inner);
    if (member.kind == ast::Member::Let)
      evaluator.bind(member.statement->pattern, evaluator.eval(*member.statement->value, inner),
                     member.statement->value->span, *inner, Declared::Let);
  }
  for (const ast::Member &member : optimizer.members) {
    if (member.kind != ast::Member::Fn || evaluator.followed.count(&member.function->body))
      continue;
    std::map<std::string, Value> next;
    for (const ast::Member &each : optimizer.members)
      if (each.kind == ast::Member::StoredValue) next[each.stored->name.text] = Value::none();
    ContextScope saved(evaluator);
    evaluator.context.next = &next;
    ScopePtr body = evaluator.makeScope(inner);
    bind(member.function->params, *body, body);
    evaluator.evalBlock(member.function->body, body);
  }
}

void Survey::items(const std::vector<ast::Item> &items, const ScopePtr &scope) {
  for (const ast::Item &item : items) {
    if (item.function) function(*item.function, scope);
    this->items(item.items, scope);
  }
}

void Survey::file(const ast::File &file, const ScopePtr &scope) {
  for (const ast::Function &each : file.functions)
    function(each, scope);
  for (const ast::Model &each : file.models)
    model(each, scope);
  for (const ast::Optimizer &each : file.optimizers)
    optimizer(each, scope);
}

} // namespace dlm::sema
