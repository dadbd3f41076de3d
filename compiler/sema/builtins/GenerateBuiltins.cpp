// `generate(net, ids, limit, pick, until)`: ids that a model finds likely, one after another. How
// long the text is changes from step to step, so the model is checked at one place of it, and
// `pick` with what it says of that place. A model that wants to know where it is in a text (`at` or
// `position`) or in which of several (`segment`) is told.
#include "compiler/sema/evaluate/Evaluator.h"
#include "compiler/sema/tensor/Subgraph.h"
#include "compiler/sema/value/DTypes.h"
#include "compiler/sema/value/Shapes.h"

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
  TensorType prompt = ids->type, logits, picked, ended;
  prompt.dims.back() = Dim::whole(1);
  if (rank == 1) prompt.dims.insert(prompt.dims.begin(), Dim::one());
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
  std::vector<Tensor> operands = {*ids};
  Node node;
  node.op = "generate";
  auto add = [&](const Subgraph &part) {
    node.bodies.push_back(part.graph);
    node.ints.push_back(int64_t(part.captured.size()));
    operands.insert(operands.end(), part.captured.begin(), part.captured.end());
  };
  add(*forward);
  node.type = {prompt.dtype, {prompt.dims[0], *count}};
  if (call.has(Pick)) {
    std::optional<Subgraph> pick =
        apply(Pick, {DType::F32, {logits.dims[0], logits.dims[2]}}, "pick", picked);
    if (!pick || !check(Pick, picked, prompt.dtype, rows, "`pick`")) return Value();
    add(*pick);
    node.text = "pick";
  }
  if (call.has(Ends)) {
    std::optional<Subgraph> until = apply(Ends, node.type, "until", ended);
    if (!until || !check(Ends, ended, DType::Bool, rows, "`until`")) return Value();
    add(*until);
    node.text += node.text.empty() ? "until" : " until";
  }
  if (rank == 1) node.type.dims.erase(node.type.dims.begin());
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
