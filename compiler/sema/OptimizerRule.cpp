// The rule of an optimizer, followed once for one flat tensor that stands for all parameters.
// That is right as long as the rule works element by element, which is checked here.
#include "compiler/sema/Shapes.h"
#include "compiler/sema/TrainBlock.h"

#include <algorithm>

namespace dlm::sema {

namespace {

TensorType flatType() { return {DType::F32, {flatDim()}}; }

/// The number a state starts with; nothing if it was reported.
std::optional<double> stateInit(Evaluator &evaluator, const ast::Stored &state,
                                const ScopePtr &scope) {
  if (!state.init) {
    evaluator.report(Kind::MissingInit, state.span,
                     "the state `" + state.name.text + "` has no initial value");
    return std::nullopt;
  }
  Operand operand = evaluator.evalOperand(*state.init, scope);
  if (operand.value.is(ValueKind::BuiltinFunction))
    operand.value = evaluator.call(operand, {}, scope, operand.span);
  const Value &value = operand.value;
  if (value.is(ValueKind::Number)) return value.asNumber().toReal();
  if (value.is(ValueKind::Initialiser) && value.asInitialiser().name == "constant")
    return value.asInitialiser().first;
  if (!value.isPoison())
    evaluator.notYet(operand.span, "a state that does not start with a number");
  return std::nullopt;
}

const ast::Function *findUpdate(const ast::Optimizer &declaration) {
  for (const ast::Member &member : declaration.members)
    if (member.kind == ast::Member::Fn && member.function->name.text == "update")
      return member.function.get();
  return nullptr;
}

} // namespace

void TrainBlock::addStates(const ast::Optimizer &declaration, const ScopePtr &inner,
                           OptimizerRule &rule) {
  for (const ast::Member &member : declaration.members) {
    if (member.kind == ast::Member::Fn) continue;
    if (member.kind == ast::Member::Let) {
      Value value = evaluator.eval(*member.statement->value, inner);
      evaluator.bind(member.statement->pattern, value, member.span, *inner, Declared::Let);
      continue;
    }
    if (member.kind == ast::Member::Require) {
      evaluator.evalRequire(*member.statement, inner);
      continue;
    }
    const ast::Stored &state = *member.stored;
    Operand operand;
    operand.value = Value::tensor(
        evaluator.tensors.leaf("state", state.name.text, flatType(), state.name.span));
    operand.span = state.span;
    bool isFlat = std::any_of(state.type->dims.begin(), state.type->dims.end(),
                              [](const ast::Dim &dim) { return dim.isEllipsis || dim.size; });
    if (!isFlat)
      evaluator.notYet(state.type->span, "a state that is not of the parameter's shape");
    else
      operand.value = evaluator.conform(*state.type, operand, inner, "the state", false);
    std::optional<double> init = stateInit(evaluator, state, inner);
    rule.states.push_back({state.name.text, init.value_or(0)});
    Binding binding;
    binding.value = operand.value;
    binding.declared = Declared::Stored;
    evaluator.declare(*inner, state.name, std::move(binding));
  }
}

OptimizerRule TrainBlock::checkOptimizer(const Operand &operand) {
  const OptimizerObject &object = operand.value.asOptimizer();
  const ast::Optimizer &declaration = *object.declaration;
  OptimizerRule rule;
  rule.name = declaration.name.text;
  rule.span = operand.span;
  size_t fixed =
      std::count_if(declaration.target.type->dims.begin(), declaration.target.type->dims.end(),
                    [](const ast::Dim &dim) { return !dim.isEllipsis; });
  if (fixed > 1) {
    evaluator.notYet(operand.span, "an optimizer for matrices, such as `" + rule.name + "`,");
    return rule;
  }
  FrameScope frame(report, {object.text, operand.span, object.createdAt, &declaration, nullptr});
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  ScopePtr inner = evaluator.makeScope(object.scope);
  Binding target;
  target.declared = Declared::Parameter;
  target.value =
      Value::tensor(evaluator.tensors.leaf("target", "", flatType(), declaration.target.name.span));
  target.value =
      evaluator.conform(*declaration.target.type, {target.value, nullptr, declaration.target.span},
                        inner, "the parameter", true);
  evaluator.declare(*inner, declaration.target.name, std::move(target));
  addStates(declaration, inner, rule);
  const ast::Function *update = findUpdate(declaration);
  if (!update) {
    report(Kind::MissingUpdate, declaration.name.span, "`" + rule.name + "` has no `fn update(g)`");
    return rule;
  }
  std::map<std::string, Value> next;
  for (const OptimizerState &state : rule.states)
    next[state.name] = Value::none();
  evaluator.context.next = &next;
  Operand gradient;
  gradient.value = Value::tensor(evaluator.tensors.leaf("gradient", "", flatType(), update->span));
  gradient.span = update->span;
  FunctionObject function = evaluator.makeFunction(*update, inner).asFunction();
  Value value = evaluator.callFunction(function, {{"", {}, gradient, true}}, inner, operand.span);
  auto addResult = [&](const std::string &name, const Value &result) {
    std::optional<Tensor> tensor;
    if (result.is(ValueKind::Tensor)) tensor = result.asTensor();
    bool fits = tensor && tensor->type.dtype == DType::F32 && tensor->type.dims.size() <= 1;
    if (fits)
      graph.graph().results.emplace_back(
          name, evaluator.tensors.use(evaluator.tensors.stretch(*tensor, {flatDim()})));
    else if (!result.isPoison())
      report(Kind::ResultType, update->name.span,
             "`update` gives `" + name + "` " + result.describe());
  };
  addResult("target", value);
  for (const OptimizerState &state : rule.states) {
    Value &after = next[state.name];
    if (after.is(ValueKind::None))
      after = Value::tensor(evaluator.tensors.leaf("state", state.name, flatType(), update->span));
    addResult(state.name, after);
  }
  (*graph).prune();
  checkPointwise(graph.graph(), declaration);
  rule.update = std::move(graph.graph());
  return rule;
}

void TrainBlock::checkPointwise(const Graph &graph, const ast::Optimizer &declaration) {
  static const std::set<std::string> others = {
      "reduce", "batch_reduce", "reshape", "transpose",    "matmul",
      "argmax", "iota",         "random",  "sample_count", "input"};
  for (const Node &node : graph.nodes) {
    if (!others.count(node.op)) continue;
    evaluator.notYet(node.span, "an optimizer that looks at more than one element at a time");
    return;
  }
}

} // namespace dlm::sema
