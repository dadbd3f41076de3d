// Blocks and their statements, and `if`, whose branches are blocks.
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/evaluate/Evaluator.h"

namespace dlm::sema {

void Evaluator::declare(Scope &scope, const ast::Name &name, Binding binding) {
  binding.span = name.span;
  Binding *hidden = scope.find(name.text);
  if (hidden && hidden->value.is(ValueKind::Train)) hidden = nullptr; // seen by `trained` only
  bool isHere = scope.bindings.count(name.text) != 0;
  bool mayHide = binding.declared == Declared::Parameter && !isHere;
  if (hidden && !mayHide && name.text != "_" && hidden->declared != Declared::Library &&
      (isHere || hidden->declared != Declared::Module)) {
    Report message(report, Kind::DuplicateName, name.span, "`" + name.text + "` is declared twice");
    message.note(hidden->span, "it is declared here first");
    if (binding.declared == Declared::Let)
      message.help("values never change: give the new one a name of its own, such as `" +
                   name.text + "2`");
    if (isHere) return;
  }
  scope.bindings[name.text] = std::move(binding);
}

/// What each name of a tuple's pattern stands for.
std::vector<Value> Evaluator::partsOf(const ast::Pattern &pattern, const Value &value,
                                      Span valueSpan) {
  bool isRecord = value.is(ValueKind::Record), isList = value.is(ValueKind::List);
  size_t count = isRecord ? value.asRecord().fields.size() : isList ? value.asList().size() : 0;
  bool fits = (isRecord || isList) && count == pattern.names.size();
  if (!fits && !value.isPoison()) {
    std::string has = isRecord || isList ? "has " + std::to_string(count) + " elements"
                                         : "is " + value.describe();
    report(Kind::PatternMismatch, pattern.span,
           "the pattern has " + std::to_string(pattern.names.size()) + " names, and the value " +
               has)
        .secondary(valueSpan, "the value");
  }
  std::vector<Value> parts(pattern.names.size());
  for (size_t i = 0; fits && i < parts.size(); ++i)
    parts[i] = isRecord ? value.asRecord().fields[i].second : value.asList()[i];
  return parts;
}

void Evaluator::bind(const ast::Pattern &pattern, const Value &value, Span valueSpan, Scope &scope,
                     Declared declared) {
  std::vector<Value> parts =
      pattern.isTuple ? partsOf(pattern, value, valueSpan) : std::vector<Value>{value};
  for (size_t i = 0; i < parts.size(); ++i) {
    Binding binding;
    binding.value = std::move(parts[i]);
    binding.declared = declared;
    if (!pattern.isTuple && declared == Declared::Let) binding.written = valueSpan;
    declare(scope, pattern.names[i], std::move(binding));
  }
}

/// A statement that computes something for nobody.
static void warnOfUnused(Reporter &report, const ast::Expr &expr, const Value &value) {
  if (value.isPoison() || value.is(ValueKind::None) || expr.kind == ast::ExprKind::If) return;
  report(Kind::UnusedValue, expr.span, "this value is not used")
      .withoutLibrary()
      .help("name it with `let` and use it, or leave it out: a block has the value of its last "
            "expression");
}

Value Evaluator::evalBlock(const ast::Block &block, const ScopePtr &outer) {
  if (observer) followed.insert(&block);
  ScopePtr scope = makeScope(outer);
  Value last;
  bool hasValue = false;
  for (const ast::Stmt &statement : block.statements) {
    hasValue = statement.kind == ast::StmtKind::Expr;
    switch (statement.kind) {
    case ast::StmtKind::Expr:
      last = eval(*statement.value, scope);
      if (&statement != &block.statements.back()) warnOfUnused(report, *statement.value, last);
      break;
    case ast::StmtKind::Require:
      if (evalRequire(statement, scope).isPoison()) return Value(); // what follows relies on it
      break;
    case ast::StmtKind::Next:
      evalNext(statement, scope);
      break;
    case ast::StmtKind::Expect:
      evalExpect(statement, scope);
      break;
    case ast::StmtKind::Let: {
      ContextScope saved(*this);
      if (context.isInRun) enterPath(statement.pattern.names[0].text);
      Operand operand = evalOperand(*statement.value, scope);
      if (statement.type)
        operand.value = conform(*statement.type, operand, scope,
                                "`" + statement.pattern.names[0].text + "`", false);
      if (reportNoTuple(*this, statement, operand, *scope)) operand.value = Value();
      bind(statement.pattern, operand.value, statement.value->span, *scope, Declared::Let);
      break;
    }
    }
  }
  if (observer) observer->scope(*outer), observer->scope(*scope);
  bool isOfTest = context.test && context.functionDepth == 0;
  if (hasValue || isOfTest) return hasValue ? last : Value::none();
  Span end = block.statements.empty() ? block.span : block.statements.back().span;
  report(Kind::NoValue, end, "the block ends without a value")
      .help("end it with an expression; its value is the value of the block");
  return Value();
}

Value Evaluator::evalIf(const ast::Expr &expr, const ScopePtr &scope) {
  std::optional<bool> condition =
      needBool(evalOperand(*expr.operands[0], scope), "the condition of `if`");
  if (!condition) return Value();
  if (*condition) return evalBlock(*expr.body, scope);
  if (expr.elseBody) return evalBlock(*expr.elseBody, scope);
  if (expr.operands.size() > 1) return eval(*expr.operands[1], scope);
  openIf = &expr;
  return Value::none();
}

} // namespace dlm::sema
