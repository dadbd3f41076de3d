// `fold` and `scan`, the only loops that carry a value.
//
// Over a list, which is known when the program is compiled, a loop is unrolled: each step is
// checked by itself, so shapes may change from one to the next, and the outputs of a `scan` are a
// list. Over an axis, or a range that only a run knows, it is one loop: a `scan` node whose body is
// checked once, and outputs are a tensor. So it is for a range of known numbers with an `until`,
// which ends it early.
#include "compiler/sema/tensor/LoopState.h"
#include "compiler/sema/tensor/Subgraph.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

#include <algorithm>

namespace dlm::sema {

namespace {

enum LoopParameter { Init, Source, Body, Over, Until };

/// Beyond this many steps an unrolled loop is wrong rather than large.
constexpr size_t unrolledMax = 10'000;

/// Whether the list is what `a..b` gives.
bool isRange(const std::vector<Value> &items) {
  for (size_t i = 0; i < items.size(); ++i) {
    if (!items[i].is(ValueKind::Number) || !items[i].asNumber().isWhole()) return false;
    if (i > 0 && items[i].asNumber().numerator != items[i - 1].asNumber().numerator + 1)
      return false;
  }
  return !items.empty();
}

class Loop {
public:
  Loop(Evaluator &evaluator, const BuiltinCall &call)
      : evaluator(evaluator), tensors(evaluator.tensors), call(call),
        isScan(std::string(call.builtin.name) == "scan") {}

  Value run();

private:
  /// What a step gives, taken apart.
  struct Step {
    Operand state, output;
  };

  Value unroll(const std::vector<Value> &items);
  Value overAxis(const Tensor &source);
  Value overRange(const Value &begin, const Value &end);
  Value loop(const std::vector<Tensor> &source, int64_t axis, const TensorType &element,
             const std::optional<Dim> &steps);
  std::shared_ptr<const Graph> body(const std::vector<Tensor> &begin, const TensorType &element,
                                    std::vector<Tensor> &captured, Value &output,
                                    std::vector<TensorType> &outputs);
  Tensor argument(size_t number, const TensorType &type);
  std::optional<Step> step(const Value &state, const Value &element);
  Value endsAfter(const Value &state);
  Value reportUntil(const Value &end);
  std::optional<Tensor> bound(const Value &value);
  Span bodySpan() const { return call[Body].span; }

  Evaluator &evaluator;
  TensorWriter &tensors;
  const BuiltinCall &call;
  bool isScan;
};

Value Loop::run() {
  const Value &source = call[Source].value;
  if (call.has(Over) && !source.is(ValueKind::Tensor)) {
    evaluator.report(Kind::TypeMismatch, call[Over].span,
                     "`over` names an axis of a tensor, and the loop goes over " +
                         source.describe());
    return Value();
  }
  switch (source.kind()) {
  case ValueKind::List:
    return unroll(source.asList());
  case ValueKind::Range:
    return overRange(*source.asRange().begin, *source.asRange().end);
  case ValueKind::Tensor:
    return overAxis(source.asTensor());
  default:
    break;
  }
  evaluator.report(Kind::TypeMismatch, call[Source].span,
                   "a loop goes over a list, a range or an axis of a tensor, and this is " +
                       source.describe());
  return Value();
}

/// Calls the body. Nothing if something was reported.
std::optional<Loop::Step> Loop::step(const Value &state, const Value &element) {
  std::vector<CallArgument> arguments;
  arguments.push_back({"", {}, {state, nullptr, call[Init].span}, true});
  arguments.push_back({"", {}, {element, nullptr, call[Source].span}, true});
  Value result = evaluator.call(call[Body], std::move(arguments), call.scope, call.span);
  if (result.isPoison()) return std::nullopt;
  if (!isScan) return Step{{result, nullptr, bodySpan()}, {}};
  bool isPair = result.is(ValueKind::Record) && result.asRecord().fields.size() == 2 &&
                result.asRecord().fields[0].first.empty();
  if (isPair)
    return Step{{result.asRecord().fields[0].second, nullptr, bodySpan()},
                {result.asRecord().fields[1].second, nullptr, bodySpan()}};
  evaluator
      .report(Kind::ResultType, bodySpan(),
              "a step of `scan` gives (state, output), and this one gives `" + result.text() + "`")
      .help("`fold` is the loop whose steps give the state alone");
  return std::nullopt;
}

/// What `until` says of a state.
Value Loop::endsAfter(const Value &state) {
  return evaluator.call(call[Until], {{"", {}, {state, nullptr, call.span}, true}}, call.scope,
                        call.span);
}

Value Loop::reportUntil(const Value &end) {
  Report message(evaluator.report, Kind::NotConstant, call[Until].span,
                 "whether a loop over a list ends early is known when the program is compiled");
  message.label(call[Until].span, "gives `" + end.text() + "`");
  message.help("over a range, such as `0..n`, a tensor can end a loop");
  return Value();
}

Value Loop::unroll(const std::vector<Value> &items) {
  if (items.size() > unrolledMax) {
    evaluator
        .report(Kind::NumberRange, call[Source].span,
                "a loop over a list is unrolled, and this one has " + std::to_string(items.size()) +
                    " steps")
        .help(adviceForUnrolled(items.size(), isRange(items)));
    return Value();
  }
  ContextScope saved(evaluator);
  if (items.size() > evaluator.context.unrolled) {
    evaluator.context.unrolled = items.size();
    evaluator.context.unrollsRange = isRange(items);
  }
  Value state = call[Init].value;
  std::vector<Value> outputs;
  for (const Value &item : items) {
    std::optional<Step> next = step(state, item);
    if (!next) return Value();
    state = next->state.value;
    if (isScan) outputs.push_back(next->output.value);
    if (!call.has(Until)) continue;
    Value end = endsAfter(state);
    if (end.isPoison() || evaluator.fixOptions(end)) return Value();
    bool isFirst = &item == &items.front();
    if (end.is(ValueKind::Tensor) && isFirst && isRange(items))
      return overRange(items.front(), Value::whole(items.back().asNumber().numerator + 1));
    if (!end.is(ValueKind::Bool)) return reportUntil(end);
    if (end.asBool()) break;
  }
  if (!isScan) return state;
  return Value::record({{{"", state}, {"", Value::list(std::move(outputs))}}});
}

Value Loop::overAxis(const Tensor &source) {
  if (!call.has(Over)) {
    size_t rank = source.type.dims.size();
    std::string name = rank > 1 ? source.type.dims[1].name : "";
    evaluator
        .report(Kind::MissingArgument, call.span,
                "a loop over a tensor names the axis that it goes along")
        .secondary(call[Source].span, "is `" + typeText(source.type) + "`")
        .help(rank == 0       ? "a number has no axis; `0..n` is a range"
              : rank == 1     ? "write `over = 0`"
              : !name.empty() ? "write `over = " + name + "`, or a position: `over = 1`"
                              : "write a position, as in `over = 1`");
    return Value();
  }
  std::optional<std::vector<int64_t>> axes = evaluator.axes(call, Over, source, Source);
  if (!axes) return Value();
  if (axes->size() != 1) {
    evaluator.report(Kind::AxisMismatch, call[Over].span, "a loop goes along one axis");
    return Value();
  }
  size_t axis = size_t((*axes)[0]);
  TensorType element = source.type;
  element.dims.erase(element.dims.begin() + int64_t(axis));
  return loop({source}, int64_t(axis), element, source.type.dims[axis]);
}

std::optional<Tensor> Loop::bound(const Value &value) {
  Operand operand = {value, nullptr, call[Source].span};
  if (value.is(ValueKind::Tensor)) return tensors.cast(value.asTensor(), DType::I32);
  return evaluator.literal(operand, DType::I32, operand);
}

Value Loop::overRange(const Value &begin, const Value &end) {
  auto extentOf = [](const Value &value) -> std::optional<Extent> {
    if (value.is(ValueKind::Number)) return Extent::number(value.asNumber());
    if (value.is(ValueKind::Size)) return value.asSize();
    return std::nullopt;
  };
  std::optional<Extent> first = extentOf(begin), last = extentOf(end), count;
  if (first && last) count = Extent::subtract(*last, *first);
  if (isScan && !count) {
    evaluator.report(Kind::NotConstant, call[Source].span,
                     "`scan` keeps an output of every step, and how many there are is open");
    return Value();
  }
  std::optional<Tensor> from = bound(begin), to = bound(end);
  if (!from || !to) return Value();
  std::optional<Dim> steps;
  if (count) steps = Dim{*count, "", false};
  return loop({*from, *to}, -1, {DType::I32, {}}, steps);
}

Tensor Loop::argument(size_t number, const TensorType &type) {
  return tensors.leaf("slot", std::to_string(number), type, call.span);
}

/// One step as a graph of its own; null if something was reported. `output` is the form of what a
/// step of `scan` gives besides the state, `outputs` are the types of its tensors.
std::shared_ptr<const Graph> Loop::body(const std::vector<Tensor> &begin, const TensorType &element,
                                        std::vector<Tensor> &captured, Value &output,
                                        std::vector<TensorType> &outputs) {
  GraphScope graph(tensors);
  ContextScope saved(evaluator);
  evaluator.context.loopDepth++;
  std::vector<Tensor> arguments;
  for (const Tensor &state : begin)
    arguments.push_back(argument(arguments.size(), state.type));
  Value number = Value::tensor(argument(arguments.size(), element));
  std::optional<Step> next = step(withTensors(call[Init].value, arguments), number);
  if (!next) return nullptr;
  std::optional<std::vector<Tensor>> states =
      tensorsLike(evaluator, next->state, call[Init], begin);
  std::optional<std::vector<Tensor>> given = std::vector<Tensor>();
  if (isScan) given = tensorsOf(evaluator, next->output, "an output of `scan`");
  if (!states || !given) return nullptr;
  auto addResult = [&](const std::string &name, const Tensor &tensor) {
    graph.graph().results.emplace_back(name, tensors.use(tensor));
  };
  for (size_t i = 0; i < states->size(); ++i)
    addResult("state." + std::to_string(i), (*states)[i]);
  for (size_t i = 0; i < given->size(); ++i) {
    addResult("output." + std::to_string(i), (*given)[i]);
    outputs.push_back((*given)[i].type);
  }
  output = next->output.value;
  if (call.has(Until)) {
    Value state = withTensors(call[Init].value, *states);
    Value end = endsAfter(state);
    if (end.isPoison()) return nullptr;
    std::optional<Tensor> flag =
        evaluator.needTensor({end, nullptr, call[Until].span}, "what `until` gives");
    if (!flag) return nullptr;
    if (flag->type.dtype != DType::Bool || !flag->type.dims.empty()) {
      evaluator.report(Kind::ResultType, call[Until].span,
                       "`until` gives one bool, and this one gives `" + end.text() + "`");
      return nullptr;
    }
    addResult("until", *flag);
  }
  Subgraph finished = finishSubgraph(tensors, graph);
  captured = std::move(finished.captured);
  return finished.graph;
}

Value Loop::loop(const std::vector<Tensor> &source, int64_t axis, const TensorType &element,
                 const std::optional<Dim> &steps) {
  std::optional<std::vector<Tensor>> begin = tensorsOf(evaluator, call[Init], "a state");
  if (!begin) return Value();
  if (begin->empty()) {
    evaluator.report(Kind::TypeMismatch, call[Init].span, "a loop carries at least one tensor");
    return Value();
  }
  std::vector<Tensor> captured;
  std::vector<TensorType> outputs;
  Value output;
  std::shared_ptr<const Graph> graph = body(*begin, element, captured, output, outputs);
  if (!graph) return Value();
  tensors.span = call.span;
  Node node;
  node.op = "scan";
  node.text = call.builtin.name;
  node.type = begin->front().type;
  node.ints = {int64_t(begin->size()), axis, int64_t(outputs.size())};
  node.bodies = {graph};
  std::vector<Tensor> operands = *begin;
  operands.insert(operands.end(), source.begin(), source.end());
  operands.insert(operands.end(), captured.begin(), captured.end());
  Tensor whole = tensors.emit(std::move(node), operands);
  auto result = [&](size_t number, const TensorType &type) {
    Node part;
    part.op = "scan_result";
    part.type = type;
    part.ints = {int64_t(number)};
    return tensors.emit(std::move(part), {whole});
  };
  std::vector<Tensor> last, stacked;
  for (const Tensor &state : *begin)
    last.push_back(result(last.size(), state.type));
  for (TensorType type : outputs) {
    size_t place = std::min(type.dims.size(), size_t(std::max<int64_t>(axis, 0)));
    type.dims.insert(type.dims.begin() + int64_t(place), *steps);
    stacked.push_back(result(last.size() + stacked.size(), type));
  }
  Value state = withTensors(call[Init].value, last);
  if (!isScan) return state;
  return Value::record({{{"", state}, {"", withTensors(output, stacked)}}});
}

Value runLoop(Evaluator &evaluator, const BuiltinCall &call) { return Loop(evaluator, call).run(); }

} // namespace

const BuiltinTable &loopBuiltins() {
  static const BuiltinTable table = {
      {"fold", "init, xs, body, over?, until?", runLoop},
      {"scan", "init, xs, body, over?, until?", runLoop},
  };
  return table;
}

} // namespace dlm::sema
