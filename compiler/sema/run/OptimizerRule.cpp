// The pattern is compared first, as its mismatch is the user's most likely mistake; then the
// members are evaluated in order, with the names of sizes that the pattern has bound.
#include "compiler/sema/run/OptimizerRule.h"

#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/tensor/Initialise.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace dlm::sema {

namespace {

const ast::Function *findUpdate(const ast::Optimizer &declaration) {
  for (const ast::Member &member : declaration.members)
    if (member.kind == ast::Member::Fn && member.function->name.text == "update")
      return member.function.get();
  return nullptr;
}

/// Whether `next NAME` stands somewhere in the text of an optimizer. Which branch has it does not
/// matter: `if momentum > 0 { next v = ... }` is no reason to warn.
bool mayChange(std::string_view text, const std::string &state) {
  auto isPart = [&](size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  for (size_t at = text.find("next"); at != text.npos; at = text.find("next", at + 4)) {
    size_t name = text.find_first_not_of(" \t\r\n", at + 4);
    bool isWord = (at == 0 || !isPart(at - 1)) && name > at + 4;
    if (isWord && text.compare(name, state.size(), state) == 0 && !isPart(name + state.size()))
      return true;
  }
  return false;
}

bool readsTarget(const Graph &init) {
  return findNode(init, [](const Node &node) { return node.op == "target"; });
}

} // namespace

RuleFollower::RuleFollower(Evaluator &evaluator, const Operand &optimizer,
                           const Parameter *parameter)
    : evaluator(evaluator), report(evaluator.report), operand(optimizer),
      object(optimizer.value.asOptimizer()), declaration(*object.declaration),
      parameter(parameter) {
  rule.name = declaration.name.text;
  rule.span = operand.span;
}

std::optional<OptimizerRule> RuleFollower::follow(const TensorType &type) {
  if (!matchesPattern(type)) return std::nullopt;
  unsigned errors = report.diagnostics.errorCount();
  FrameScope frame(report, {object.text, operand.span, object.createdAt, &declaration, nullptr});
  GraphScope graph(evaluator.tensors);
  ContextScope saved(evaluator);
  inner = evaluator.makeScope(object.scope);
  Binding bound;
  bound.declared = Declared::Parameter;
  bound.value = target(type);
  if (bound.value.isPoison()) return std::nullopt;
  evaluator.declare(*inner, declaration.target.name, std::move(bound));
  addMembers();
  const ast::Function *update = findUpdate(declaration);
  if (!update) {
    report(Kind::MissingUpdate, declaration.name.span, "`" + rule.name + "` has no `fn update(g)`");
    return std::nullopt;
  }
  followUpdate(*update, type, *graph);
  if (errors != report.diagnostics.errorCount()) return std::nullopt;
  warnOfUnchanged();
  (*graph).prune();
  rule.update = std::move(graph.graph());
  followRate();
  return std::move(rule);
}

/// What the run reports as the learning rate.
void RuleFollower::followRate() {
  Binding *bound = object.scope->find("lr");
  if (!bound) return;
  GraphScope graph(evaluator.tensors);
  TensorWriter &tensors = evaluator.tensors;
  std::optional<Tensor> rate;
  if (bound->value.is(ValueKind::Number))
    rate = tensors.constant(bound->value.asNumber().toReal(), DType::F32);
  else if (bound->value.is(ValueKind::Tensor))
    rate = bound->value.asTensor();
  if (!rate || !rate->type.dims.empty() || rate->type.dtype != DType::F32) return;
  graph.graph().results.emplace_back("lr", tensors.use(*rate));
  (*graph).prune();
  rule.rate = std::move(graph.graph());
}

/// The pattern `T` of `for p: T` says which shapes the rule takes.
bool RuleFollower::matchesPattern(const TensorType &type) {
  const std::vector<ast::Dim> &dims = declaration.target.type->dims;
  size_t ellipses = size_t(
      std::count_if(dims.begin(), dims.end(), [](const ast::Dim &dim) { return dim.isEllipsis; }));
  size_t fixed = dims.size() - ellipses, rank = type.dims.size();
  bool fits = ellipses ? rank >= fixed : rank == fixed;
  if (fits || !parameter) {
    ellipsis.assign(type.dims.begin(), type.dims.begin() + int64_t(rank - std::min(fixed, rank)));
    return true;
  }
  std::string pattern(evaluator.sources.text(declaration.target.type->span));
  Report message(report, Kind::ShapeMismatch, operand.span,
                 "`" + rule.name + "` takes parameters of `" + pattern + "`, and `" +
                     parameter->path + "` is `" + typeText(type) + "`");
  Span place = evaluator.program.parameterPlaces[parameter->path];
  if (place.isValid()) message.note(place, "the parameter is made here");
  if (!report.libraryFiles.count(declaration.name.span.file))
    message.note(declaration.target.type->span, "the pattern of `" + rule.name + "`");
  message.help("`fn optimizer(p)` chooses by parameter: `if p.rank == " + std::to_string(fixed) +
               " { " + rule.name + "(...) } else { ... }`");
  return false;
}

Value RuleFollower::target(const TensorType &type) {
  const ast::Param &declared = declaration.target;
  Value value = Value::tensor(evaluator.tensors.leaf("target", "", type, declared.name.span));
  Operand leaf = {value, nullptr, parameter ? operand.span : declared.span};
  std::string what = parameter ? "`" + parameter->path + "`" : "the parameter";
  return evaluator.conform(*declared.type, leaf, inner, what, true);
}

bool RuleFollower::addMembers() {
  bool isFine = true;
  for (const ast::Member &member : declaration.members) {
    if (member.kind == ast::Member::Let) {
      Value value = evaluator.eval(*member.statement->value, inner);
      evaluator.bind(member.statement->pattern, value, member.span, *inner, Declared::Let);
    } else if (member.kind == ast::Member::Require) {
      evaluator.evalRequire(*member.statement, inner);
    } else if (member.kind == ast::Member::StoredValue) {
      isFine &= addState(*member.stored);
    } else if (member.function->name.text != "update") {
      Binding binding;
      binding.value = evaluator.makeFunction(*member.function, inner);
      binding.declared = Declared::Function;
      evaluator.declare(*inner, member.function->name, std::move(binding));
    }
  }
  return isFine;
}

bool RuleFollower::addState(const ast::Stored &state) {
  std::optional<TensorType> type = stateType(*state.type);
  Binding binding;
  binding.declared = Declared::Stored;
  std::optional<Graph> init;
  if (type) {
    init = stateInit(state, *type);
    binding.value =
        Value::tensor(evaluator.tensors.leaf("state", state.name.text, *type, state.name.span));
    OptimizerState entry = {state.name.text, 0, *type, {}};
    if (init) entry.initGraph = std::move(*init);
    for (const auto &[name, node] : entry.initGraph.results)
      entry.init = entry.initGraph.nodes[node].number;
    rule.states.push_back(std::move(entry));
  }
  evaluator.declare(*inner, state.name, std::move(binding));
  return init.has_value();
}

/// A state that keeps what the parameter was at first is meant to stay so.
void RuleFollower::warnOfUnchanged() {
  std::string_view text = evaluator.sources.text(declaration.span);
  for (const ast::Member &member : declaration.members) {
    if (member.kind != ast::Member::StoredValue) continue;
    const ast::Name &name = member.stored->name;
    bool isMeant = std::any_of(rule.states.begin(), rule.states.end(), [&](const auto &state) {
      return state.name == name.text && readsTarget(state.initGraph);
    });
    if (isMeant || mayChange(text, name.text)) continue;
    report(Kind::UnchangedBuffer, name.span,
           "nothing changes the state `" + name.text + "`, so it stays as it starts")
        .help("`next " + name.text +
              " = ...` in `update` gives it a value; what never changes is a `let`");
  }
}

std::optional<TensorType> RuleFollower::stateType(const ast::TypeRef &type) {
  std::optional<DType> dtype = findDType(type.text);
  if (type.kind != ast::TypeRef::Named || !dtype) {
    report(Kind::UnknownType, type.span,
           "`" + std::string(evaluator.sources.text(type.span)) + "` is not the type of a state");
    return std::nullopt;
  }
  TensorType result{*dtype, {}};
  for (const ast::Dim &dim : type.dims) {
    if (dim.isEllipsis) {
      result.dims.insert(result.dims.end(), ellipsis.begin(), ellipsis.end());
      continue;
    }
    std::optional<Dim> size = evaluator.evalDim(*dim.size, inner);
    if (!size) return std::nullopt;
    result.dims.push_back(*size);
  }
  return result;
}

std::optional<Graph> RuleFollower::stateInit(const ast::Stored &state, const TensorType &type) {
  if (!state.init) {
    report(Kind::MissingInit, state.span,
           "the state `" + state.name.text + "` has no initial value");
    return std::nullopt;
  }
  GraphScope graph(evaluator.tensors);
  TensorWriter &tensors = evaluator.tensors;
  ScopePtr before = evaluator.makeScope(inner);
  Binding target;
  target.declared = Declared::Parameter;
  if (Binding *known = inner->find(declaration.target.name.text))
    if (known->value.is(ValueKind::Tensor))
      target.value = Value::tensor(
          tensors.leaf("target", "", known->value.asTensor().type, declaration.target.name.span));
  before->bindings[declaration.target.name.text] = std::move(target);
  Operand start = evaluator.evalOperand(*state.init, before);
  if (start.value.is(ValueKind::BuiltinFunction))
    start.value = evaluator.call(start, {}, before, start.span);
  const Value &value = start.value;
  if (value.isPoison()) return std::nullopt;
  tensors.span = start.span;
  std::optional<Tensor> tensor;
  if (value.is(ValueKind::Number))
    tensor = tensors.constant(value.asNumber().toReal(), type.dtype, type.dims);
  else if (value.is(ValueKind::Initialiser) && type.dtype == DType::F32)
    tensor = initialise(tensors, value.asInitialiser(), type.dims);
  else if (value.is(ValueKind::Tensor) && value.asTensor().type.dtype == type.dtype &&
           sameShape(value.asTensor().type.dims, type.dims))
    tensor = value.asTensor();
  if (!tensor) {
    report(Kind::TypeMismatch, start.span,
           "the state `" + state.name.text + "` is `" + typeText(type) + "`, and starts with " +
               value.describe())
        .help("a state starts with a number, an initialiser or a tensor of its shape");
    return std::nullopt;
  }
  graph.graph().results.emplace_back("value", tensors.use(*tensor));
  (*graph).prune();
  return std::move(graph.graph());
}

bool RuleFollower::followUpdate(const ast::Function &update, const TensorType &type,
                                GraphBuilder &graph) {
  std::map<std::string, Value> next;
  for (const OptimizerState &state : rule.states)
    next[state.name] = Value::none();
  evaluator.context.next = &next;
  evaluator.context.isRule = true;
  Operand gradient;
  TensorType named = type;
  if (Binding *bound = inner->find(declaration.target.name.text))
    if (bound->value.is(ValueKind::Tensor)) named = bound->value.asTensor().type;
  gradient.value = Value::tensor(evaluator.tensors.leaf("gradient", "", named, update.span));
  gradient.span = update.span;
  FunctionObject function = evaluator.makeFunction(update, inner).asFunction();
  Value value = evaluator.callFunction(function, {{"", {}, gradient, true}}, inner, operand.span);
  bool isFine = addResult(graph, update, "target", value, type);
  for (const OptimizerState &state : rule.states) {
    Value &after = next[state.name];
    if (after.is(ValueKind::None))
      after = Value::tensor(evaluator.tensors.leaf("state", state.name, state.type, update.span));
    isFine &= addResult(graph, update, state.name, after, state.type);
  }
  return isFine;
}

bool RuleFollower::addResult(GraphBuilder &graph, const ast::Function &update,
                             const std::string &name, const Value &value, const TensorType &type) {
  if (value.isPoison()) return false;
  std::optional<Tensor> tensor;
  if (value.is(ValueKind::Tensor)) tensor = value.asTensor();
  if (value.is(ValueKind::Number))
    tensor = evaluator.tensors.constant(value.asNumber().toReal(), type.dtype);
  bool fits = tensor && tensor->type.dtype == type.dtype &&
              (tensor->type.dims.empty() || sameShape(tensor->type.dims, type.dims));
  if (!fits) {
    bool isTarget = name == "target";
    const ast::Name &target = declaration.target.name;
    report(Kind::ResultType, update.name.span,
           "`update` gives `" + (isTarget ? target.text : name) + "` " + value.describe() +
               ", and it is `" + typeText(type) + "`");
    return false;
  }
  Tensor stretched = evaluator.tensors.stretch(*tensor, type.dims);
  graph.graph.results.emplace_back(name, evaluator.tensors.use(stretched));
  return true;
}

} // namespace dlm::sema
