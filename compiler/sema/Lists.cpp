// Records, lists and comprehensions. Instances made in a list are named by their index, those in
// a record by the field.
#include "compiler/sema/Evaluator.h"

namespace dlm::sema {

Value Evaluator::evalRecord(const ast::Expr &expr, const ScopePtr &scope) {
  RecordObject record;
  for (const ast::Argument &argument : expr.arguments) {
    for (const auto &field : record.fields)
      if (!argument.name.text.empty() && field.first == argument.name.text)
        report(Kind::DuplicateName, argument.name.span,
               "the record has two fields named `" + argument.name.text + "`");
    ContextScope saved(*this);
    std::string index = std::to_string(record.fields.size());
    enterPath(argument.name.text.empty() ? index : argument.name.text);
    record.fields.emplace_back(argument.name.text, eval(*argument.value, scope));
  }
  return Value::record(std::move(record));
}

Value Evaluator::evalList(const ast::Expr &expr, const ScopePtr &scope) {
  std::vector<Value> items;
  for (const ast::Entry &entry : expr.entries) {
    if (entry.key) return notYet(expr.span, "a map `[key => value]`");
    ContextScope saved(*this);
    enterPath(std::to_string(items.size()));
    items.push_back(eval(*entry.value, scope));
  }
  return Value::list(std::move(items));
}

Value Evaluator::evalComprehension(const ast::Expr &expr, const ScopePtr &scope) {
  std::vector<Value> items;
  if (!evalClause(expr, 0, scope, items)) return Value();
  return Value::list(std::move(items));
}

/// Runs the clauses from this one on, appending the elements; false if one was not understood.
bool Evaluator::evalClause(const ast::Expr &expr, size_t clause, const ScopePtr &scope,
                           std::vector<Value> &items) {
  if (clause == expr.clauses.size()) {
    if (!expr.operands.empty()) {
      std::optional<bool> wanted =
          needBool(evalOperand(*expr.operands[0], scope), "the condition of a comprehension");
      if (!wanted) return false;
      if (!*wanted) return true;
    }
    if (items.size() >= listMax) {
      report(Kind::NumberRange, expr.span, "a list of more than a million elements");
      return false;
    }
    ContextScope saved(*this);
    enterPath(std::to_string(items.size()));
    items.push_back(eval(*expr.entries[0].value, scope));
    return true;
  }
  const ast::ForClause &here = expr.clauses[clause];
  Value list = eval(*here.list, scope);
  if (!list.is(ValueKind::List)) {
    if (!list.isPoison())
      report(Kind::TypeMismatch, here.list->span,
             "`for` goes over a list, and this is " + list.describe());
    return false;
  }
  for (const Value &item : list.asList()) {
    ScopePtr inner = makeScope(scope);
    bind(here.pattern, item, here.list->span, *inner, Declared::Parameter);
    if (!evalClause(expr, clause + 1, inner, items)) return false;
  }
  return true;
}

} // namespace dlm::sema
