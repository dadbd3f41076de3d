// Calls: matching arguments to parameters, and what can be called.
#include "compiler/sema/evaluate/CallAdvice.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/NamePlaces.h"
#include "compiler/sema/modules/ForeignMembers.h"
#include "compiler/sema/modules/ForeignNames.h"
#include "compiler/sema/modules/NameAdvice.h"

#include <algorithm>

namespace dlm::sema {

bool BuiltinCall::has(size_t index) const {
  if (index >= arguments.size()) return false;
  return arguments[index].expr || !arguments[index].value.isPoison();
}

const Operand *BuiltinCall::find(const std::string &parameter) const {
  const std::vector<std::string> &names = builtin.signature.names;
  size_t index = size_t(std::find(names.begin(), names.end(), parameter) - names.begin());
  return has(index) ? &arguments[index] : nullptr;
}

SignatureNames::SignatureNames(const char *text) : text(text) {
  std::string word;
  bool isChoice = false;
  auto finish = [&] {
    if (word.empty()) return;
    if (word.back() == '*') {
      bool isNamed = word.size() > 2 && word[word.size() - 2] == '*';
      (isNamed ? takesNamed : takesPositional) = true;
    } else if (isChoice) {
      choices.back().push_back(word);
    } else {
      bool mayLack = word.back() == '?';
      if (mayLack) word.pop_back();
      names.push_back(word);
      isOptional.push_back(mayLack);
      choices.emplace_back();
    }
    word.clear();
  };
  for (const char *c = text; *c; ++c) {
    bool isEnd = *c == ',' || *c == '=' || *c == '|';
    if (isEnd)
      finish();
    else if (*c != ' ')
      word += *c;
    if (isEnd) isChoice = *c != ',';
  }
  finish();
}

std::vector<CallArgument> Evaluator::argumentsOf(const ast::Expr &call) {
  std::vector<CallArgument> result;
  for (const ast::Argument &argument : call.arguments)
    result.push_back({argument.name.text,
                      argument.name.span,
                      {Value(), argument.value.get(), argument.value->span},
                      false});
  return result;
}

static void reportOrder(Evaluator &evaluator, const Signature &signature,
                        const CallArgument &before, const CallArgument &argument, size_t position,
                        const std::vector<int> &given) {
  while (position < given.size() && given[position] >= 0)
    ++position;
  bool isFree = position < given.size();
  Report message(evaluator.report, Kind::ArgumentOrder, argument.operand.span,
                 "a positional argument stands behind a named one");
  adviseOrder(evaluator, message, before.operand, argument.operand,
              isFree ? signature.names[position] : "");
}

/// For each parameter the number of its argument, or -1. Nothing if something was reported.
std::optional<std::vector<int>> Evaluator::match(const Signature &signature,
                                                 const std::vector<CallArgument> &arguments,
                                                 Span span) {
  if (observer) observer->call(signature, arguments);
  std::vector<int> result(signature.names.size(), -1);
  bool isFine = true, sawNamed = false, isInOrder = true;
  size_t position = 0;
  NamePlaces places(signature.names);
  auto fault = [&](Kind kind, Span at, const std::string &text) {
    isFine = false;
    return Report(report, kind, at, text);
  };
  for (size_t i = 0; i < arguments.size(); ++i) {
    const CallArgument &argument = arguments[i];
    size_t parameter = position;
    if (argument.name.empty()) {
      if (sawNamed) {
        if (isInOrder) reportOrder(*this, signature, arguments[i - 1], argument, position, result);
        isInOrder = isFine = false;
      } else if (position++ >= result.size())
        fault(Kind::ExtraArgument, argument.operand.span,
              "`" + signature.callee + "` takes " + std::to_string(result.size()) + " argument" +
                  (result.size() == 1 ? "" : "s"))
            .help(result.empty()       ? "it has no parameters"
                  : result.size() == 1 ? "its parameter is " + joinNames(signature.names)
                                       : "its parameters are " + joinNames(signature.names));
      if (!isFine) continue;
    } else {
      sawNamed = true;
      parameter = places.find(argument.name);
      if (parameter == result.size()) {
        parameter = places.find(reportUnknownArgument(*this, signature, argument));
        if (parameter == result.size() || result[parameter] >= 0) {
          isFine = false;
          continue;
        }
      }
    }
    if (result[parameter] >= 0)
      fault(Kind::DuplicateArgument, argument.operand.span,
            "`" + signature.names[parameter] + "` is given twice")
          .secondary(arguments[result[parameter]].operand.span, "given here first");
    result[parameter] = int(i);
  }
  bool lacksAny = false;
  for (size_t i = 0; i < result.size(); ++i)
    lacksAny |= result[i] < 0 && !signature.isOptional[i];
  if (isFine && lacksAny) {
    reportMissing(*this, signature, arguments, result, span);
    return std::nullopt;
  }
  if (!isFine) return std::nullopt;
  return result;
}

Value Evaluator::call(const Operand &callee, std::vector<CallArgument> arguments,
                      const ScopePtr &scope, Span span) {
  const Value &value = callee.value;
  switch (value.kind()) {
  case ValueKind::Poison:
    if (observer) evalUnheard(std::move(arguments), scope);
    return Value();
  case ValueKind::BuiltinFunction:
    return callBuiltin(callee, std::move(arguments), scope, span);
  case ValueKind::Function:
    return callFunction(value.asFunction(), std::move(arguments), scope, span);
  case ValueKind::ModelType:
    return instantiate(value.asModelType(), std::move(arguments), scope, span);
  case ValueKind::OptimizerType: {
    std::optional<FreeGraphScope> graph; // a test may ask for several steps of one schedule
    if (context.test) graph.emplace(tensors);
    return makeOptimizer(value.asOptimizer(), std::move(arguments), scope, span);
  }
  case ValueKind::Marked:
    return callMarked(value.asMarked(), callee, std::move(arguments), scope, span);
  case ValueKind::List:
    return applyList(callee, std::move(arguments), scope, span);
  case ValueKind::Instance: {
    const InstanceObject &instance = value.asInstance();
    if (instance.marker >= 0) {
      InstanceObject plain = instance;
      plain.marker = -1;
      Value inner = Value::instance(std::make_shared<InstanceObject>(plain));
      return callMarked({std::make_shared<const Value>(inner), 0, instance.marker}, callee,
                        std::move(arguments), scope, span);
    }
    auto forward = instance.scope->bindings.find("forward");
    if (forward != instance.scope->bindings.end() && forward->second.value.is(ValueKind::Function))
      return callFunction(forward->second.value.asFunction(), std::move(arguments), scope, span);
    bool isWrong = forward != instance.scope->bindings.end() && forward->second.value.isPoison();
    if (isWrong) return Value();
    Report message(report, Kind::NotCallable, callee.span,
                   "`" + instance.declaration->name.text + "` has no `forward`");
    adviseNoForward(message, instance);
    return Value();
  }
  default:
    break;
  }
  Report message(report, Kind::NotCallable, callee.span, value.describe() + " cannot be called");
  if (value.is(ValueKind::Module)) {
    std::vector<std::string> names;
    for (const auto &entry : value.asModule().scope->bindings)
      if (names.size() < 6) names.push_back(value.asModule().name + "." + entry.first);
    message.help("call one of its functions: " + joinNames(names, "or"));
  }
  adviseNotCallable(*this, message, callee, arguments, span);
  return Value();
}

/// The word that was chosen of those a parameter offers.
Value Evaluator::choose(const Operand &operand, const std::string &parameter,
                        const std::vector<std::string> &words) {
  bool isName = operand.expr && operand.expr->kind == ast::ExprKind::Name;
  std::string word = isName ? operand.expr->text : "";
  if (std::count(words.begin(), words.end(), word)) return Value::string(word);
  Report message(report, Kind::TypeMismatch, operand.span,
                 "`" + parameter + "` is " + joinNames(words, "or") + ", and this is not");
  message.nearest("a choice", word, operand.span, words);
  return Value();
}

/// Takes the arguments out that are for `xs*` and `sizes**`, evaluated.
void Evaluator::collectFurther(const SignatureNames &names, std::vector<CallArgument> &arguments,
                               const ScopePtr &scope, BuiltinCall &call) {
  std::vector<CallArgument> rest;
  for (CallArgument &argument : arguments) {
    bool isParameter = std::count(names.names.begin(), names.names.end(), argument.name) > 0;
    bool isTaken = argument.name.empty() ? names.takesPositional : names.takesNamed && !isParameter;
    if (!isTaken) {
      rest.push_back(std::move(argument));
      continue;
    }
    if (!argument.isEvaluated) argument.operand = evalOperand(*argument.operand.expr, scope);
    if (argument.name.empty())
      call.positional.push_back(argument.operand);
    else
      call.named.push_back({argument.name, argument.nameSpan, argument.operand});
  }
  arguments = std::move(rest);
}

/// Whether an argument is `none`, or what that is called elsewhere.
static bool isNone(const CallArgument &argument, const ScopePtr &scope) {
  const ast::Expr *expr = argument.operand.expr;
  if (argument.isEvaluated || !expr) return false;
  bool isForeign = expr->kind == ast::ExprKind::Name && nameHere(expr->text) == "none";
  return expr->kind == ast::ExprKind::None || (isForeign && !scope->find(expr->text));
}

Value Evaluator::callBuiltin(const Operand &callee, std::vector<CallArgument> arguments,
                             const ScopePtr &scope, Span span) {
  const Builtin &builtin = callee.value.asBuiltin();
  const SignatureNames &names = builtin.signature;
  Signature signature = {builtin.name, names.names, names.isOptional, {}};
  BuiltinCall call = {builtin, span, scope, {}, callee.value.receiver(), {}, {}};
  if (names.takesPositional || names.takesNamed) collectFurther(names, arguments, scope, call);
  std::optional<std::vector<int>> matched = match(signature, arguments, span);
  if (!matched) return Value();
  bool isPoison = false;
  for (const Operand &operand : call.positional)
    isPoison |= operand.value.isPoison();
  for (const NamedOperand &argument : call.named)
    isPoison |= argument.operand.value.isPoison();
  for (size_t i = 0; i < matched->size(); ++i) {
    if ((*matched)[i] < 0) {
      call.arguments.push_back({});
      continue;
    }
    CallArgument &argument = arguments[(*matched)[i]];
    bool isLazy = names.names[i] == "over";
    if (names.isOptional[i] && names.names[i] != "where" && isNone(argument, scope)) {
      std::string parameter = names.names[i], given(sources.text(argument.operand.span));
      report(Kind::TypeMismatch, argument.operand.span,
             "`" + parameter + "` of `" + builtin.name + "` is left out, not `" + given + "`")
          .help("leave `" + parameter + "` out");
      return Value();
    }
    if (!names.choices[i].empty())
      argument.operand.value = choose(argument.operand, names.names[i], names.choices[i]);
    else if (!argument.isEvaluated && !isLazy)
      argument.operand = evalOperand(*argument.operand.expr, scope);
    isPoison |= !isLazy && argument.operand.value.isPoison();
    call.arguments.push_back(argument.operand);
  }
  if (isPoison) return Value();
  tensors.span = span;
  return builtin.run(*this, call);
}

/// A list of models or functions is their composition.
Value Evaluator::applyList(const Operand &callee, std::vector<CallArgument> arguments,
                           const ScopePtr &scope, Span span) {
  const std::vector<Value> &items = callee.value.asList();
  if (items.empty()) {
    report(Kind::NotCallable, callee.span, "an empty list cannot be called");
    return Value();
  }
  Value result;
  for (const Value &item : items) {
    if (!spend(1, span)) return Value();
    result = call({item, callee.expr, callee.span}, std::move(arguments), scope, span);
    arguments.clear();
    arguments.push_back({"", {}, {result, callee.expr, span}, true});
    if (result.isPoison()) return Value();
  }
  return result;
}

} // namespace dlm::sema
