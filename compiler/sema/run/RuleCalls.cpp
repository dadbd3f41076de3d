// `optimizer.update(p, g, state, step)` in a test: the rule is followed for the type of `p`, as for
// a parameter of a run, and its graph is copied into that of the test.
#include "compiler/sema/run/RuleCalls.h"

#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/run/OptimizerRule.h"
#include "compiler/sema/tensor/GraphWalk.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>
#include <map>

namespace dlm::sema {

namespace {

/// Copies the graphs of a rule to where it is called.
class RuleCall {
public:
  RuleCall(Evaluator &evaluator, const BuiltinCall &call)
      : evaluator(evaluator), report(evaluator.report), call(call),
        declaration(*call.receiver->asOptimizer().declaration) {}

  Value run();

private:
  enum Parameters { Target, Gradient, State, Step }; // of `update`

  bool readTensors();
  bool readStep();
  bool readStates(const OptimizerRule &rule);
  bool readState(const OptimizerState &state, const RecordObject *given);
  bool isReadable(const Graph &graph);
  std::map<std::string, Tensor> copy(const Graph &graph);

  Evaluator &evaluator;
  Reporter &report;
  const BuiltinCall &call;
  const ast::Optimizer &declaration;
  Tensor target, gradient;
  std::map<std::string, Tensor> states;
  int64_t step = 0;
};

/// A rule whose fault was reported at another call lacks results.
bool isComplete(const OptimizerRule &rule) {
  auto gives = [](const Graph &graph, const std::string &name) {
    return std::any_of(graph.results.begin(), graph.results.end(),
                       [&](const auto &result) { return result.first == name; });
  };
  return gives(rule.update, "target") &&
         std::all_of(rule.states.begin(), rule.states.end(), [&](const OptimizerState &state) {
           return gives(rule.update, state.name) && gives(state.initGraph, "value");
         });
}

Value RuleCall::run() {
  if (!evaluator.context.test) {
    report(Kind::MisplacedStatement, call.span, "a rule is called by the run, or in a test")
        .help("`optimizer = " + call.receiver->text() + "` in a train block makes its steps");
    return Value();
  }
  if (!readTensors() || !readStep()) return Value();
  Parameter parameter = {"p", target.type, {}, call[Target].span};
  if (call[Target].expr) parameter.path = evaluator.sources.text(call[Target].span);
  Operand optimizer = {*call.receiver, nullptr, call.receiver->asOptimizer().createdAt};
  std::optional<OptimizerRule> rule =
      RuleFollower(evaluator, optimizer, &parameter).follow(target.type);
  if (!rule || !isComplete(*rule) || !isReadable(rule->update) || !readStates(*rule))
    return Value();
  evaluator.tensors.span = call.span;
  std::map<std::string, Tensor> results = copy(rule->update);
  RecordObject after;
  after.fields.emplace_back(declaration.target.name.text, Value::tensor(results.at("target")));
  for (const OptimizerState &state : rule->states)
    after.fields.emplace_back(state.name, Value::tensor(results.at(state.name)));
  return Value::record(std::move(after));
}

bool RuleCall::readTensors() {
  std::optional<Tensor> p = evaluator.needTensor(call[Target], "the parameter");
  std::optional<Tensor> g = evaluator.needTensor(call[Gradient], "the gradient");
  if (!p || !g) return false;
  for (const auto &[tensor, index] : {std::pair(&*p, Target), {&*g, Gradient}})
    if (tensor->type.dtype != DType::F32) {
      report(Kind::DtypeMismatch, call[index].span,
             std::string(index == Target ? "a parameter" : "a gradient") +
                 " is `f32`, and this is `" + typeText(tensor->type) + "`");
      return false;
    }
  target = *p;
  gradient = *g;
  if (sameShape(target.type.dims, gradient.type.dims)) return true;
  report(Kind::ShapeMismatch, call[Gradient].span, "a gradient has the shape of its parameter")
      .label(call[Gradient].span, "is `" + typeText(gradient.type) + "`")
      .secondary(call[Target].span, "is `" + typeText(target.type) + "`");
  return false;
}

bool RuleCall::readStep() {
  if (!call.has(Step)) return true;
  std::optional<int64_t> given = evaluator.needInt(call[Step], "`step`");
  if (!given) return false;
  step = *given;
  return true;
}

/// The states before the step: those given, the others as they start.
bool RuleCall::readStates(const OptimizerRule &rule) {
  const RecordObject *given = nullptr;
  if (call.has(State)) {
    if (call[State].value.isPoison()) return false;
    if (!call[State].value.is(ValueKind::Record)) {
      report(Kind::TypeMismatch, call[State].span,
             "the state is a record, as `update` gives it, and this is " +
                 call[State].value.describe());
      return false;
    }
    given = &call[State].value.asRecord();
    std::vector<std::string> names = {declaration.target.name.text};
    for (const OptimizerState &state : rule.states)
      names.push_back(state.name);
    for (const auto &field : given->fields) {
      if (std::count(names.begin(), names.end(), field.first)) continue;
      report(Kind::UnknownState, call[State].span,
             "`" + rule.name + "` has no state `" + field.first + "`")
          .nearestOrAll("a state", field.first, {}, {names.begin() + 1, names.end()});
      return false;
    }
  }
  return std::all_of(rule.states.begin(), rule.states.end(),
                     [&](const OptimizerState &state) { return readState(state, given); });
}

bool RuleCall::readState(const OptimizerState &state, const RecordObject *given) {
  std::optional<size_t> field = given ? given->find(state.name) : std::nullopt;
  if (!field) {
    if (!isReadable(state.initGraph)) return false;
    evaluator.tensors.span = call.span;
    states[state.name] = copy(state.initGraph).at("value");
    return true;
  }
  Operand operand = {given->fields[*field].second, nullptr, call[State].span};
  std::optional<Tensor> tensor;
  if (operand.value.is(ValueKind::Number))
    tensor = evaluator.tensors.constant(operand.value.asNumber().toReal(), state.type.dtype);
  else
    tensor = evaluator.needTensor(operand, "the state `" + state.name + "`");
  if (!tensor) return false;
  bool fits = tensor->type.dtype == state.type.dtype &&
              (tensor->type.dims.empty() || sameShape(tensor->type.dims, state.type.dims));
  if (fits) {
    states[state.name] = evaluator.tensors.stretch(*tensor, state.type.dims);
    return true;
  }
  report(Kind::ShapeMismatch, call[State].span,
         "the state `" + state.name + "` is `" + typeText(state.type) + "`, and this is `" +
             typeText(tensor->type) + "`");
  return false;
}

/// What an optimizer is made with outlives the test that calls it.
bool RuleCall::isReadable(const Graph &graph) {
  bool isOwn = std::none_of(graph.nodes.begin(), graph.nodes.end(),
                            [](const Node &node) { return node.op == "capture"; });
  if (!isOwn)
    report(Kind::NotConstant, call.receiver->asOptimizer().createdAt,
           "an argument of an optimizer is known before a run, and here a test computes it")
        .help("write what it is made of, such as a schedule, in the call of the optimizer");
  return isOwn;
}

std::map<std::string, Tensor> RuleCall::copy(const Graph &graph) {
  auto isStep = [](const Node &node) {
    return node.op == "ambient" && (node.text == "step" || node.text == "updates");
  };
  std::vector<Tensor> copies;
  for (const Node &node : graph.nodes) {
    if (node.op == "target") {
      copies.push_back(target);
    } else if (node.op == "gradient") {
      copies.push_back(gradient);
    } else if (node.op == "state") {
      copies.push_back(states.at(node.text));
    } else if (isStep(node)) {
      copies.push_back(evaluator.tensors.constant(double(step), node.type.dtype));
    } else {
      Node own = node;
      own.operands.clear();
      changeInside(own, [&](Node &each) {
        if (!isStep(each)) return;
        each.op = "constant";
        each.number = double(step);
        each.text.clear();
      });
      std::vector<Tensor> operands;
      for (NodeId operand : node.operands)
        operands.push_back(copies[operand]);
      copies.push_back(evaluator.tensors.emit(std::move(own), operands));
    }
  }
  std::map<std::string, Tensor> results;
  for (const auto &[name, node] : graph.results)
    results.emplace(name, copies[node]);
  return results;
}

Value updateBy(Evaluator &evaluator, const BuiltinCall &call) {
  return RuleCall(evaluator, call).run();
}

} // namespace

std::optional<Value> optimizerMember(const Value &optimizer, const std::string &name) {
  static const Builtin update = {"update", "p, g, state?, step?", updateBy};
  if (name != update.name) return std::nullopt;
  return Value::method(update, optimizer);
}

} // namespace dlm::sema
