// Functions of the program and the library are followed at each call, with a scope of their own
// for their arguments and the dimension names that the arguments bind.
#include "compiler/sema/evaluate/Arguments.h"
#include "compiler/sema/evaluate/CallAdvice.h"
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/evaluate/NamePlaces.h"
#include "compiler/sema/tensor/DataSizes.h"
#include "compiler/sema/tensor/Probabilities.h"
#include "compiler/sema/tensor/ScalarValues.h"
#include "compiler/sema/value/DTypes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

/// Arguments as messages show them end behind this many bytes: instances hold the texts of others.
constexpr size_t argumentsShownMax = 200;

Signature signatureOf(const std::string &callee, const std::vector<ast::Param> &params,
                      Span declared) {
  Signature result;
  result.callee = callee;
  result.declared = declared;
  result.params = &params;
  for (const ast::Param &param : params) {
    result.names.push_back(param.name.text);
    result.isOptional.push_back(param.value != nullptr);
  }
  return result;
}

/// Whether a value has the element type that a parameter is declared with; true if it has none.
bool fitsDType(const ast::Param &param, const Value &value) {
  if (!param.type || !param.type->hasDims || !value.is(ValueKind::Tensor)) return true;
  std::optional<std::vector<DType>> group = findDTypeClass(param.type->text);
  DType is = value.asTensor().type.dtype;
  if (group) return std::count(group->begin(), group->end(), is) > 0;
  return findDType(param.type->text) == is;
}

/// What to say if argument `at` does not fit: that a later one would stand in its place.
std::string adviceOnOrder(const SourceManager &sources, const std::vector<ast::Param> &params,
                          const std::vector<int> &matched,
                          const std::vector<CallArgument> &arguments, size_t at,
                          const Signature &signature) {
  constexpr size_t shownMax = 60;
  const Operand &given = arguments[size_t(matched[at])].operand;
  if (fitsDType(params[at], given.value)) return "";
  for (size_t i = at + 1; i < params.size(); ++i) {
    if (matched[i] < 0 || !fitsDType(params[i], given.value)) continue;
    const Operand &other = arguments[size_t(matched[i])].operand;
    if (!other.value.is(ValueKind::Tensor) || !fitsDType(params[at], other.value)) continue;
    std::string text(sources.text(other.span));
    text += ", " + std::string(sources.text(given.span));
    bool isShort = text.size() <= shownMax && text.find('\n') == std::string::npos;
    if (!isShort) text = params[at].name.text + ", " + params[i].name.text;
    return "the arguments seem to be swapped: `" + signature.callee + "(" + text + ")`";
  }
  return "";
}

} // namespace

Value Evaluator::makeFunction(const ast::Function &function, const ScopePtr &scope) {
  FunctionObject object;
  object.name = function.name.text;
  object.params = &function.params;
  object.result = function.result.get();
  object.body = &function.body;
  object.declared = function.name.span;
  object.scope = scope;
  object.layer = tensors.layer;
  return Value::function(std::move(object));
}

/// Evaluates the arguments where the call stands.
void Evaluator::evalArguments(std::vector<CallArgument> &arguments, const ScopePtr &scope,
                              const Signature *signature) {
  static const std::vector<std::string> none;
  NamePlaces places(signature ? signature->names : none);
  for (CallArgument &argument : arguments) {
    bool isNamed = signature && !argument.name.empty();
    bool isUnknown = isNamed && places.find(argument.name) == signature->names.size() &&
                     meantArgument(*this, *signature, argument.name).certain.empty();
    if (!argument.isEvaluated && isUnknown)
      evalUnheard({argument}, scope); // there is no place for it, whatever is wrong with it
    else if (!argument.isEvaluated)
      argument.operand = evalOperand(*argument.operand.expr, scope);
    argument.isEvaluated = true;
  }
}

/// For an observer: the arguments of something that was not understood, without messages.
void Evaluator::evalUnheard(std::vector<CallArgument> arguments, const ScopePtr &scope) {
  DiagnosticEngine unheard(sources);
  DiagnosticEngine *saved = report.unheard;
  if (!saved) report.unheard = &unheard;
  evalArguments(arguments, scope);
  report.unheard = saved;
}

/// Binds evaluated arguments, checked against the declared types, in `inner`; defaults are
/// evaluated there. `text` becomes "name = value, ...".
bool Evaluator::bindParameters(const std::vector<ast::Param> &params, const Signature &signature,
                               const std::vector<CallArgument> &arguments, const ScopePtr &inner,
                               Span span, std::string &text) {
  std::optional<std::vector<int>> matched = match(signature, arguments, span);
  if (!matched) return false;
  bool isFine = true;
  inner->pending = &params;
  for (size_t i = 0; i < params.size(); ++i) {
    const ast::Param &param = params[i];
    int index = (*matched)[i];
    Operand operand = index >= 0 ? arguments[index].operand : evalOperand(*param.value, inner);
    if (!param.type && index >= 0) operand.value = conformToDefault(*this, param, operand);
    program.hints.argument =
        index >= 0 ? adviceOnOrder(sources, params, *matched, arguments, i, signature) : "";
    if (param.type)
      operand.value = conform(*param.type, operand, inner, "`" + param.name.text + "`", true);
    program.hints.argument.clear();
    isFine &= !operand.value.isPoison();
    if (text.size() < argumentsShownMax)
      text += (text.empty() ? "" : ", ") + param.name.text + " = " + operand.value.text();
    else if (text.back() != '.')
      text += ", ...";
    Binding binding;
    binding.value = operand.value;
    binding.span = param.name.span;
    binding.declared = Declared::Parameter;
    binding.parameter = &param;
    if (index >= 0)
      binding.given = operand.span;
    else
      binding.written = param.value->span;
    inner->bindings[param.name.text] = std::move(binding);
    inner->pendingFrom = i + 1;
  }
  inner->pending = nullptr;
  return isFine;
}

namespace {

/// A schedule that falls to a floor: it should be below the peak.
void warnOfFloor(Evaluator &evaluator, Scope &schedule) {
  const Binding &peak = schedule.bindings["peak"], &floor = schedule.bindings["floor"];
  std::optional<double> from = valueSoFar(evaluator, peak.value);
  std::optional<double> to = valueSoFar(evaluator, floor.value);
  if (!from || !to || *to <= *from || !floor.given.isValid()) return;
  evaluator
      .report(Kind::HighFloor, floor.given,
              "the schedule falls to a floor of " + formatReal(*to) +
                  ", which is above its peak of " + formatReal(*from))
      .secondary(peak.given, "the peak")
      .help("`floor` is what is left at the end, such as a tenth of the peak");
}

} // namespace

Value Evaluator::callFunction(const FunctionObject &function, std::vector<CallArgument> arguments,
                              const ScopePtr &scope, Span span) {
  std::string name = function.name.empty() ? "fn" : function.name;
  if (!spend(report.frames.size() / 32, span)) return Value();
  for (const Frame &frame : report.frames) {
    if (frame.declaration != function.body || frame.scope != function.scope.get()) continue;
    report(Kind::Recursion, span, "`" + name + "` is called while it is being evaluated")
        .help("`fold` and `scan` repeat; a function that calls itself has no end here");
    return Value();
  }
  Signature signature = signatureOf(name, *function.params, function.declared);
  evalArguments(arguments, scope, &signature);
  bool isMethod = !function.instanceText.empty();
  FrameScope frame(report, {isMethod ? function.instanceText : name, span, function.createdAt,
                            function.body, function.scope.get()});
  ContextScope saved(*this);
  ScopePtr inner = makeScope(function.scope);
  std::string text;
  if (!bindParameters(*function.params, signature, arguments, inner, span, text)) return Value();
  report.frames.back().bound = inner.get();
  bool isOfLibrary = report.libraryFiles.count(function.declared.file) != 0;
  if (isOfLibrary && name == "binary_cross_entropy_with_logits")
    warnOfProbabilities(inner->bindings["logits"].value, span);
  if (isOfLibrary && (name == "cosine" || name == "wsd")) warnOfFloor(*this, *inner);
  if (isOfLibrary && name == "cross_entropy" &&
      !checkClassCount(*this, inner->bindings["logits"].value, inner->bindings["target"].value,
                       span))
    return Value();
  context.functionDepth++;
  context.call = ++callCount;
  if (isMethod) tensors.layer = function.layer;
  Value result = evalBlock(*function.body, inner);
  if (!function.result) return result;
  Span last = function.body->statements.empty() ? function.body->span
                                                : function.body->statements.back().span;
  return conform(*function.result, {result, nullptr, last}, inner, "the result of `" + name + "`",
                 false);
}

void Evaluator::warnOfProbabilities(const Value &logits, Span span) {
  if (!logits.is(ValueKind::Tensor) || !isSigmoid(tensors, logits.asTensor())) return;
  report(Kind::RepeatedSoftmax, span, "the sigmoid of a sigmoid is taken")
      .help("`binary_cross_entropy_with_logits` takes logits and has a sigmoid inside");
}

Value Evaluator::makeOptimizer(const OptimizerObject &optimizer,
                               std::vector<CallArgument> arguments, const ScopePtr &scope,
                               Span span) {
  const ast::Optimizer &declaration = *optimizer.declaration;
  Signature signature =
      signatureOf(declaration.name.text, declaration.params, declaration.name.span);
  if (observer) followed.insert(&declaration);
  ScopePtr inner = makeScope(optimizer.scope);
  dropParameters(*this, declaration.name.text, arguments);
  evalArguments(arguments, scope, &signature);
  FrameScope frame(report, {declaration.name.text, span, {}, &declaration, nullptr});
  std::string text;
  if (!bindParameters(declaration.params, signature, arguments, inner, span, text)) return Value();
  auto rate = inner->bindings.find("lr");
  bool isOfLibrary = report.libraryFiles.count(declaration.name.span.file) != 0;
  if (isOfLibrary && rate != inner->bindings.end() && rate->second.value.is(ValueKind::Number) &&
      rate->second.value.asNumber().toReal() <= 0) {
    report(Kind::SettingRange, rate->second.given,
           "the learning rate is more than zero, and this is " + rate->second.value.text());
    return Value();
  }
  return Value::optimizer({&declaration, inner, declaration.name.text + "(" + text + ")", span});
}

Value Evaluator::instantiate(const ModelObject &model, std::vector<CallArgument> arguments,
                             const ScopePtr &scope, Span span) {
  const ast::Model &declaration = *model.declaration;
  const std::string &name = declaration.name.text;
  if (context.functionDepth > 0) {
    Report message(report, Kind::ConstructorInFunction, span,
                   "`" + name + "` is made inside of a function");
    adviseInstance(*this, message, model, *scope, span);
    return Value();
  }
  if (!context.isInRun) {
    report(Kind::TopLevelInstance, span, "`" + name + "` is made outside of a train block")
        .help("make it in the `train` block that trains it");
    return Value();
  }
  for (const Frame &frame : report.frames) {
    if (frame.declaration != &declaration) continue;
    report(Kind::Recursion, span, "`" + name + "` contains itself");
    return Value();
  }
  if (observer) followed.insert(&declaration);
  constexpr size_t stepsOfInstance = 20; // it has a scope, a path and parameters
  if (!spend(stepsOfInstance, span)) return Value();
  auto instance = std::make_shared<InstanceObject>();
  instance->declaration = &declaration;
  instance->scope = makeScope(model.scope);
  instance->path = program.uniquePath(context.path.empty() ? name : context.path);
  instance->createdAt = span;
  Signature signature = signatureOf(name, declaration.params, declaration.name.span);
  evalArguments(arguments, scope, &signature);
  FrameScope frame(report, {name, span, span, nullptr, nullptr});
  std::string text;
  if (!bindParameters(declaration.params, signature, arguments, instance->scope, span, text))
    return Value();
  instance->text = name + "(" + text + ")";
  report.frames.back().text = instance->text;
  report.frames.back().declaration = &declaration;
  ContextScope saved(*this);
  tensors.layer = program.layerIndex(instance->path);
  bool isRight = true;
  for (const ast::Member &member : declaration.members) {
    if (member.kind != ast::Member::Require)
      addMember(member, instance->scope, *instance);
    else if (evalRequire(*member.statement, instance->scope).isPoison())
      isRight = false;
    if (!isRight && !observer) return Value(); // what follows relies on it
  }
  if (observer) observer->scope(*instance->scope);
  return isRight ? Value::instance(instance) : Value();
}

} // namespace dlm::sema
