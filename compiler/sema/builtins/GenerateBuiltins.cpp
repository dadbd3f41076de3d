// `generate(net, ids, limit, pick, until)`: ids that a model finds likely, one after another. How
// long the text is changes from step to step, so in a command the model sees a size that is open,
// up to the window of the data, and `until` as many ids as were made; elsewhere one place of it is
// checked. `pick` gets what the model says of the last place. A model that wants to know where it
// is in a text (`at` or `position`) or in which of several (`segment`) is told.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Subgraph.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"
#include "compiler/sema/value/Symbols.h"

#include <algorithm>
#include <set>

namespace dlm::sema {

namespace {

enum GenerateParameter { Net, Ids, Limit, Pick, Ends };

class Generation {
public:
  Generation(Evaluator &evaluator, const BuiltinCall &call)
      : evaluator(evaluator), tensors(evaluator.tensors), call(call) {}

  Value run();

private:
  std::optional<Dim> limit();
  /// The most that a size can be; nothing if it is not bounded.
  std::optional<int64_t> largest(const Dim &dim) const;
  /// A size from 1 to `most`, which changes while a command runs.
  Dim openSize(int64_t most, const std::string &what);
  /// How many tokens the model sees at most: as many as it is trained on, else the whole text.
  std::optional<int64_t> window(const Tensor &prompt, const Dim &limit);
  void needOneToken(const Dim &length);
  bool checkLimit(const Dim &limit);
  Value write(const Tensor &ids, const Dim &limit, TensorType prompt);
  /// Calls the argument `index` with one tensor of this type, in a graph of its own.
  std::optional<Subgraph> apply(size_t index, const TensorType &type, const std::string &name,
                                TensorType &result);
  void tellPlace(const TensorType &type, std::vector<CallArgument> &arguments);
  bool check(size_t index, const TensorType &is, DType dtype, const std::vector<Dim> &dims,
             const std::string &what);

  Evaluator &evaluator;
  TensorWriter &tensors;
  const BuiltinCall &call;
};

std::optional<Dim> Generation::limit() {
  const Value &value = call[Limit].value;
  if (value.is(ValueKind::Size)) return Dim{value.asSize(), "", false};
  std::optional<int64_t> count = evaluator.needInt(call[Limit], "`limit`");
  if (!count) return std::nullopt;
  if (*count >= 1) return Dim::whole(*count);
  evaluator.report(Kind::BadSize, call[Limit].span,
                   "`limit` is at least 1, and this is " + std::to_string(*count));
  return std::nullopt;
}

std::optional<int64_t> Generation::largest(const Dim &dim) const {
  std::optional<Number> most = intervalOf(evaluator.program.symbols, dim.extent).upper;
  if (!most || !most->isWhole()) return std::nullopt;
  return most->numerator;
}

Dim Generation::openSize(int64_t most, const std::string &what) {
  std::string name = "length" + std::to_string(evaluator.program.symbols.size() + 1);
  evaluator.program.symbols[name] = {1, most, call.span, false, what, true};
  return {Extent::symbol(name), "", false};
}

/// The window of the source whose tokens a value has a part in; the smallest of several.
std::optional<int64_t> sourceWindow(const GraphBuilder &graph, const Node &prompt) {
  std::optional<int64_t> window;
  std::vector<const Node *> open = {&prompt};
  std::set<NodeId> seen;
  while (!open.empty()) {
    const Node &node = *open.back();
    open.pop_back();
    if (node.op == "encode") {
      if (!node.ints.empty()) window = std::min(window.value_or(INT64_MAX), node.ints[0]);
      continue;
    }
    for (NodeId operand : node.operands)
      if (seen.insert(operand).second) open.push_back(&graph.node(operand));
  }
  return window;
}

std::optional<int64_t> Generation::window(const Tensor &prompt, const Dim &limit) {
  std::optional<int64_t> length = largest(prompt.type.dims.back()), count = largest(limit);
  std::optional<int64_t> seen = sourceWindow(tensors.current(), tensors.node(prompt));
  if (length && count) seen = std::min(seen.value_or(INT64_MAX), *length + *count);
  return seen;
}

/// A text to go on with may have no tokens, which is known when the command is called.
void Generation::needOneToken(const Dim &length) {
  std::vector<std::string> names = length.extent.symbols();
  bool isSymbol = names.size() == 1 && length.extent.isSymbol(names[0]);
  if (!isSymbol || !evaluator.context.tokenTests) return;
  Symbol &symbol = evaluator.program.symbols[names[0]];
  if (symbol.lower >= 1) return;
  symbol.lower = 1;
  evaluator.context.tokenTests->push_back({names[0], ">=", Number::whole(1),
                                           "`generate` goes on with at least one token",
                                           call[Ids].span});
}

/// Memory is planned for the longest text.
bool Generation::checkLimit(const Dim &limit) {
  if (largest(limit)) return true;
  std::string text = limit.extent.text();
  evaluator.report(Kind::UnboundedSize, call[Limit].span, "nothing bounds the limit `" + text + "`")
      .help("memory is planned for the longest text: write `require " + text +
            " <= 1024`, or whatever is enough, in the command");
  return false;
}

/// Adds what a model's `forward` asks for besides the ids.
void Generation::tellPlace(const TensorType &type, std::vector<CallArgument> &arguments) {
  if (!call[Net].value.is(ValueKind::Instance)) return;
  const InstanceObject &instance = call[Net].value.asInstance();
  auto forward = instance.scope->bindings.find("forward");
  bool isFunction =
      forward != instance.scope->bindings.end() && forward->second.value.is(ValueKind::Function);
  if (!isFunction) return;
  for (const ast::Param &param : *forward->second.value.asFunction().params) {
    const std::string &name = param.name.text;
    if (name != "at" && name != "position" && name != "segment") continue;
    Value value = Value::tensor(tensors.leaf("slot", name, type, call[Ids].span));
    arguments.push_back({name, {}, {value, nullptr, call[Ids].span}, true});
  }
}

std::optional<Subgraph> Generation::apply(size_t index, const TensorType &type,
                                          const std::string &name, TensorType &result) {
  GraphScope graph(tensors);
  ContextScope saved(evaluator);
  evaluator.context.loopDepth++;
  Tensor argument = tensors.leaf("slot", "0", type, call[Ids].span);
  std::vector<CallArgument> arguments;
  arguments.push_back({"", {}, {Value::tensor(argument), nullptr, call[Ids].span}, true});
  if (index == Net) tellPlace(type, arguments);
  Value value = evaluator.call(call[index], std::move(arguments), call.scope, call.span);
  if (value.isPoison()) return std::nullopt;
  std::optional<Tensor> tensor =
      evaluator.needTensor({value, nullptr, call[index].span}, "what `" + name + "` gives");
  if (!tensor) return std::nullopt;
  result = tensor->type;
  graph.graph().results.emplace_back(name, tensors.use(*tensor));
  return finishSubgraph(tensors, graph);
}

bool Generation::check(size_t index, const TensorType &is, DType dtype,
                       const std::vector<Dim> &dims, const std::string &what) {
  if (is.dtype == dtype && sameShape(is.dims, dims)) return true;
  evaluator.report(Kind::ResultType, call[index].span,
                   what + " gives `" + typeText({dtype, dims}) + "` here, and this gives `" +
                       typeText(is) + "`");
  return false;
}

Value Generation::run() {
  std::optional<Tensor> ids = evaluator.needTensor(call[Ids], "the prompt");
  std::optional<Dim> count = limit();
  if (!ids || !count) return Value();
  size_t rank = ids->type.dims.size();
  if (!isInteger(ids->type.dtype) || rank < 1 || rank > 2) {
    evaluator.report(Kind::ShapeMismatch, call[Ids].span,
                     "a prompt is `i32[T]` or `i32[B, T]`, and this is `" + typeText(ids->type) +
                         "`");
    return Value();
  }
  TensorType prompt = ids->type;
  prompt.dims.back() = Dim::whole(1);
  if (rank == 1) prompt.dims.insert(prompt.dims.begin(), Dim::one());
  if (!evaluator.context.isInCommand()) return write(*ids, *count, std::move(prompt));
  if (!checkLimit(*count)) return Value();
  needOneToken(ids->type.dims.back());
  if (std::optional<int64_t> seen = window(*ids, *count))
    prompt.dims.back() = openSize(*seen, "the number of tokens that the model sees");
  return write(*ids, *count, std::move(prompt));
}

/// `prompt` is what the model sees.
Value Generation::write(const Tensor &ids, const Dim &limit, TensorType prompt) {
  TensorType logits, picked, ended;
  std::optional<Subgraph> forward = apply(Net, prompt, "logits", logits);
  if (!forward) return Value();
  bool fits = logits.dtype == DType::F32 && logits.dims.size() == 3 &&
              sameShape({logits.dims[0], logits.dims[1]}, prompt.dims);
  if (!fits) {
    evaluator.report(Kind::ResultType, call[Net].span,
                     "a model that generates gives `f32[B, T, V]` for `" + typeText(prompt) +
                         "`, and this one gives `" + typeText(logits) + "`");
    return Value();
  }
  std::vector<Dim> rows = {prompt.dims[0]};
  std::vector<Tensor> operands = {ids};
  Node node;
  node.op = "generate";
  auto add = [&](const Subgraph &part) {
    node.bodies.push_back(part.graph);
    node.ints.push_back(int64_t(part.captured.size()));
    operands.insert(operands.end(), part.captured.begin(), part.captured.end());
  };
  add(*forward);
  node.type = {prompt.dtype, {prompt.dims[0], limit}};
  node.extents = {limit.extent, prompt.dims[1].extent};
  if (call.has(Pick)) {
    std::optional<Subgraph> pick =
        apply(Pick, {DType::F32, {logits.dims[0], logits.dims[2]}}, "pick", picked);
    if (!pick || !check(Pick, picked, prompt.dtype, rows, "`pick`")) return Value();
    add(*pick);
    node.text = "pick";
  }
  if (call.has(Ends)) {
    if (evaluator.context.isInCommand()) {
      node.type.dims[1] = openSize(*largest(limit), "the number of tokens that were made");
      node.extents.push_back(node.type.dims[1].extent);
    }
    std::optional<Subgraph> until = apply(Ends, node.type, "until", ended);
    if (!until || !check(Ends, ended, DType::Bool, rows, "`until`")) return Value();
    add(*until);
    node.text += node.text.empty() ? "until" : " until";
  }
  if (ids.type.dims.size() == 1) node.type.dims.erase(node.type.dims.begin());
  tensors.span = call.span;
  return Value::tensor(tensors.emit(std::move(node), operands));
}

Value runGenerate(Evaluator &evaluator, const BuiltinCall &call) {
  return Generation(evaluator, call).run();
}

} // namespace

const BuiltinTable &generateBuiltins() {
  static const BuiltinTable table = {{"generate", "net, ids, limit, pick?, until?", runGenerate}};
  return table;
}

} // namespace dlm::sema
